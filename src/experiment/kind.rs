//! What a kind of experiment is.

use trommel_lab::experiment::{Context, Definition};

use super::error::ExperimentError;
use super::outcome::Outcome;

/// A kind of experiment that a file can ask for.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    pub(super) run: Runner,
}

/// How an experiment of a kind is run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Runner {
    /// With an index.
    Search(fn(&Definition, &Context) -> Result<Outcome, ExperimentError>),
    /// In the laboratory.
    Lab(trommel_lab::experiment::Kind),
}
