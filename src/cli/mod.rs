//! The command line: flags, progress, exit codes. One file a subcommand; the only user of clap, anyhow and the terminal.

pub mod blocks;
pub mod check;
pub mod compare;
pub mod completions;
pub mod demo;
pub mod eval;
pub mod experiment;
pub mod extract;
pub mod features;
pub mod index;
pub mod label;
pub mod learn;
pub mod merge;
pub mod run;
pub mod score;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod stats;
pub mod sweep;
pub mod train;

mod filter;
mod input;
mod interrupt;
mod judging;
mod options;
mod output;
mod progress;

use std::io;
use std::process::ExitCode;

use self::output::NotOurs;
use crate::collection;
use crate::experiment::ExperimentError;
use crate::experiment::sweep::SweepError;
use crate::extractor::{self, ExtractorError, Takes};
use crate::index::IndexError;
use crate::measure::{MeasureError, Mismatch};
use crate::trec::TrecError;
use trommel_lab::experiment as lab;

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
/// What to do where nothing more can be written.
const OUT_OF_SPACE: &str = "free space there and run the command again; \
    'trommel index' goes on after the last part that it finished if you add --resume";
/// What to do where a file of an index may not be opened.
const DENIED: &str = "its owner gives the right to read an index with 'chmod -R a+rX' on its \
    directory; who writes to one has to own it";
/// What to do where a file of an index is not what it was.
const DAMAGED: &str = "'trommel check' names every file that is damaged; a good copy of it will do \
    as well";
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
    if let Some(hint) = hint(&error)
        .map(str::to_owned)
        .or_else(|| model_hint(&error))
    {
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

fn hint(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| {
        let trec = || find::<TrecError>(cause).map(TrecError::hint);
        let measure = || find::<MeasureError>(cause).map(MeasureError::hint);
        let mismatch = || find::<Mismatch>(cause).and_then(mismatch_hint);
        let collection = || {
            cause
                .downcast_ref::<collection::Error>()
                .and_then(collection::Error::hint)
        };
        let index = || match cause.downcast_ref::<IndexError>()? {
            error if error.is_out_of_space() => Some(OUT_OF_SPACE),
            error if error.is_denied() => Some(DENIED),
            IndexError::Damaged { .. } => Some(DAMAGED),
            _ => None,
        };
        let not_ours = || cause.downcast_ref::<NotOurs>().map(|_| NotOurs::HINT);
        let listen = || {
            let error = cause.downcast_ref::<io::Error>()?;
            io_hint(error.kind())
        };
        trec()
            .or_else(measure)
            .or_else(mismatch)
            .or_else(not_ours)
            .or_else(collection)
            .or_else(index)
            .or_else(listen)
    })
}

/// How the model is made that an extractor lacks.
fn model_hint(error: &anyhow::Error) -> Option<String> {
    let name = error.chain().find_map(|cause| {
        let inner = match cause.downcast_ref() {
            Some(ExperimentError::Lab(lab::ExperimentError::Extractor(inner))) => Some(inner),
            _ => cause.downcast_ref(),
        };
        match inner? {
            ExtractorError::BadModel { of, .. } => Some(*of),
            ExtractorError::Incomplete { extractor, .. } => extractor::all()
                .iter()
                .find(|row| row.name == *extractor && matches!(row.takes, Takes::Model))
                .map(|row| row.name),
            _ => None,
        }
    })?;
    Some(
        match extractor::learners().iter().any(|row| row.name == name) {
            true => format!("make one with 'trommel learn {name} --output MODEL PATH…'"),
            false => format!(
                "make one with 'trommel train {name} --gold DIR --format FORMAT --output MODEL'"
            ),
        },
    )
}

/// The error itself, or that which it stands for: errors that are transparent are not among the causes.
fn find<'a, E: std::error::Error + 'static>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a E> {
    let inner: Option<&(dyn std::error::Error + 'static)> =
        match (error.downcast_ref(), error.downcast_ref()) {
            (Some(ExperimentError::Sweep(inner)), _) => Some(inner),
            (Some(ExperimentError::Measure(inner)), _) => Some(inner),
            (Some(ExperimentError::Mismatch(inner)), _) => Some(inner),
            (Some(ExperimentError::Trec(inner)), _) => Some(inner),
            (_, Some(SweepError::Measure(inner))) => Some(inner),
            (_, Some(SweepError::Mismatch(inner))) => Some(inner),
            _ => None,
        };
    error.downcast_ref().or_else(|| find(inner?))
}

fn mismatch_hint(mismatch: &Mismatch) -> Option<&'static str> {
    match mismatch {
        Mismatch::Topics { of_loose: 1.., .. } => Some(
            "--topic-ids loose (topic-ids in experiment files) compares them without leading letters and zeros",
        ),
        Mismatch::Topics { .. } => Some(
            "check that both are of the same topics, and the order: judgments come before runs",
        ),
        Mismatch::Documents { .. } => Some(
            "check that the judgments are of this collection, and that both name its documents alike",
        ),
        _ => None,
    }
}

/// What to do where the operating system refused.
fn io_hint(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::AddrInUse => Some(
            "a program listens there already: take another --port, or --port 0, any that is free",
        ),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Some("free space there and run the command again")
        }
        io::ErrorKind::AddrNotAvailable => Some("--host takes an address of this machine"),
        _ => None,
    }
}
