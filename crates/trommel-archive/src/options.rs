//! How files are to be read.

use std::ops::RangeInclusive;

/// How files are to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

impl Options {
    /// The same with another [`Options::format`].
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// The same with another [`Options::docid`].
    #[must_use]
    pub fn with_docid(mut self, docid: DocidSource) -> Self {
        self.docid = docid;
        self
    }

    /// The same with another [`Options::status`].
    #[must_use]
    pub fn with_status(mut self, status: RangeInclusive<u16>) -> Self {
        self.status = status;
        self
    }

    /// The same with another [`Options::max_record_bytes`].
    #[must_use]
    pub fn with_max_record_bytes(mut self, max_record_bytes: u64) -> Self {
        self.max_record_bytes = max_record_bytes;
        self
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
    /// Parquet, one page a row, in columns of the same names.
    Parquet,
}

/// Where a document's identifier comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocidSource {
    /// `WARC-TREC-ID`, else `WARC-Record-ID`; `DATE/URL` of an ARC record; `DOCNO`; `docid` or `id` of JSONL and Parquet; the path of an
    /// HTML file without `.html` or `.htm`. Of a WARC record without identifiers `DATE/URL`, and if it lacks these, too,
    /// `FILE#OFFSET`.
    #[default]
    Auto,
    /// `WARC-TREC-ID`, `DOCNO`, or `docid` of JSONL and Parquet.
    Trec,
    /// `WARC-Record-ID` without `<urn:uuid:` and `>`, `DATE/URL` of an ARC record, `DOCNO`, or `docid` of JSONL and Parquet.
    Record,
    /// The page's address.
    Url,
    /// The path of an HTML file without `.html` or `.htm`; of a record `FILE#OFFSET`, of a row of Parquet `FILE#ROW`.
    Path,
}

impl DocidSource {
    /// What to say of a page that has no such identifier.
    pub(crate) fn missing(self) -> String {
        format!("no identifier of kind {self}: another source, such as path, may find one")
    }
}
