//! What hostile pages cost: CPU seconds and memory of parsing each and cutting it into blocks, one process a page.
//!
//! `cargo bench --bench hostile` runs all, `cargo bench --bench hostile -- PART` those whose name has PART in it. Memory is the
//! peak of the resident set while the page is parsed and cut, less what was resident before (the page's bytes among it); it
//! needs Linux.
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::fs;
use std::process::Command;

use rustix::time::{ClockId, clock_gettime};
use trommel::html::{self, Charset, Limits, segment};
use trommel::page::ParseLimit;

#[path = "../tests/it/hostile_pages.rs"]
mod hostile_pages;

/// Says to the process that this program starts again which page it is to measure.
const PAGE: &str = "TROMMEL_HOSTILE_PAGE";

fn main() {
    if let Ok(name) = std::env::var(PAGE) {
        return measure(&name);
    }
    let part = std::env::args().skip(1).find(|a| !a.starts_with("--"));
    if part.is_none() && !std::env::args().any(|a| a == "--bench") {
        println!("only when measuring: cargo bench --bench hostile");
        return;
    }
    println!(
        "| page | MB | CPU seconds | peak memory, MB | leaves | limit |\n|---|---|---|---|---|---|"
    );
    for page in hostile_pages::all(1_000_000) {
        if part
            .as_ref()
            .is_some_and(|part| !page.name.contains(part.as_str()))
        {
            continue;
        }
        let program = std::env::current_exe().expect("a path");
        let status = Command::new(program).env(PAGE, page.name).status();
        if !status.expect("a process").success() {
            println!("| {} | failed |", page.name);
        }
    }
}

fn measure(name: &str) {
    let page = hostile_pages::all(1_000_000)
        .into_iter()
        .find(|page| page.name == name);
    let hostile = page.expect("a page of the name");
    let bytes = (hostile.make)();
    // Resets the peak.
    let can_reset = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = status("VmRSS:");
    let start = cpu_seconds();
    let page = html::parse(&bytes, Charset::Auto, None, &Limits::default());
    let segmentation = (segment::all()[0].segment)(&page);
    let seconds = cpu_seconds() - start;
    let peak = match can_reset {
        true => format!("{:.0}", (status("VmHWM:") - before) / 1e3),
        false => "?".to_owned(),
    };
    println!(
        "| {name} | {:.1} | {seconds:.2} | {peak} | {} | {} |",
        bytes.len() as f64 / 1e6,
        page.leaves.len(),
        page.limit.map_or("–", limit),
    );
    assert!(segmentation.blocks.len() <= page.leaves.len());
    assert_eq!(page.limit, hostile.limit);
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn limit(limit: ParseLimit) -> &'static str {
    match limit {
        ParseLimit::Bytes => "bytes",
        ParseLimit::Depth => "depth",
        ParseLimit::Attributes => "attributes",
        ParseLimit::Nodes => "nodes",
        ParseLimit::Work => "work",
    }
}

/// A figure of the process in kB; 0 where there is none.
fn status(key: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0.0)
}
