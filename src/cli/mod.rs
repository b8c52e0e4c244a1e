//! The command line: flags, progress, exit codes. One file a subcommand; the only user of clap, anyhow and the terminal.

pub mod blocks;
mod brief;
mod cannot;
pub mod check;
pub mod compare;
pub mod completions;
pub mod count;
mod counts;
mod definition;
pub mod demo;
pub mod eval;
pub mod experiment;
pub mod export;
pub mod extract;
pub mod features;
mod filter;
mod gold;
mod hint;
pub mod index;
pub mod info;
mod input;
mod interrupt;
mod irds;
pub mod join;
mod judging;
pub mod label;
pub mod learn;
pub mod list;
pub mod man;
pub mod merge;
mod metadata;
mod options;
mod output;
mod progress;
pub mod run;
pub mod score;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod stats;
mod steps;
pub mod sweep;
mod tables;
pub mod train;
pub mod tune;
pub mod verify;

pub use brief::brief;

use std::io;
use std::process::ExitCode;

/// Shown below the list of subcommands.
pub const AFTER_HELP: &str = "\
Start with:
  trommel demo
  trommel index --index indexes/my PAGES.warc.gz
  trommel search --index indexes/my --min-words 11 your query

Results go to standard output, everything else to standard error; '-' is standard input or output.
Exit status: 0 done; 1 done, but records failed or expectations were missed; 2 could not run.";

/// Some records failed, or an expectation was missed.
pub const DONE_WITH_FAILURES: u8 = 1;
/// The command could not run.
pub const COULD_NOT_RUN: u8 = 2;

/// Prints an error, the one place that does, and gives the process's exit code.
pub fn finish(result: anyhow::Result<ExitCode>) -> ExitCode {
    let error = match result {
        Ok(code) => return code,
        Err(error) => error,
    };
    // Whoever reads our output may stop when it has seen enough.
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        // An error of serde_json does not give the operating system's as its source.
        let json = || cause.downcast_ref::<serde_json::Error>()?.io_error_kind();
        io.or_else(json) == Some(io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    // An error may quote a file, which may hold anything; it may also have several lines.
    let text = told(&error);
    let lines: Vec<String> = text.lines().map(options::printable).collect();
    anstream::eprintln!(
        "{}error:{} {}",
        options::ERROR.render(),
        options::ERROR.render_reset(),
        lines.join("\n")
    );
    if let Some(hint) = hint::of(&error) {
        anstream::eprintln!(
            "{}hint:{} {hint}",
            options::HINT.render(),
            options::HINT.render_reset()
        );
    }
    ExitCode::from(COULD_NOT_RUN)
}

/// The causes in a row, each once: some say themselves what was behind them.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}
