//! What a reader hands out: documents, and a line for everything that is not one.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One page of a collection, as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Identifier of the page, from where [`super::DocidSource`] says. Never empty.
    pub docid: String,
    /// Address of the page as recorded; empty where the collection has none.
    pub url: String,
    /// Date as it stands in the record, unchecked (ClueWeb09 has days like `2009-03-65`); may be empty.
    pub date: String,
    /// Character set declared by HTTP, in lower case.
    pub charset: Option<String>,
    /// Language declared by the record, as it stands there: one tag or several with commas between them.
    pub language: Option<String>,
    /// Media type declared by the record, in lower case and without parameters.
    pub media_type: Option<String>,
    /// What the bytes are.
    pub content: Content,
    /// The page: HTTP payload, without transfer and content encodings.
    pub bytes: Vec<u8>,
    /// The page is known to be cut short: `WARC-Truncated`, or the file or an encoding ends inside it.
    pub truncated: bool,
    /// The identifier of its record, `<urn:uuid:…>`, in a WARC file that has one.
    pub record_id: Option<String>,
    /// The file that it comes from, as the user named it.
    pub file: Arc<str>,
    /// Where its record begins: see [`super`] for what this counts.
    pub offset: u64,
}

/// What the bytes of a [`Document`] are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Content {
    /// Markup, to be parsed as HTML.
    #[default]
    Html,
    /// Text without markup, a block a line: WET files, and JSONL with text.
    Text {
        /// The title that the collection gives; may be empty.
        title: String,
    },
}

/// One line of the ledger: a record or a stretch of bytes that gave no document, or gave one only after repair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The file, as the user named it.
    pub file: Arc<str>,
    /// Where it begins, counted as [`Document::offset`]; damage of a compressed member: its stored offset.
    pub offset: u64,
    /// Identifier of the record, where it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub docid: Option<String>,
    /// Kind of the event; the key of the totals.
    pub reason: Reason,
    /// The records that it stands for: more than one where the rows of a table are lost together.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub records: u64,
    /// What happened, in words. Never needed to tell events apart.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

fn one() -> u64 {
    1
}

fn is_one(records: &u64) -> bool {
    *records == 1
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at offset {}: {}",
            self.file, self.offset, self.reason
        )?;
        if let Some(docid) = &self.docid {
            write!(f, " ({docid})")?;
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// What a [`super::Reader`] yields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A page.
    Document(Document),
    /// A line for the ledger.
    Skipped(Skipped),
}

/// Why something is in the ledger. Written in kebab case, `Status` as `status-404`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Reason {
    /// A `warcinfo` record.
    Warcinfo,
    /// A `request` record.
    Request,
    /// A `metadata` record.
    Metadata,
    /// A `revisit` record: the payload is in another record.
    Revisit,
    /// A DNS answer.
    Dns,
    /// A `conversion` record (text without tags) in a file that is not read as WET.
    Conversion,
    /// A record of a type that WARC 1.1 does not know.
    OtherType,
    /// The payload is declared to be, or looks like, something else than HTML.
    NotHtml,
    /// The HTTP status is not one of those asked for.
    Status(u16),
    /// A file inside a directory that holds no pages, or pages that are not indexed by default.
    OtherFile,
    /// Zero bytes or white space between records.
    Padding,
    /// Content-Length was missing or wrong and has been put right: the page is whole.
    LengthMismatch,
    /// A compressed member does not decompress; what it held is lost.
    CorruptMember,
    /// The file ends inside this record. A page is still given if its payload had begun.
    Truncated,
    /// The header of a record (or of a TREC document) cannot be understood.
    HeaderDamaged,
    /// Larger than [`super::Options::max_record_bytes`].
    TooLarge,
    /// The record has no identifier of the kind asked for.
    NoDocid,
    /// The page was declared chunked and its chunks are damaged; the page is given as far as it could be read.
    BadTransferEncoding,
    /// The payload's compression is damaged; the page is given as far as it could be read, if that is text.
    BadContentEncoding,
    /// The payload has another compression than its header says; what it has was undone, and the page is whole.
    EncodingMismatch,
    /// A line of a JSONL file is no JSON object with `html`, `text` or `contents`; a row of a Parquet file has none of these.
    BadLine,
    /// Bytes that belong to no record.
    Gap,
    /// One segment of a record that was split over several: these are not joined.
    Segmented,
    /// The operating system could not read on.
    ReadError,
    /// A file inside a directory in a format that cannot be read yet.
    UnsupportedFile,
    /// No document of the identifier asked for by `FILE#DOCID`.
    NotFound,
    /// A document with this identifier came before; recorded by the index.
    DuplicateDocid,
    /// The page ran into a limit of the HTML parser: it is indexed as far as the limit allows; recorded by the index.
    ParseLimit,
    /// The HTML parser failed on the page; recorded by the index.
    ParserFailed,
    /// An extractor failed on the page, whose blocks count as boilerplate for it; recorded by the index.
    ExtractorFailed,
    /// A value of the page cannot stand in the format that it is to be written in; recorded by whoever writes.
    Unwritable,
    /// The file could not be opened, or is in no format that is read.
    UnreadableFile,
}

/// Every reason with its written form, `Status` excepted.
const NAMES: &[(Reason, &str)] = &[
    (Reason::Warcinfo, "warcinfo"),
    (Reason::Request, "request"),
    (Reason::Metadata, "metadata"),
    (Reason::Revisit, "revisit"),
    (Reason::Dns, "dns"),
    (Reason::Conversion, "conversion"),
    (Reason::OtherType, "other-type"),
    (Reason::NotHtml, "not-html"),
    (Reason::OtherFile, "other-file"),
    (Reason::Padding, "padding"),
    (Reason::LengthMismatch, "length-mismatch"),
    (Reason::CorruptMember, "corrupt-member"),
    (Reason::Truncated, "truncated"),
    (Reason::HeaderDamaged, "header-damaged"),
    (Reason::TooLarge, "too-large"),
    (Reason::NoDocid, "no-docid"),
    (Reason::BadTransferEncoding, "bad-transfer-encoding"),
    (Reason::BadContentEncoding, "bad-content-encoding"),
    (Reason::EncodingMismatch, "encoding-mismatch"),
    (Reason::BadLine, "bad-line"),
    (Reason::Gap, "gap"),
    (Reason::Segmented, "segmented"),
    (Reason::ReadError, "read-error"),
    (Reason::UnsupportedFile, "unsupported-file"),
    (Reason::NotFound, "not-found"),
    (Reason::DuplicateDocid, "duplicate-docid"),
    (Reason::ParseLimit, "parse-limit"),
    (Reason::ParserFailed, "parser-failed"),
    (Reason::ExtractorFailed, "extractor-failed"),
    (Reason::Unwritable, "unwritable"),
    (Reason::UnreadableFile, "unreadable-file"),
];

impl Reason {
    /// Whether something that should be in the index is missing or incomplete. Records of types that are no pages,
    /// padding, and lengths and encodings that could be put right are no failures.
    #[must_use]
    pub fn is_failure(self) -> bool {
        !matches!(
            self,
            Self::Warcinfo
                | Self::Request
                | Self::Metadata
                | Self::Revisit
                | Self::Dns
                | Self::Conversion
                | Self::OtherType
                | Self::NotHtml
                | Self::Status(_)
                | Self::OtherFile
                | Self::Padding
                | Self::LengthMismatch
                | Self::EncodingMismatch
                | Self::ParseLimit
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Status(code) = self {
            return write!(f, "status-{code}");
        }
        let name = NAMES
            .iter()
            .find(|(reason, _)| reason == self)
            .map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for Reason {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let status = name
            .strip_prefix("status-")
            .and_then(|code| code.parse().ok())
            .map(Self::Status);
        let named = || {
            NAMES
                .iter()
                .find(|(_, known)| *known == name)
                .map(|(reason, _)| *reason)
        };
        status
            .or_else(named)
            .ok_or_else(|| format!("unknown reason {name:?} in a ledger"))
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.to_string()
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_reason_survives_its_written_form() {
        for (reason, name) in NAMES.iter().chain(&[(Reason::Status(404), "status-404")]) {
            assert_eq!(
                serde_json::to_string(reason).unwrap(),
                format!("\"{name}\"")
            );
            assert_eq!(name.parse::<Reason>().unwrap(), *reason);
        }
        assert!("status-x".parse::<Reason>().is_err());
    }
}
