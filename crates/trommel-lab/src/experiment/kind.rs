//! What a kind of experiment is.

use std::path::Path;
use std::time::Duration;

use super::definition::Definition;
use super::outcome::Outcome;
use crate::LabError;

/// A kind of experiment that a file can ask for.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Runs an experiment of the kind.
    pub run: fn(&Definition, &Context) -> Result<Outcome, LabError>,
}

/// What an experiment is run with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Called after each page or other unit of work.
    pub progress: &'a (dyn Fn() + Sync),
    /// An empty directory for what is needed on the way, such as an index.
    pub scratch: &'a Path,
    /// CPU time that this thread has used so far, where the system tells it.
    pub cpu: &'a (dyn Fn() -> Option<Duration> + Sync),
}
