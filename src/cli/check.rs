//! `trommel check`: is an index sound?

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use trommel::index::{CheckReport, check, directories};

use super::DONE_WITH_FAILURES;
use super::options::{counted, parse_count, printable, threads};

/// Verify an index against its manifest
///
/// Reads all of it: check sums, that every block belongs to one page and every docid is there once, that pages, blocks, terms,
/// words, labels and ledger lines are as many as the manifest says. Exits with 1 if something is wrong.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory of the index, or of its shards; may be given several times
    #[arg(long = "index", value_name = "DIR", required = true)]
    indexes: Vec<PathBuf>,
    /// Hash the files that were indexed, too
    #[arg(long)]
    sources: bool,
    /// Threads that read [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// One JSON object for each index directory
    #[arg(long)]
    json: bool,
}

/// Checks and prints what is wrong.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let mut out = io::stdout().lock();
    let mut is_sound = true;
    for directory in directories(&args.indexes)? {
        let report = pool.install(|| check(&directory, args.sources))?;
        is_sound &= report.problems.is_empty();
        if args.json {
            let line = serde_json::json!({ "index": directory, "report": report });
            writeln!(out, "{line}")?;
            continue;
        }
        for problem in &report.problems {
            let place = printable(&problem.path.display().to_string());
            writeln!(out, "{place}: {}", printable(&problem.what))?;
        }
        let place = printable(&directory.display().to_string());
        anstream::eprintln!("{place}: {}", verdict(&report));
    }
    out.flush()?;
    Ok(match is_sound {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(DONE_WITH_FAILURES),
    })
}

fn verdict(report: &CheckReport) -> String {
    let counts = &report.counts;
    let mut looked_at = vec![
        counted(counts.pages, "page"),
        counted(counts.blocks, "block"),
        counted(counts.terms, "term"),
        counted(report.parts as u64, "part"),
        counted(report.label_sets as u64, "label set"),
    ];
    if report.sources > 0 {
        looked_at.push(counted(report.sources as u64, "source file"));
    }
    let verdict = match report.problems.len() as u64 {
        0 => "sound".to_owned(),
        n => counted(n, "problem"),
    };
    format!("{verdict} ({})", looked_at.join(", "))
}
