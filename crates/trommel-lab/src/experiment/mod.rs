//! The experiments of the papers on boilerplate removal, which need no index: extractors scored against gold standards,
//! trained classifiers, densitometric analysis. Gives tables; renders nothing.
//!
//! An experiment that is written down as a file ([`Definition`]) has a kind, a row of [`kinds`]; its [`Outcome`] is compared
//! with the published figures that the file names.

mod definition;
pub mod density;
mod extractors;
pub mod labelled;
pub mod learned;
mod outcome;
pub mod own;
pub mod score;
pub mod web2text;
mod wsdm2010;

pub use definition::{DEMO, Definition, Deviation, PaperTable};
pub use outcome::{Check, Curves, Figures, Outcome};

use std::io;
use std::path::{Path, PathBuf};

use trommel_extract::ExtractorError;

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// An extractor cannot be had.
    #[error(transparent)]
    Extractor(#[from] ExtractorError),
    /// The file of an experiment is none.
    #[error("{0}")]
    Definition(String),
    /// An input of an experiment is missing.
    #[error(
        "{path} is not there; the experiment's inputs are named in its file, and TROMMEL_SHARED is where the shipped ones look for data"
    )]
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
    /// A gold text without its page.
    #[error("{gold}: no page of the same name in {pages}")]
    NoPage {
        /// The gold text.
        gold: PathBuf,
        /// Where pages were looked for.
        pages: PathBuf,
    },
}

impl ExperimentError {
    /// A file or folder that cannot be read.
    pub fn file(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        ExperimentError::File { path, error }
    }
}

/// A kind of experiment that a file can ask for.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Runs an experiment of the kind.
    pub run: fn(&Definition, &Context) -> Result<Outcome, ExperimentError>,
}

/// What an experiment is run with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Called after each page or other unit of work.
    pub progress: &'a (dyn Fn() + Sync),
    /// An empty directory for what is needed on the way, such as an index.
    pub scratch: &'a Path,
}

/// All kinds of this laboratory.
pub fn kinds() -> &'static [Kind] {
    &[
        extractors::KIND,
        wsdm2010::KIND,
        learned::KIND,
        own::KIND,
        web2text::KIND,
    ]
}
