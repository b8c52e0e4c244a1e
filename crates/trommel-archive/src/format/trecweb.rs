//! TREC web files: WT2G, WT10g, .GOV, GOV2, BLOGS06.
//!
//! ```text
//! <DOC>
//! <DOCNO>GX000-00-0000000</DOCNO>
//! <DOCHDR>
//! http://example.gov/            (WT10g and BLOGS06 add IP address, date, media type, length)
//! HTTP/1.1 200 OK                (and further HTTP header lines, blank ones among them in GOV2; may be missing)
//! </DOCHDR>
//! page
//! </DOC>
//! ```
//!
//! Between `DOCNO` and `DOCHDR` may stand other elements; those of BLOGS06 give address and date. Every document is
//! taken for a page whatever media type it declares: GOV2 declares PDF for documents whose text is all that is there.

use std::sync::Arc;

use memchr::{memchr, memmem};

use super::feed::{Feed, Scan};
use crate::bytes::payload::{Failure, payload};
use crate::bytes::window::Window;
use crate::head::header::is_blank;
use crate::head::http::content_type;
use crate::head::trecdoc::{MAX_HEADER, Parsed, parse};
use crate::ledger::{Content, Document, Reason};
use crate::options::{DocidSource, Options};

/// The first line of a document.
const BEGIN: &[u8] = b"<DOC>";
/// Bytes looked at behind `<DOC>` for the `<DOCNO>` that proves it to be a document's beginning.
const LOOK: usize = 256;
/// Bytes searched in one go.
const STRIDE: usize = 64 * 1024;

/// Reads the documents of one file.
pub(crate) struct Documents {
    pub(crate) feed: Feed,
}

/// A line that bounds documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `<DOC>`, at this index.
    Begin(usize),
    /// `</DOC>`: from the one index, and its line ends before the other.
    End(usize, usize),
}

impl Scan for Documents {
    fn feed(&mut self) -> &mut Feed {
        &mut self.feed
    }

    fn is_blank(byte: &u8) -> bool {
        byte.is_ascii_whitespace()
    }

    fn read(&mut self) {
        self.feed.window.fill(LOOK);
        if self.feed.window.available().starts_with(BEGIN) {
            self.document();
        } else {
            self.gap();
        }
    }
}

impl Documents {
    pub(crate) fn new(window: Window, file: Arc<str>, options: Options) -> Self {
        Self {
            feed: Feed::new(window, file, options),
        }
    }

    /// Skips bytes between documents.
    fn gap(&mut self) {
        let (location, begin) = (self.feed.window.location(), self.feed.window.position());
        let mut blank = true;
        let mut from = 0;
        loop {
            self.feed.window.fill(from + STRIDE + LOOK);
            let found = self.marks(from).find_map(|mark| match mark {
                Mark::Begin(index) => Some(index),
                Mark::End(..) => None,
            });
            let (skip, last) = self.step_over(found);
            blank = blank && is_blank(&self.feed.window.available()[..skip]);
            self.feed.window.consume(skip);
            if last {
                break;
            }
            from = LOOK;
        }
        let length = self.feed.window.position() - begin;
        if blank {
            self.feed.skipped(
                location,
                None,
                Reason::Padding,
                format!("{length} blank bytes"),
            );
        } else {
            self.feed.skipped(
                location,
                None,
                Reason::Gap,
                format!("{length} bytes between documents skipped"),
            );
        }
    }

    /// How far to skip, and whether that ends the search: to what was found, or as far as is certain. Of what has been
    /// searched the last [`LOOK`] bytes stay, since whether a mark begins a line is judged by the bytes before it.
    fn step_over(&self, found: Option<usize>) -> (usize, bool) {
        let length = self.feed.window.available().len();
        match found {
            Some(index) => (index, true),
            None if self.feed.window.ended() => (length, true),
            None => (length.saturating_sub(2 * LOOK), false),
        }
    }

    /// The marks from an index on that the bytes at hand decide.
    fn marks(&self, from: usize) -> impl Iterator<Item = Mark> + '_ {
        let bytes = self.feed.window.available();
        let ended = self.feed.window.ended();
        let sure = if ended {
            bytes.len()
        } else {
            bytes.len().saturating_sub(LOOK)
        };
        let hits = memmem::find_iter(bytes.get(from..).unwrap_or_default(), b"DOC>")
            .map(move |hit| hit + from);
        hits.take_while(move |&hit| hit < sure)
            .filter_map(move |hit| mark(bytes, hit))
    }

    /// Reads the document at the beginning of the window.
    fn document(&mut self) {
        let limit = usize::try_from(self.feed.options.max_record_bytes)
            .unwrap_or(usize::MAX)
            .saturating_add(MAX_HEADER);
        let location = self.feed.window.location();
        let mut from = BEGIN.len();
        let mark = loop {
            if let Some(mark) = self.marks(from).next() {
                break Some(mark);
            }
            let length = self.feed.window.available().len();
            from = from.max(length.saturating_sub(LOOK));
            if from > limit {
                return self.too_large(location);
            }
            if !self.feed.window.grow() {
                break self.marks(from).next();
            }
        };
        let (end, next, damage) =
            match mark {
                Some(Mark::End(end, next)) => (end, next, None),
                Some(Mark::Begin(next)) => (
                    next,
                    next,
                    Some((Reason::HeaderDamaged, "no </DOC>".to_owned())),
                ),
                None => {
                    let end = self.feed.window.available().len();
                    let known = self
                        .feed
                        .window
                        .damage()
                        .filter(|damage| damage.inside)
                        .cloned();
                    let known = known.map(|damage| (damage.reason, damage.detail));
                    (
                        end,
                        end,
                        Some(known.unwrap_or((
                            Reason::Truncated,
                            "the file ends before </DOC>".to_owned(),
                        ))),
                    )
                }
            };
        if end as u64
            > self
                .feed
                .options
                .max_record_bytes
                .saturating_add(MAX_HEADER as u64)
        {
            return self.too_large(location);
        }
        let parsed = parse(self.feed.window.available().get(..end).unwrap_or_default());
        let docid = self.docid(&parsed, location);
        let cut = mark.is_none();
        // What was decompressed last before corruption may be wrong, so it is no page.
        let corrupt = matches!(damage, Some((Reason::CorruptMember, _)));
        let outcome = if corrupt {
            None
        } else {
            Some(self.page(&parsed, cut, location))
        };
        let flaws = [
            (parsed.unclosed_header, "no </DOCHDR>"),
            (
                parsed.damaged_header,
                "the header holds bytes that are no text",
            ),
            (
                holds_header(parsed.body),
                "the header of another document stands in it",
            ),
        ]
        .map(|(flaw, why)| flaw.then_some(why));
        self.feed.window.consume(next);
        if cut
            && self
                .feed
                .window
                .damage()
                .is_some_and(|damage| damage.inside)
        {
            self.feed.window.next_segment();
        }
        match outcome {
            Some(Ok((document, fault))) => {
                self.feed.document(document);
                if let Some((reason, detail)) = fault.filter(|_| !cut) {
                    self.feed.skipped(location, docid.clone(), reason, detail);
                }
                for why in flaws.into_iter().flatten().filter(|_| !cut) {
                    self.feed
                        .skipped(location, docid.clone(), Reason::HeaderDamaged, why);
                }
            }
            Some(Err((reason, detail))) if !cut => {
                self.feed.skipped(location, docid.clone(), reason, detail)
            }
            _ => {}
        }
        if let Some((reason, detail)) = damage {
            self.feed.skipped(location, docid, reason, detail);
        }
    }

    fn docid(&self, parsed: &Parsed<'_>, location: u64) -> Option<String> {
        let docid = match self.feed.options.docid {
            DocidSource::Auto | DocidSource::Trec | DocidSource::Record => parsed.docno.clone(),
            DocidSource::Url => parsed.url.clone(),
            DocidSource::Path => format!("{}#{location}", self.feed.file),
        };
        Some(docid).filter(|docid| !docid.is_empty())
    }

    fn page(&self, parsed: &Parsed<'_>, cut: bool, offset: u64) -> Result<Page, (Reason, String)> {
        let Some(docid) = self.docid(parsed, offset) else {
            return Err((Reason::NoDocid, self.feed.options.docid.missing()));
        };
        if let Some(status) = parsed
            .status
            .filter(|status| !self.feed.options.status.contains(status))
        {
            return Err((Reason::Status(status), parsed.url.clone()));
        }
        if cut && parsed.unclosed_header {
            return Err((
                Reason::Truncated,
                "the document ends inside its header".to_owned(),
            ));
        }
        let limit = self.feed.options.max_record_bytes;
        let payload =
            payload(&parsed.fields, parsed.body, limit).map_err(|failure| match failure {
                Failure::TooLarge => (Reason::TooLarge, format!("more than {limit} bytes")),
                Failure::Undecodable(detail) => (Reason::BadContentEncoding, detail),
            })?;
        let (media, charset) = content_type(parsed.fields.all("content-type"));
        let document = Document {
            docid,
            url: parsed.url.clone(),
            date: parsed.date.clone(),
            charset,
            language: parsed.fields.get("content-language").map(str::to_owned),
            media_type: media.or_else(|| parsed.media_type.clone()),
            bytes: payload.bytes,
            content: Content::Html,
            truncated: cut || payload.cut,
            record_id: None,
            file: Arc::clone(&self.feed.file),
            offset,
        };
        Ok((document, payload.damage))
    }

    /// Skips a document that is too large to hold.
    fn too_large(&mut self, location: u64) {
        self.feed.window.fill(MAX_HEADER);
        let prefix = self.feed.window.available();
        let docid = self.docid(&parse(&prefix[..prefix.len().min(MAX_HEADER)]), location);
        let mut from = BEGIN.len();
        loop {
            self.feed.window.fill(from + STRIDE + LOOK);
            let found = self.marks(from).next().map(|mark| match mark {
                Mark::Begin(index) => index,
                Mark::End(_, next) => next,
            });
            let (skip, last) = self.step_over(found);
            self.feed.window.consume(skip);
            if last {
                break;
            }
            from = LOOK;
        }
        let detail = format!("more than {} bytes", self.feed.options.max_record_bytes);
        self.feed.skipped(location, docid, Reason::TooLarge, detail);
    }
}

/// A page, and what was wrong with its encoding.
type Page = (Document, Option<(Reason, String)>);

/// Whether the end of a document's header stands in a page on a line of its own: what is between two documents was lost, and
/// they have become one.
fn holds_header(body: &[u8]) -> bool {
    memmem::find_iter(body, b"\n</DOCHDR>").any(|hit| {
        let after = body.get(hit + b"\n</DOCHDR>".len()..).unwrap_or_default();
        matches!(after, [b'\n' | b'\r', ..])
    })
}

/// Whether bytes go on as a document does after its `<DOC>`, beyond doubt: the next line is a whole `<DOCNO>`.
fn begins_document(after: &[u8]) -> bool {
    let after = after.strip_prefix(b"\r").unwrap_or(after);
    let line = after.strip_prefix(b"\n").unwrap_or_default();
    let line = &line[..memchr(b'\n', line).unwrap_or(0)];
    line.starts_with(b"<DOCNO>") && line.trim_ascii_end().ends_with(b"</DOCNO>")
}

/// The mark whose `DOC>` is at `hit`.
fn mark(bytes: &[u8], hit: usize) -> Option<Mark> {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let (before, closing) = match bytes.get(..hit)? {
        [before @ .., b'<', b'/'] => (before, true),
        [before @ .., b'<'] => (before, false),
        _ => return None,
    };
    let indent = before.iter().rev().take(LOOK).take_while(is_blank).count();
    let line = before.len() - indent;
    let after = bytes.get(hit + 4..bytes.len().min(hit + LOOK))?;
    if line > 0 && before[line - 1] != b'\n' {
        // What was before it may have been lost in the middle of a line.
        return (!closing && begins_document(after)).then_some(Mark::Begin(before.len()));
    }
    if !closing {
        return after
            .trim_ascii_start()
            .starts_with(b"<DOCNO>")
            .then_some(Mark::Begin(before.len()));
    }
    let trail = after
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        .count();
    match after.get(trail) {
        Some(b'\n') => Some(Mark::End(line, hit + 4 + trail + 1)),
        None if hit + 4 + trail == bytes.len() => Some(Mark::End(line, bytes.len())),
        _ => None,
    }
}
