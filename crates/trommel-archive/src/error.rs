//! Why a file cannot be read at all.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::ledger::Reason;
use crate::options::Format;

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing of this name exists.
    #[error("{}: no such file or directory", path.display())]
    Missing {
        /// What the user named.
        path: PathBuf,
    },
    /// An index where a collection is to be.
    #[error("{path}: this is an index, and no collection")]
    Index {
        /// The directory.
        path: Arc<str>,
    },
    /// The operating system could not read it.
    #[error("{path}: {source}")]
    Read {
        /// The file or directory.
        path: Arc<str>,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is recognised, but this format is not read.
    #[error("{path}: this is {what}, which is not supported")]
    Unsupported {
        /// The file.
        path: Arc<str>,
        /// What it is, with an article.
        what: &'static str,
    },
    /// The file is in none of the known formats.
    #[error(
        "{path}: none of the formats that are read (WARC, WET, ARC, WACZ, TREC web, HTML, JSONL, Parquet)"
    )]
    Unrecognised {
        /// The file.
        path: Arc<str>,
    },
    /// The file's zstd dictionary cannot be used.
    #[error("{path}: zstd dictionary at the beginning of the file: {detail}")]
    Dictionary {
        /// The file.
        path: Arc<str>,
        /// What is wrong with it.
        detail: String,
    },
    /// `FILE#DOCID` names no document of the file.
    #[error("{path}: no document {docid}{}", reason.map_or(String::new(), |reason| format!(" (skipped: {reason})")))]
    NotFound {
        /// The file.
        path: Arc<str>,
        /// The identifier.
        docid: String,
        /// Why the record of this identifier is no document, if there is one.
        reason: Option<Reason>,
    },
    /// The file is read with its directory, which stands at its end.
    #[error("{path}: {what} cannot be read from a stream")]
    Stream {
        /// What the stream is called.
        path: Arc<str>,
        /// What it is, with an article.
        what: &'static str,
    },
    /// The file was said to be of a format that is told by its first bytes.
    #[error("{path}: no file of the format {format}: it does not begin as one does")]
    OtherBeginning {
        /// The file.
        path: Arc<str>,
        /// What it was said to be.
        format: Format,
    },
    /// A Parquet file that is damaged, or cannot be decoded.
    #[error("{path}: no Parquet file that can be read: {detail}")]
    Parquet {
        /// The file.
        path: Arc<str>,
        /// What is wrong with it.
        detail: String,
    },
    /// A Parquet file without pages.
    #[error(
        "{path}: a Parquet file without a column html, text or contents of text or bytes; its columns are {columns}"
    )]
    Columns {
        /// The file.
        path: Arc<str>,
        /// The names of its columns.
        columns: String,
    },
    /// The file was said to be an HTML page.
    #[error("{path}: no HTML page: it begins as a file of the format {found} does")]
    NoPage {
        /// The file.
        path: Arc<str>,
        /// What it is.
        found: Format,
    },
    /// An option's value is none of those allowed.
    #[error("{what} {value:?} is unknown: use {allowed}")]
    Value {
        /// The option.
        what: &'static str,
        /// What was given.
        value: String,
        /// What could be.
        allowed: String,
    },
}
