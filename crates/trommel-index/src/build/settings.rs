//! The options that bear on what is in an index, as words in its manifest: a later reader of the sources takes the same.

use std::collections::BTreeMap;

use trommel_archive as collection;
use trommel_archive::{Content, Document};
use trommel_extract::PageFacts;
use trommel_page::Page;
use trommel_page::html::{self, Charset, Limits, Source};

/// What the record of a page says of it, for filters over pages that are in no index.
pub fn facts_of(document: &Document) -> PageFacts<'_> {
    PageFacts {
        url: &document.url,
        date: &document.date,
        media_type: document.media_type.as_deref().unwrap_or_default(),
        language: document.language.as_deref(),
    }
}

/// How files become pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reading {
    /// How files are read.
    pub collection: collection::Options,
    /// How bytes become text.
    pub charset: Charset,
    /// Bounds on a single page.
    pub limits: Limits,
}

impl Reading {
    /// Sets [`Reading::collection`].
    #[must_use]
    pub fn with_collection(mut self, collection: collection::Options) -> Self {
        self.collection = collection;
        self
    }

    /// Sets [`Reading::charset`].
    #[must_use]
    pub fn with_charset(mut self, charset: Charset) -> Self {
        self.charset = charset;
        self
    }

    /// Sets [`Reading::limits`].
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Reading {
    /// Parses a document.
    #[must_use]
    pub fn page(&self, document: &Document) -> Page {
        let (bytes, declared) = (&document.bytes, document.charset.as_deref());
        match &document.content {
            Content::Html => html::parse(bytes, self.charset, declared, &self.limits),
            Content::Text { title } => {
                html::parse_plain(bytes, title, self.charset, declared, &self.limits)
            }
        }
    }

    /// Parses a document, and keeps its source: [`html::parse_with_source`]. A document of text has none.
    #[must_use]
    pub fn page_with_source(&self, document: &Document) -> (Page, Source) {
        let (bytes, declared) = (&document.bytes, document.charset.as_deref());
        match &document.content {
            Content::Html => html::parse_with_source(bytes, self.charset, declared, &self.limits),
            Content::Text { .. } => (self.page(document), Source::default()),
        }
    }

    /// The manifest's words.
    pub(crate) fn describe(&self) -> BTreeMap<String, String> {
        let charset = match self.charset {
            Charset::Auto => "auto",
            Charset::Fixed(encoding) => encoding.name(),
        };
        let (collection, limits) = (&self.collection, &self.limits);
        let status = &collection.status;
        [
            ("format", collection.format.to_string()),
            ("docid", collection.docid.to_string()),
            ("status", format!("{}-{}", status.start(), status.end())),
            ("max-record-bytes", collection.max_record_bytes.to_string()),
            ("charset", charset.to_owned()),
            ("max-page-bytes", limits.bytes.to_string()),
            ("max-depth", limits.depth.to_string()),
            ("max-attributes", limits.attributes.to_string()),
            ("max-nodes", limits.nodes.to_string()),
            ("max-work", limits.work.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// Reads what [`Reading::describe`] wrote; the name of a word that is missing or unknown otherwise.
    pub(crate) fn parse(words: &BTreeMap<String, String>) -> Result<Reading, &'static str> {
        fn word<T: std::str::FromStr>(
            words: &BTreeMap<String, String>,
            name: &'static str,
        ) -> Result<T, &'static str> {
            let value = words.get(name).and_then(|value| value.parse().ok());
            value.ok_or(name)
        }
        let status = words.get("status").map_or("", String::as_str);
        Ok(Reading {
            collection: collection::Options::default()
                .with_format(word(words, "format")?)
                .with_docid(word(words, "docid")?)
                .with_status(collection::parse_status(status).map_err(|_| "status")?)
                .with_max_record_bytes(word(words, "max-record-bytes")?),
            charset: word(words, "charset")?,
            limits: Limits::default()
                .with_bytes(word(words, "max-page-bytes")?)
                .with_depth(word(words, "max-depth")?)
                .with_attributes(word(words, "max-attributes")?)
                .with_nodes(word(words, "max-nodes")?)
                .with_work(word(words, "max-work")?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        let other = Reading {
            collection: collection::Options::default()
                .with_format("warc".parse().unwrap())
                .with_docid("url".parse().unwrap())
                .with_status(200..=404)
                .with_max_record_bytes(5),
            charset: "shift_jis".parse().unwrap(),
            limits: Limits::default()
                .with_bytes(1)
                .with_depth(2)
                .with_attributes(3)
                .with_nodes(4)
                .with_work(5),
        };
        for reading in [Reading::default(), other] {
            assert_eq!(Reading::parse(&reading.describe()), Ok(reading));
        }
        assert_eq!(Reading::parse(&BTreeMap::new()), Err("format"));
    }
}
