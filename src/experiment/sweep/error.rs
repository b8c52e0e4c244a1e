//! Why a sweep could not be run, or kept.

use std::io;
use std::path::PathBuf;

use crate::index::IndexError;
use crate::measure::{MeasureError, Mismatch};
use crate::trec::RunWriteError;
use crate::weight::ParameterError;

/// Why a sweep could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The index could not be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The measures cannot be computed on these qrels.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A run cannot be written.
    #[error(transparent)]
    Run(#[from] RunWriteError),
    /// What varies cannot.
    #[error("{0}")]
    Vary(String),
    /// Parameters of weights that have no value, or a value for none.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A measure whose value for a run is no mean over topics.
    #[error("{0} is no mean over topics, which is what steps are compared by: leave it out")]
    NoMean(String),
    /// A measure that needs more than the grades of documents.
    #[error(
        "{0} needs judgments by group or preferences, which sweeps do not have: write the runs, and evaluate them"
    )]
    NeedsRun(String),
    /// Judgments, but nothing to measure by.
    #[error("no measures are given")]
    NoMeasures,
    /// The judgments are those of other topics, or of another collection.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// Whoever takes the steps wants no more.
    #[error("the sweep was broken off")]
    BrokenOff,
    /// A finished step cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why steps cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is a sweep already, and nobody asked to go on with it, or to replace it.
    #[error("{} holds a sweep already", .0.display())]
    HoldsSweep(PathBuf),
    /// There are run files of another sweep, which could not be told from new ones.
    #[error("{} holds run files already: remove them, or choose another directory", .0.display())]
    HoldsRuns(PathBuf),
    /// The sweep that is to go on was begun with other settings.
    #[error(
        "{}: the sweep was begun with other settings ({}); choose another output directory, or the same settings",
        path.display(),
        different.join(", ")
    )]
    OtherSettings {
        /// The file of steps.
        path: PathBuf,
        /// The names of the settings that differ.
        different: Vec<String>,
    },
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
