//! How far a job has come, on standard error: a bar for people, lines of JSON for programs.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use serde_json::json;
use trommel::index::Progress;

/// How to show how far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Show {
    /// A bar, if standard error is a terminal; nothing otherwise
    Auto,
    /// A bar
    Bar,
    /// One JSON object a line
    Json,
    /// Nothing
    None,
}

/// What there is to do.
#[derive(Debug, Clone, Copy)]
pub struct Todo {
    /// Number of files.
    pub inputs: usize,
    /// Their stored bytes, if known.
    pub bytes: Option<u64>,
}

/// How often a look is taken, and a line of JSON written if nothing happens.
const LOOK: Duration = Duration::from_millis(100);
const EVERY: Duration = Duration::from_secs(5);

/// What follows a job until it is ended or dropped.
pub struct Bar {
    done: Arc<Done>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Done {
    set: AtomicBool,
    /// The job came to its end.
    well: AtomicBool,
}

impl Bar {
    /// Shows how far a job has come.
    pub fn follow(progress: &Arc<Progress>, todo: Todo, show: Show) -> Bar {
        let (done, shared) = (Arc::<Done>::default(), Arc::clone(progress));
        let other = Arc::clone(&done);
        let bar = match show {
            Show::Auto => io::stderr().is_terminal(),
            Show::Bar => true,
            Show::Json | Show::None => false,
        };
        let thread = if bar {
            Some(thread::spawn(move || draw(&shared, todo.bytes, &other.set)))
        } else if show == Show::Json {
            Some(thread::spawn(move || report(&shared, todo, &other)))
        } else {
            None
        };
        Bar { done, thread }
    }

    /// The job is over; did it come to its end?
    pub fn end(self, well: bool) {
        self.done.well.store(well, Relaxed);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.done.set.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread only writes; if it panicked there is nothing to be done about it.
            let _ = thread.join();
        }
    }
}

/// A bar over so many pages; none where standard error is no terminal.
pub fn page_bar(pages: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(pages as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} pages, {eta} left") {
        bar.set_style(style);
    }
    bar
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
        thread::park_timeout(LOOK);
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

/// Writes a line at the start, after each part, from time to time, and at the end.
fn report(progress: &Progress, todo: Todo, done: &Done) {
    let start = Instant::now();
    let write = |event: &str| {
        let seconds = start.elapsed().as_secs_f64();
        let mut line = line(event, progress, todo, seconds);
        if event == "end" {
            line["done"] = done.well.load(Relaxed).into();
        }
        // Whoever listened may have gone; the job goes on.
        let _ = writeln!(io::stderr(), "{line}");
    };
    write("start");
    let mut parts = 0;
    let mut last = Instant::now();
    while !done.set.load(Relaxed) {
        let now = progress.parts.load(Relaxed);
        // Parts that were there before are no events.
        if now > parts.max(progress.parts_before.load(Relaxed)) {
            write("part");
            last = Instant::now();
        } else if last.elapsed() >= EVERY {
            write("progress");
            last = Instant::now();
        }
        parts = now;
        thread::park_timeout(LOOK);
    }
    write("end");
}

fn line(event: &str, progress: &Progress, todo: Todo, seconds: f64) -> serde_json::Value {
    let read = progress.bytes.load(Relaxed);
    let by_this = read.saturating_sub(progress.bytes_before.load(Relaxed));
    // At the rate so far, which says nothing before anything was read.
    let left = todo.bytes.filter(|_| by_this > 0).map(|total| {
        let left = seconds / by_this as f64 * total.saturating_sub(read) as f64;
        (left * 10.0).round() / 10.0
    });
    json!({
        "event": event,
        "seconds": (seconds * 1000.0).round() / 1000.0,
        "inputs": todo.inputs,
        "bytes": read,
        "total_bytes": todo.bytes,
        "pages": progress.pages.load(Relaxed),
        "blocks": progress.blocks.load(Relaxed),
        "failures": progress.failures.load(Relaxed),
        "parts": progress.parts.load(Relaxed),
        "seconds_left": left,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rate is that of this run: what an interrupted one had read took it no time.
    #[test]
    fn seconds_left() {
        let progress = Progress::default();
        let todo = Todo {
            inputs: 2,
            bytes: Some(1000),
        };
        assert_eq!(
            line("start", &progress, todo, 0.0)["seconds_left"],
            json!(null)
        );
        progress.bytes.store(600, Relaxed);
        assert_eq!(line("progress", &progress, todo, 3.0)["seconds_left"], 2.0);
        progress.bytes_before.store(500, Relaxed);
        assert_eq!(line("progress", &progress, todo, 3.0)["seconds_left"], 12.0);
        let unknown = Todo {
            bytes: None,
            ..todo
        };
        assert_eq!(
            line("progress", &progress, unknown, 3.0)["seconds_left"],
            json!(null)
        );
    }
}
