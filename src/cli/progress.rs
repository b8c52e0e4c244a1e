//! A progress bar in bytes with the time left, when standard error is a terminal; nothing otherwise.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::index::Progress;

/// A bar that follows a build until it is dropped.
pub struct Bar {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Bar {
    /// Shows how far a build has come; `bytes` is the size of all inputs, if known.
    pub fn follow(progress: &Arc<Progress>, bytes: Option<u64>) -> Bar {
        let done = Arc::new(AtomicBool::new(false));
        let thread = std::io::stderr().is_terminal().then(|| {
            let (progress, done) = (Arc::clone(progress), Arc::clone(&done));
            thread::spawn(move || draw(&progress, bytes, &done))
        });
        Bar { done, thread }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.done.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread only draws; if it panicked there is nothing to be done about it.
            let _ = thread.join();
        }
    }
}

fn draw(progress: &Progress, bytes: Option<u64>, done: &AtomicBool) {
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {msg}, {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {bytes}, {bytes_per_sec}, {msg}",
        ),
    };
    // The bar draws itself when it is given a style, so it gets its text first.
    bar.set_message(message(progress));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    while !done.load(Relaxed) {
        bar.set_position(progress.bytes.load(Relaxed));
        bar.set_message(message(progress));
        thread::sleep(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

fn message(progress: &Progress) -> String {
    let pages = HumanCount(progress.pages.load(Relaxed));
    match progress.failures.load(Relaxed) {
        0 => format!("{pages} pages"),
        failures => format!("{pages} pages, {} failed", HumanCount(failures)),
    }
}
