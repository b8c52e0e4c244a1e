//! One file that is read forward only, in any format but WACZ and Parquet, as an iterator of [`Item`]s.

use std::io::{self, Read};
use std::sync::Arc;

use super::feed::Scan;
use super::sniff::{SNIFF, Sniffed, begins_collection, sniff};
use super::{html_file, jsonl, trecweb, warc};
use crate::bytes::source::{Refusal, Source};
use crate::bytes::window::Window;
use crate::error::Error;
use crate::ledger::{Item, Reason, Skipped};
use crate::options::{Format, Options};

/// Yields what one file holds.
pub(crate) enum Stream {
    /// WARC, WET and ARC.
    Records(warc::Records),
    Jsonl(jsonl::Lines),
    TrecWeb(trecweb::Documents),
    Html {
        window: Window,
        items: std::vec::IntoIter<Item>,
    },
    /// A file that is not read.
    Other(Option<Item>),
}

impl Stream {
    /// `path` is what an HTML page's identifier is made from. `named`: the user named this very file, so the format asked
    /// for holds; in a directory, which may hold files of several kinds, content comes first.
    pub(crate) fn new(
        file: Arc<str>,
        path: &str,
        stored: Box<dyn Read + Send>,
        options: &Options,
        named: bool,
    ) -> Result<Self, Error> {
        let at = || Arc::clone(&file);
        let source = Source::new(stored).map_err(|refusal| match refusal {
            Refusal::Unsupported(what) => Error::Unsupported { path: at(), what },
            Refusal::NoStream(what) => Error::Stream { path: at(), what },
            Refusal::Dictionary(detail) => Error::Dictionary { path: at(), detail },
            Refusal::Read(message) => Error::Read {
                path: at(),
                source: io::Error::other(message),
            },
        })?;
        Self::of_source(file, path, source, options, named)
    }

    pub(crate) fn of_source(
        file: Arc<str>,
        path: &str,
        source: Source,
        options: &Options,
        named: bool,
    ) -> Result<Self, Error> {
        let at = || Arc::clone(&file);
        let mut window = Window::new(source);
        window.fill(SNIFF);
        let empty = window.available().is_empty() && window.damage().is_none();
        let head = &window.available()[..window.available().len().min(SNIFF)];
        let asked = options.format;
        let whole = window.ended() && head.len() == window.available().len();
        let format = match (asked, sniff(head, whole, &file)) {
            // The same files: what was asked for says which of their records are pages.
            (Format::Warc | Format::Wet, Sniffed::Known(Format::Warc | Format::Wet)) => asked,
            // As one page a whole archive would be indexed, its headers and all.
            (Format::Html, _) => match begins_collection(head, whole) {
                Some(found) => return Err(Error::NoPage { path: at(), found }),
                None => asked,
            },
            (_, Sniffed::Known(format)) if !named || asked == Format::Auto => format,
            // A first member that is corrupt tells nothing; only WARC files go on after it.
            (Format::Auto, Sniffed::Unknown) if window.available().is_empty() && !empty => {
                Format::Warc
            }
            (Format::Auto, Sniffed::Unknown) if !empty => {
                return Err(Error::Unrecognised { path: at() });
            }
            (format, _) => format,
        };
        if empty && format != Format::Html {
            let detail = "the file is empty".to_owned();
            return Ok(Self::other(file, Reason::Truncated, detail));
        }
        let options = &Options {
            format,
            ..options.clone()
        };
        Ok(match format {
            Format::Warc
            | Format::Wet
            | Format::Arc
            | Format::Auto
            | Format::Wacz
            | Format::Parquet => Self::Records(warc::Records::new(window, at(), options.clone())),
            Format::Jsonl => Self::Jsonl(jsonl::Lines::new(window, at(), options.clone())),
            Format::TrecWeb => {
                Self::TrecWeb(trecweb::Documents::new(window, at(), options.clone()))
            }
            Format::Html => {
                let items =
                    html_file::read(&mut window, &file, html_file::docid_of_path(path), options);
                Self::Html {
                    window,
                    items: items.into_iter(),
                }
            }
        })
    }

    /// A file that only goes to the ledger.
    pub(crate) fn other(file: Arc<str>, reason: Reason, detail: String) -> Self {
        Self::Other(Some(Item::Skipped(Skipped {
            file,
            offset: 0,
            docid: None,
            reason,
            records: 1,
            detail,
        })))
    }

    /// How much of the stored file has been used, in bytes.
    pub(crate) fn bytes_read(&self) -> u64 {
        match self {
            Stream::Records(records) => records.feed.window.source().position(),
            Stream::Jsonl(lines) => lines.feed.window.source().position(),
            Stream::TrecWeb(documents) => documents.feed.window.source().position(),
            Stream::Html { window, .. } => window.source().position(),
            Stream::Other(_) => 0,
        }
    }
}

impl Iterator for Stream {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        match self {
            Stream::Records(records) => records.next(),
            Stream::Jsonl(lines) => lines.next(),
            Stream::TrecWeb(documents) => documents.next(),
            Stream::Html { items, .. } => items.next(),
            Stream::Other(item) => item.take(),
        }
    }
}
