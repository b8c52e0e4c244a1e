//! Threads for what one call computes.
//!
//! A thread of rayon's that waits takes up other work in the meantime. Under a lock that may be work that wants the same lock, so that
//! the thread waits for itself for ever. What is computed under a lock has threads of its own, as many as rayon's pool has.

use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Works through tasks side by side. Gives what came of them in their order.
///
/// # Errors
/// The first in the order of tasks, which are begun in this order; no further ones are begun then.
pub(crate) fn in_parallel<T: Send, R: Send, E: Send>(
    tasks: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let threads = rayon::current_num_threads().min(tasks.len());
    if threads <= 1 {
        return tasks.into_iter().map(work).collect();
    }
    let tasks = Mutex::new(tasks.into_iter().enumerate());
    let has_failed = AtomicBool::new(false);
    let next = || {
        let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.next().filter(|_| !has_failed.load(Relaxed))
    };
    let run = || {
        let mut done = Vec::new();
        while let Some((number, task)) = next() {
            let result = work(task);
            has_failed.fetch_or(result.is_err(), Relaxed);
            done.push((number, result));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap()
    }

    #[test]
    fn results_are_in_order() {
        for threads in [1, 2, 5] {
            for tasks in [0usize, 1, 3, 100] {
                let work = |task: usize| if task < 70 { Ok(task * 2) } else { Err(task) };
                let found = pool(threads).install(|| in_parallel((0..tasks).collect(), work));
                match tasks {
                    100 => assert_eq!(found, Err(70)),
                    _ => assert_eq!(found, Ok((0..tasks).map(|task| task * 2).collect())),
                }
            }
        }
    }
}
