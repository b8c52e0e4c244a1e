//! Data sets of ir_datasets in the place of files: its own Python says what is in them.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// How a data set is told from a file.
const PREFIX: &str = "irds:";
/// Names the Python that has ir_datasets.
const PYTHON: &str = "TROMMEL_PYTHON";
/// Prints topics as JSON lines, or judgments in four columns.
const SCRIPT: &str = include_str!("irds.py");

/// The id of a data set, if it is one that is named.
pub fn id(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(PREFIX)
}

/// The topics of a data set, as JSON lines.
pub fn topics(id: &str) -> anyhow::Result<Vec<u8>> {
    ask("topics", id)
}

/// Its judgments, as a file of TREC's has them.
pub fn qrels(id: &str) -> anyhow::Result<Vec<u8>> {
    ask("qrels", id)
}

fn ask(what: &str, id: &str) -> anyhow::Result<Vec<u8>> {
    let python = env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    let shown = python.display();
    let done = Command::new(&python)
        .args(["-c", SCRIPT, what, id])
        .stdin(Stdio::null())
        .output();
    let done = done.with_context(|| {
        format!("{PREFIX}{id}: cannot run '{shown}', which is to ask ir_datasets; {PYTHON} names another Python")
    })?;
    if !done.status.success() {
        let told = String::from_utf8_lossy(&done.stderr);
        let why = told.lines().rfind(|line| !line.trim().is_empty());
        bail!("{PREFIX}{id}: {}", why.unwrap_or("Python gave up"));
    }
    Ok(done.stdout)
}
