//! JSONL files: one JSON object a line, one page an object.
//!
//! | key | what |
//! |---|---|
//! | `docid`, `id`, `_id`, `docno`, `doc_id`, `pid` or `ClueWeb22-ID` | the identifier, a string or a whole number |
//! | `html` | the page as markup; or |
//! | `text`, `contents` or `Clean-Text` | its text, without markup |
//! | `title` | the title of a text; markup has its own |
//! | `url` or `URL`, `date` | as they are |
//!
//! Other keys are passed over; of several keys for one thing the first in the table counts that is there and not null. A
//! line that is no such object is a line of the ledger, and reading goes on with the next, or with an object that ends where the
//! line does. A line of white space is none.

use std::sync::Arc;

use memchr::{memchr, memmem};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, Visitor};

use super::feed::Feed;
use super::fields::{Fields, NoPage};
use crate::bytes::window::Window;
use crate::ledger::{Document, Item, Reason};
use crate::options::Options;

/// Bytes searched for the end of a line in one go.
const STRIDE: usize = 64 * 1024;

/// Places at which a bad line is tried again.
const MAX_TRIED: usize = 16;

/// The keys of an object that are read.
#[derive(Debug, Default, Deserialize)]
struct Line {
    docid: Option<Id>,
    id: Option<Id>,
    _id: Option<Id>,
    docno: Option<Id>,
    doc_id: Option<Id>,
    pid: Option<Id>,
    #[serde(rename = "ClueWeb22-ID")]
    clueweb22: Option<Id>,
    html: Option<String>,
    text: Option<String>,
    contents: Option<String>,
    #[serde(rename = "Clean-Text")]
    clean_text: Option<String>,
    title: Option<String>,
    url: Option<String>,
    #[serde(rename = "URL")]
    capital_url: Option<String>,
    date: Option<String>,
    language: Option<String>,
    lang: Option<String>,
    #[serde(rename = "Language")]
    capital_language: Option<String>,
}

/// An identifier; numbers are taken as they are written.
#[derive(Debug)]
struct Id(String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = Id;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string or a whole number")
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Id, E> {
                Ok(Id(value.to_owned()))
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Id, E> {
                Ok(Id(value.to_string()))
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Id, E> {
                Ok(Id(value.to_string()))
            }
        }
        deserializer
            .deserialize_any(Words)
            .map_err(D::Error::custom)
    }
}

/// Reads the lines of one file.
pub(crate) struct Lines {
    pub(crate) feed: Feed,
}

impl Lines {
    pub(crate) fn new(window: Window, file: Arc<str>, options: Options) -> Self {
        Self {
            feed: Feed::new(window, file, options),
        }
    }

    /// The next page or ledger line.
    pub(crate) fn next(&mut self) -> Option<Item> {
        loop {
            let limit = usize::try_from(self.feed.options.max_record_bytes).unwrap_or(usize::MAX);
            if !self.feed.window.fill(1) {
                let damage = self.feed.window.next_segment()?;
                return Some(
                    self.feed
                        .line(damage.offset, None, damage.reason, damage.detail),
                );
            }
            let offset = self.feed.window.location();
            let Some((end, next)) = self.line(limit) else {
                return Some(self.too_large(offset));
            };
            let cut = end == next
                && self
                    .feed
                    .window
                    .damage()
                    .is_some_and(|damage| damage.inside);
            let line = self.feed.window.available().get(..end).unwrap_or_default();
            // Some tools begin a file with a byte order mark.
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            let blank = line
                .iter()
                .all(|byte| *byte == 0 || byte.is_ascii_whitespace());
            if blank && !line.contains(&0) {
                self.feed.window.consume(next);
                continue;
            }
            let parsed = match blank {
                true => Err((Reason::Padding, None, format!("{} blank bytes", line.len()))),
                false => self.document(line, offset),
            };
            if let (Err((Reason::BadLine, docid, detail)), false) = (&parsed, cut)
                && let Some(begin) = self.second(&self.feed.window.available()[..end])
            {
                let line = self
                    .feed
                    .line(offset, docid.clone(), Reason::BadLine, detail.as_str());
                self.feed.window.consume(begin);
                return Some(line);
            }
            let ended = end == next;
            self.feed.window.consume(next);
            if cut && let Some(damage) = self.feed.window.next_segment() {
                // How much of a line comes before the damage depends on how the bytes arrive, so nothing is said of it.
                return Some(
                    self.feed
                        .line(damage.offset, None, damage.reason, damage.detail),
                );
            }
            return Some(match parsed {
                Ok(document) => Item::Document(document),
                // The last line of a file that was cut off.
                Err((Reason::BadLine, docid, detail)) if ended => {
                    let detail = format!("the file ends inside a line: {detail}");
                    self.feed.line(offset, docid, Reason::Truncated, detail)
                }
                Err((reason, docid, detail)) => self.feed.line(offset, docid, reason, detail),
            });
        }
    }

    /// Where the line at the beginning of the window ends, and where the next one begins: the same if the segment ends
    /// before the line does. None: the line is longer than the limit.
    fn line(&mut self, limit: usize) -> Option<(usize, usize)> {
        let mut from = 0;
        loop {
            let bytes = self.feed.window.available();
            if let Some(end) = memchr(b'\n', &bytes[from..]).map(|end| from + end) {
                return Some((end, end + 1)).filter(|_| end <= limit);
            }
            from = bytes.len();
            if from > limit {
                return None;
            }
            if !self.feed.window.grow() {
                return Some((from, from));
            }
        }
    }

    /// Where in a bad line a whole object begins that goes on to its end: the line end before it was lost. Inside strings
    /// quotation marks are escaped, so there are few places to be tried.
    fn second(&self, line: &[u8]) -> Option<usize> {
        let places = memmem::find_iter(line, b"{\"").filter(|at| *at > 0);
        let mut tried = places.take(MAX_TRIED);
        tried.find(|at| self.document(&line[*at..], 0).is_ok())
    }

    /// Skips a line that is too long to be held.
    fn too_large(&mut self, offset: u64) -> Item {
        loop {
            self.feed.window.fill(STRIDE);
            let bytes = self.feed.window.available();
            let length = bytes.len();
            match memchr(b'\n', bytes) {
                Some(end) => {
                    self.feed.window.consume(end + 1);
                    break;
                }
                None => self.feed.window.consume(length),
            }
            if length == 0 {
                break;
            }
        }
        let detail = format!(
            "a line of more than {} bytes",
            self.feed.options.max_record_bytes
        );
        self.feed.line(offset, None, Reason::TooLarge, detail)
    }

    /// The page in a line.
    fn document(&self, line: &[u8], offset: u64) -> Result<Document, NoPage> {
        let line: Line = serde_json::from_slice(line)
            .map_err(|error| (Reason::BadLine, None, error.to_string()))?;
        let usual = line.docid.or(line.id).or(line._id).or(line.docno);
        let own = usual.or(line.doc_id).or(line.pid).or(line.clueweb22);
        let text = line.text.or(line.contents).or(line.clean_text);
        let fields = Fields {
            docid: own.map(|id| id.0),
            html: line.html.map(String::into_bytes),
            // JSON is UTF-8, whatever the markup in it says.
            charset: Some("utf-8"),
            text: text.map(String::into_bytes),
            title: line.title,
            url: line.url.or(line.capital_url),
            date: line.date,
            language: line.language.or(line.capital_language).or(line.lang),
        };
        fields.document(&self.feed.file, offset, &self.feed.options)
    }
}

/// Whether the beginning of a file, which `complete` says is all of it, looks like JSONL: its first line is an object with
/// one of the keys for a page, as far as the bytes at hand tell.
pub(crate) fn begins_file(bytes: &[u8], complete: bool) -> bool {
    let text = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    if !text.starts_with(b"{") {
        return false;
    }
    let end = memchr(b'\n', text).or(complete.then_some(text.len()));
    if let Some(end) = end {
        let line = serde_json::from_slice::<Line>(&text[..end]).unwrap_or_default();
        let text = line.text.or(line.contents).or(line.clean_text);
        return line.html.or(text).is_some();
    }
    // The first line is longer than what is looked at: these keys stand in front of what makes it long.
    ["\"html\"", "\"text\"", "\"contents\"", "\"Clean-Text\""]
        .iter()
        .any(|key| memmem::find(text, key.as_bytes()).is_some())
}
