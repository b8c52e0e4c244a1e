//! The written forms of options.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::Error;
use crate::options::{DocidSource, Format};

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
    ("parquet", Format::Parquet),
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

impl Format {
    /// All formats with their names in flags.
    pub fn all() -> &'static [(&'static str, Format)] {
        FORMATS
    }

    /// What it is, in a line.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Format::Auto => "told by content, file by file",
            Format::Warc => "WARC 0.18 (ClueWeb09), 1.0, 1.1: HTML responses and resources",
            Format::Arc => "ARC 1 and 2",
            Format::Wet => {
                "WARC files of conversion records (Common Crawl's WET): text without tags"
            }
            Format::Wacz => "WACZ 1.1.1, read without unpacking",
            Format::TrecWeb => "TREC web: WT10g, GOV2, BLOGS06",
            Format::Html => "one page a file",
            Format::Jsonl => {
                "a JSON object a line: docid, html or text, title, url, date, language"
            }
            Format::Parquet => "a row a page, in columns named as the keys of jsonl",
        }
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
