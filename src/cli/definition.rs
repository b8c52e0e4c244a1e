//! Experiment files on the command line.

use std::path::Path;

use anyhow::Context;
use trommel::experiment::Definition;

/// Reads an experiment file, with the variables of the environment.
pub fn read(file: &Path) -> anyhow::Result<Definition> {
    let shown = || file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(shown)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    Definition::parse(&text, folder, variable).with_context(shown)
}

/// A variable of the environment. They stand for places, which are relative to where the program runs.
fn variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok()?;
    let path = std::path::absolute(value).ok()?;
    Some(path.to_string_lossy().into_owned())
}
