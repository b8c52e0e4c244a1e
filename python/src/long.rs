//! Calls that take long: without the interpreter's lock, and with an ear for Ctrl-C.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::TrommelError;

/// How often signals are looked for, and how far it has come is told.
const TICK: Duration = Duration::from_millis(100);

/// Does some work on another thread, while this one calls `tick` from time to time and sees to signals. What `tick` or a signal's
/// handler raises sets `stop`, which the work is to heed, and is raised when it has ended.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (done, mut is_done) = channel::<()>();
        let worker = scope.spawn(move || {
            let result = work();
            drop(done);
            result
        });
        let mut raised = None;
        loop {
            // Only a receiver that nobody else has may go where the lock is not held.
            let receiver = &mut is_done;
            let waited = py.detach(move || receiver.recv_timeout(TICK));
            if waited == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| tick(py)).err();
                if raised.is_some() {
                    stop.store(true, Relaxed);
                }
            }
        }
        let result = py.detach(|| worker.join());
        match raised {
            Some(error) => Err(error),
            None => result.unwrap_or_else(|_| Err(TrommelError::new_err("a thread gave up"))),
        }
    })
}

/// Calls a function of Python's with some numbers, if there is one.
pub(crate) fn tell<'py, A: pyo3::call::PyCallArgs<'py>>(
    py: Python<'py>,
    function: Option<&Py<PyAny>>,
    arguments: A,
) -> PyResult<()> {
    match function {
        None => Ok(()),
        Some(function) => function.bind(py).call1(arguments).map(drop),
    }
}

/// A pool of so many threads; 0 is one a core.
pub(crate) fn pool(threads: usize) -> PyResult<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().map_err(crate::error::failed)
}
