//! Why something could not be done.

use std::io;
use std::path::{Path, PathBuf};

use trommel_extract::ExtractorError;

/// Why something of the laboratory could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// An extractor cannot be had.
    #[error(transparent)]
    Extractor(#[from] ExtractorError),
    /// The file of an experiment is none, or what is asked for does not fit its inputs.
    #[error("{0}")]
    Definition(String),
    /// An input of an experiment is missing.
    #[error("{path} is not there; the experiment's inputs are named in its file")]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// An input is not the one that the expected figures are of.
    #[error(
        "{path} has the SHA-256 {found}, but the experiment was written for {expected}: its figures would not be comparable"
    )]
    Changed {
        /// The input.
        path: PathBuf,
        /// Its hash.
        found: String,
        /// The hash in the experiment's file.
        expected: String,
    },
    /// A file or folder cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A gold text of another format than the one that was named.
    #[error("{path} is no gold standard of the format {asked}: it is of the format {found}")]
    GoldFormat {
        /// The file.
        path: PathBuf,
        /// The format that was named.
        asked: &'static str,
        /// The format that it is in.
        found: &'static str,
    },
    /// A feature that a tree cannot look at.
    #[error(
        "a tree cannot look at '{name}'; there are the selections {} and the features of one page",
        selections.join(", ")
    )]
    NoFeature {
        /// What was asked for.
        name: String,
        /// The names of the selections.
        selections: &'static [&'static str],
    },
    /// A gold text without its page.
    #[error("{gold}: no page of the same name in {pages}")]
    NoPage {
        /// The gold text.
        gold: PathBuf,
        /// Where pages were looked for.
        pages: PathBuf,
    },
}

impl LabError {
    /// A file or folder that cannot be read.
    pub fn file(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        LabError::File { path, error }
    }
}
