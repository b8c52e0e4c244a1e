//! Why what is known of a run cannot be written or read.

use std::io;
use std::path::PathBuf;

/// Why what is known of a run cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProvenanceError {
    /// Nothing stands beside a run.
    #[error("nothing says how {run} was made: there is neither {beside} nor {apart}")]
    None {
        /// The run.
        run: PathBuf,
        /// Where its metadata would be.
        beside: PathBuf,
        /// Where they would be if a sweep had made it.
        apart: PathBuf,
    },
    /// The file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file is not what this program writes.
    #[error("{path}: no metadata of a run of trommel: {why}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// What is known cannot be written as YAML.
    #[error("the metadata cannot be written: {0}")]
    Unwritable(String),
}
