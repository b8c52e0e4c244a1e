//! Why an experiment could not be run.

use std::io;
use std::path::Path;

use trommel_lab::LabError;

use super::sweep::SweepError;
use crate::extractor::ExtractorError;
use crate::index::IndexError;
use crate::measure::{MeasureError, Mismatch};
use crate::trec::{NoField, TrecError};

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The experiment's file, its inputs, or what needs no index.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The index could not be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The measures cannot be computed on these qrels.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The judgments are those of another collection.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// Topics, judgments or a run cannot be read.
    #[error(transparent)]
    Trec(#[from] TrecError),
    /// A topic has no text of the field.
    #[error(transparent)]
    NoField(#[from] NoField),
    /// A sweep cannot be run.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

impl ExperimentError {
    pub(super) fn definition(text: impl Into<String>) -> Self {
        LabError::Definition(text.into()).into()
    }

    pub(super) fn file(path: &Path, error: io::Error) -> Self {
        LabError::file(path, error).into()
    }
}

impl From<ExtractorError> for ExperimentError {
    fn from(error: ExtractorError) -> Self {
        LabError::from(error).into()
    }
}
