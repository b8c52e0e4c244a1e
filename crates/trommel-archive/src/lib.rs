//! Files → [`Document`]s, with a ledger of everything that gave none. HTML is not looked into.
//!
//! [`inputs`] finds the files, [`open`] makes a [`Reader`] of one, and that yields [`Item`]s in the order of the file:
//! pages, and a [`Skipped`] for each record that is no page and each damage. Reading never fails once it has begun, and
//! nothing is left out silently.
//!
//! **Formats**: WARC 0.18, 1.0 and 1.1, WET (the same files with conversion records), ARC 1 and 2, TREC web, JSONL, and
//! HTML files; each plain, gzip or zstd (with or without the dictionary of "Zstandard Compression for WARC Files"); and
//! WACZ. They are recognised by content. A WARC file is taken for WET if its first record that is neither `warcinfo` nor
//! `metadata` is a `conversion`: where pages and their texts are in one file, the pages come first, and are what counts.
//!
//! **Damage** costs as little as can be. A corrupt compressed member costs that member: reading goes on at the next one
//! that begins with a record. Inside decompressed bytes it goes on at the next line that begins a record. What is
//! decompressed before a corruption is kept if it makes whole records; a page that the *end* of the file cuts short is
//! given as [`Document::truncated`], with a line in the ledger as well.
//!
//! **Offsets**: a record that begins a compressed member has that member's offset in the stored file; any other has its
//! offset in the decompressed stream, which in a plain file is the same as in the stored one.
//!
//! **Memory**: a record is held once as it is in the file and once per encoding that is undone, each up to
//! [`Options::max_record_bytes`]; a larger one is skipped without being held. Buffers add a few MB, and a zstd window up
//! to 128 MiB where a file asks for one.
//!
//! The same items come however the bytes arrive, and a reader can be sent to another thread.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

mod arc;
#[cfg(feature = "warc")]
mod as_warc;
mod digest;
mod frame;
mod header;
mod html_file;
mod http;
mod input;
mod jsonl;
mod ledger;
mod member;
mod payload;
mod reader;
mod record;
mod sniff;
mod source;
mod stored;
mod trecdoc;
mod trecweb;
mod wacz;
mod warc;
mod whole;
mod window;
mod write;
mod zip;

use digest::{Digest, Digested};

pub use digest::{sha256_of, sha256_of_file, sha256_of_prefix};
pub use input::{Input, Listing, inputs, list, path_of};
pub use ledger::{Content, Document, Item, Reason, Skipped};
pub use reader::{Reader, find, open};
pub use whole::{WholeFile, write_whole};
pub use write::{WarcPage, begins_with_warcinfo, write_conversion, write_warc, write_warcinfo};

/// How files are to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Format of the files; default [`Format::Auto`].
    pub format: Format,
    /// Where identifiers come from; default [`DocidSource::Auto`].
    pub docid: DocidSource,
    /// HTTP status codes of pages; default 200 to 299. Records without a status pass.
    pub status: RangeInclusive<u16>,
    /// Largest record, and largest decoded payload, in bytes; default 64 MiB.
    pub max_record_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: Format::Auto,
            docid: DocidSource::Auto,
            status: 200..=299,
            max_record_bytes: 64 * 1024 * 1024,
        }
    }
}

/// Format of a collection's files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// Told by content, file by file.
    #[default]
    Auto,
    /// WARC 0.18, 1.0, 1.1.
    Warc,
    /// ARC 1 and 2.
    Arc,
    /// WARC files whose `conversion` records are the pages: text without markup.
    Wet,
    /// ZIP files with WARC files in `archive/`.
    Wacz,
    /// TREC web: WT10g, GOV2, BLOGS06.
    TrecWeb,
    /// One HTML page a file, whatever its name.
    Html,
    /// One JSON object a line, one page an object: `docid` (or `id`, `docno` …), `url`, `title`, `date`, and `html`, or
    /// `text` (or `contents`) without markup.
    Jsonl,
}

/// Where a document's identifier comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocidSource {
    /// `WARC-TREC-ID`, else `WARC-Record-ID`; `DATE/URL` of an ARC record; `DOCNO`; `docid` or `id` of JSONL; the path of an
    /// HTML file without `.html` or `.htm`. Of a WARC record without identifiers `DATE/URL`, and if it lacks these, too,
    /// `FILE#OFFSET`.
    #[default]
    Auto,
    /// `WARC-TREC-ID`, `DOCNO`, or `docid` of JSONL.
    Trec,
    /// `WARC-Record-ID` without `<urn:uuid:` and `>`, `DATE/URL` of an ARC record, `DOCNO`, or `docid` of JSONL.
    Record,
    /// The page's address.
    Url,
    /// The path of an HTML file without `.html` or `.htm`; of a record `FILE#OFFSET`.
    Path,
}

/// Written forms of [`Format`].
const FORMATS: &[(&str, Format)] = &[
    ("auto", Format::Auto),
    ("warc", Format::Warc),
    ("arc", Format::Arc),
    ("wet", Format::Wet),
    ("wacz", Format::Wacz),
    ("trecweb", Format::TrecWeb),
    ("html", Format::Html),
    ("jsonl", Format::Jsonl),
];
/// Written forms of [`DocidSource`].
const DOCIDS: &[(&str, DocidSource)] = &[
    ("auto", DocidSource::Auto),
    ("trec", DocidSource::Trec),
    ("record", DocidSource::Record),
    ("url", DocidSource::Url),
    ("path", DocidSource::Path),
];

fn by_name<T: Copy>(what: &'static str, table: &[(&str, T)], name: &str) -> Result<T, Error> {
    let found = table
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value);
    found.ok_or_else(|| Error::Value {
        what,
        value: name.to_owned(),
        allowed: table
            .iter()
            .map(|(known, _)| *known)
            .collect::<Vec<_>>()
            .join(", "),
    })
}

impl DocidSource {
    /// What to say of a page that has no such identifier.
    fn missing(self) -> String {
        format!("no identifier of kind {self}: another --docid, such as path, may find one")
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        by_name("format", FORMATS, name)
    }
}

impl FromStr for DocidSource {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        by_name("docid", DOCIDS, name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            FORMATS
                .iter()
                .find(|(_, value)| value == self)
                .map_or("", |(name, _)| name),
        )
    }
}

impl fmt::Display for DocidSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            DOCIDS
                .iter()
                .find(|(_, value)| value == self)
                .map_or("", |(name, _)| name),
        )
    }
}

/// Reads a range of HTTP status codes: `200-299`, or one code.
///
/// # Errors
/// [`Error::Value`] for anything else, an empty range included.
pub fn parse_status(value: &str) -> Result<RangeInclusive<u16>, Error> {
    let (first, last) = value.split_once('-').unwrap_or((value, value));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err(Error::Value {
            what: "status",
            value: value.to_owned(),
            allowed: "a code or a range such as 200-299".to_owned(),
        }),
    }
}

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
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
        "{path}: none of the formats that are read (WARC, WET, ARC, WACZ, TREC web, HTML, JSONL)"
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
    /// A WACZ file is read with its directory, which stands at its end.
    #[error("{path}: a ZIP or WACZ file cannot be read from a stream")]
    Stream {
        /// What the stream is called.
        path: Arc<str>,
    },
    /// The file was said to be a WACZ file.
    #[error("{path}: no WACZ file: it does not begin as a ZIP file does")]
    NoWacz {
        /// The file.
        path: Arc<str>,
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

impl Error {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unsupported { .. } => {
                Some("unpack it, or convert it to WARC (plain, gzip or zstd)")
            }
            Self::Unrecognised { .. } => Some(
                "give it a name that tells, such as PAGE.html; index also takes --format, such as --format html",
            ),
            Self::NotFound { .. } => {
                Some("identifiers depend on --docid: use the same as for the index")
            }
            Self::Stream { .. } => Some("save it to a file first"),
            Self::Index { .. } => {
                Some("name the files that it was made of; its manifest.json lists them")
            }
            Self::NoPage { .. } => Some("leave --format out, and the file says itself what it is"),
            Self::Missing { .. }
            | Self::NoWacz { .. }
            | Self::Read { .. }
            | Self::Dictionary { .. }
            | Self::Value { .. } => None,
        }
    }
}

/// Opens a file or the standard input; what is read is hashed.
fn stored_bytes(input: &Input) -> io::Result<(Box<dyn Read + Send>, Digest)> {
    let stored: Box<dyn Read + Send> = match &input.path {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    };
    let (stored, digest) = Digested::new(stored);
    Ok((Box::new(stored), digest))
}
