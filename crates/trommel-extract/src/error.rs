//! Why an extractor cannot be had.

use std::path::PathBuf;

/// An extractor that was asked for cannot be made. The text names the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractorError {
    /// No row of the registry.
    #[error("no extractor is called '{name}'; {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What was perhaps meant, and all names.
        known: String,
    },
    /// No row of the registry of learners.
    #[error("nothing is learnt for '{name}'; {known}")]
    UnknownLearner {
        /// What was asked for.
        name: String,
        /// What was perhaps meant, and all names.
        known: String,
    },
    /// A parameter that the extractor does not have.
    #[error("{extractor} has no parameter '{parameter}'; {known}")]
    UnknownParameter {
        /// The extractor.
        extractor: &'static str,
        /// What was given.
        parameter: String,
        /// What there is.
        known: String,
    },
    /// A value that a parameter does not take.
    #[error("{parameter}={value}: {why}")]
    Value {
        /// The parameter.
        parameter: &'static str,
        /// What was given.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// The extractor needs more than its name.
    #[error("{extractor} needs more than its name: write {usage}")]
    Incomplete {
        /// The extractor.
        extractor: &'static str,
        /// How to write it.
        usage: String,
    },
    /// A confidence is asked of an extractor that gives none.
    #[error("{0} gives no confidences")]
    NoConfidences(String),
    /// Sites are learnt, and no page says of which it is.
    #[error(
        "none of the {0} pages has a url that names its site; take an archive (WARC or TREC web), whose records have urls"
    )]
    NoSites(u64),
    /// What was learnt cannot be written down.
    #[error("the model cannot be written: {0}")]
    Model(String),
    /// A model cannot be read.
    #[error("{path}: {why}")]
    BadModel {
        /// The model's file.
        path: PathBuf,
        /// The extractor whose model it should be.
        of: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A file of outputs cannot be read.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        why: String,
    },
}
