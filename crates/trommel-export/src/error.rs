//! Why an index could not be exported.

use std::io;

use trommel_index::IndexError;

/// Why an index could not be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The index could not be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The output could not be written.
    #[error("cannot write")]
    Write(#[from] io::Error),
    /// The writer of Parquet files gave up.
    #[error("cannot write Parquet")]
    Parquet(#[from] ::parquet::errors::ParquetError),
    /// Columns do not fit together: a flaw of this crate.
    #[error("columns do not fit together")]
    Arrow(#[from] arrow_schema::ArrowError),
    /// It was told to end, by [`crate::State::stop`].
    #[error("the export was stopped")]
    Stopped,
    /// More than a format has numbers for.
    #[error("{0}, more than a CIFF file has numbers for")]
    TooMany(String),
    /// A CIFF file is one of pages.
    #[error("a CIFF file has pages for documents: single blocks cannot be exported so")]
    PagesOnly,
}
