//! What reading a collection costs: files are opened and drained, and nothing is done with what comes out.
//!
//! `cargo bench --bench reading -- [--rounds=N] [--max-record-bytes=N] PATH…`
//!
//! CPU time of the one thread that reads: the median and the least of the rounds; bytes as they are stored, bytes of pages,
//! and the process's largest resident set so far (Linux).
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use trommel::collection::{Input, Item, Options, inputs, open};

/// What came out of one pass.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pass {
    stored: u64,
    decoded: u64,
    pages: u64,
    /// Ledger lines by reason.
    skipped: BTreeMap<String, u64>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let mut given = arguments.iter();
        let value = given.find_map(|a| a.strip_prefix("--")?.strip_prefix(name)?.strip_prefix('='));
        value.map(|value| value.parse::<u64>().expect(name))
    };
    let paths = arguments.iter().filter(|a| !a.starts_with("--"));
    let paths: Vec<PathBuf> = paths.map(PathBuf::from).collect();
    if paths.is_empty() {
        println!("no files: cargo bench --bench reading -- PATH…");
        return;
    }
    let inputs = inputs(&paths).expect("paths that exist");
    let mut options = Options::default();
    if let Some(most) = number("max-record-bytes") {
        options.max_record_bytes = most;
    }
    let mut times = Vec::new();
    let mut pass = Pass::default();
    for _ in 0..number("rounds").unwrap_or(5).max(1) {
        let begin = clock();
        pass = drain(&inputs, &options);
        times.push(clock().saturating_sub(begin));
    }
    times.sort();
    let (median, least) = (times[times.len() / 2], times[0]);
    println!(
        "{} pages, {} stored bytes, {} bytes of pages",
        pass.pages, pass.stored, pass.decoded
    );
    println!("skipped: {:?}", pass.skipped);
    for (name, time) in [("median", median), ("least", least)] {
        let rate = |bytes: u64| bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{name}: {:.3} CPU s, {:.0} MB/s stored, {:.0} MB/s of pages",
            time.as_secs_f64(),
            rate(pass.stored),
            rate(pass.decoded),
        );
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory: {peak}");
    }
}

fn drain(inputs: &[Input], options: &Options) -> Pass {
    let mut pass = Pass::default();
    for input in inputs {
        let mut reader = open(input, options).expect("a file that can be read");
        for item in &mut reader {
            match item {
                Item::Document(document) => {
                    pass.pages += 1;
                    pass.decoded += document.bytes.len() as u64;
                }
                Item::Skipped(line) => {
                    *pass.skipped.entry(line.reason.to_string()).or_default() += 1
                }
            }
        }
        pass.stored += reader.bytes_read();
    }
    pass
}

fn clock() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The `VmHWM` line of `/proc/self/status`.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
