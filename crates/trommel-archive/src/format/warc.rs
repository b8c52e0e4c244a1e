//! WARC files: where records begin and end.
//!
//! The framing is our own because the readers at hand either refuse ClueWeb09 (`warc` 0.4 treats its dates as errors)
//! or give up at the first damage (`warc`, `fastwarc`): neither goes on after a corrupt gzip member or zero padding,
//! and neither gives back a record that the one before swallowed by a Content-Length too long. The rules:
//!
//! * A record begins with a version line and a field at the beginning of a line or of a compressed member; in the middle
//!   of a line with a whole header.
//! * Content-Length is believed if what follows the block is another record or member, padding, or the end. If not, and
//!   a record begins inside the block, the block ends there; and if none does, the block goes on to the next one. A
//!   block that ends early and not in a blank line is a page cut short; any other is whole, and the repair is noted.
//! * Bytes that belong to no record are skipped up to the next record and go to the ledger.

use std::sync::Arc;

use memchr::{memchr, memmem};

use super::arc;
use super::feed::{Feed, Scan};
use super::frame::{
    Candidates, Ending, Grammar, Place, STRIDE, TOO_SHORT, extent, find, is_corrupt,
};
use super::record::{self, Page};
use crate::bytes::window::Window;
use crate::head::header::{
    Header, MAGIC, MAX_HEADER, Parsed, begins_record, header, is_blank, line, version_line,
};
use crate::ledger::{Document, Reason};
use crate::options::{DocidSource, Format, Options};

/// Bytes of a large record's block that its kind is told by.
const PREFIX: usize = 64 * 1024;

/// Bytes looked at to tell a record's beginning where no line begins.
const LOOK_ANYWHERE: usize = 4096;

/// Bytes that most headers fit in.
const FIRST_LOOK: usize = 4096;

/// Records of WARC files.
const GRAMMAR: Grammar = Grammar {
    look: LOOK_ANYWHERE,
    opens: |bytes, _| version_line(bytes).is_some(),
    begins: begins_record,
    convinces,
    is_cut,
    candidates: |bytes, from| candidates(MAGIC, bytes, from),
    header,
    closing: 2,
    before_member: 2,
    inside_header: b"\nWARC-",
};
/// Records of files that write the version in small letters.
const SMALL_GRAMMAR: Grammar = Grammar {
    candidates: |bytes, from| candidates(b"warc/", bytes, from),
    ..GRAMMAR
};

/// Whether bytes begin with the whole header of a record, with type and length. It is read no further than it looks like one.
fn convinces(bytes: &[u8]) -> bool {
    let mut rest = &bytes[..bytes.len().min(LOOK_ANYWHERE)];
    let Some(first) = version_line(rest) else {
        return false;
    };
    rest = &rest[first..];
    let (mut kind, mut length) = (false, false);
    while let Some((text, next)) = line(rest) {
        if text.is_empty() {
            return kind && length;
        }
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let name = &text[..memchr(b':', text).unwrap_or(0)];
        if name.is_empty() || !name.iter().all(is_name) {
            return false;
        }
        kind |= name.eq_ignore_ascii_case(b"WARC-Type");
        length |= name.eq_ignore_ascii_case(b"Content-Length");
        rest = &rest[next..];
    }
    false
}

fn candidates<'a>(magic: &'static [u8], bytes: &'a [u8], from: usize) -> Candidates<'a> {
    let rest = bytes.get(from..).unwrap_or_default();
    Box::new(memmem::find_iter(rest, magic).map(move |hit| from + hit))
}

fn is_cut(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(MAGIC.len())];
    MAGIC[..head.len()].eq_ignore_ascii_case(head)
        && (head.len() == bytes.len() || bytes.len() < 16 && !bytes.contains(&b'\n'))
}

/// Reads the records of one file.
pub(crate) struct Records {
    pub(crate) feed: Feed,
    grammar: &'static Grammar,
}

/// A record whose header has been read.
struct Record {
    header: Header,
    offset: u64,
    docid: Option<String>,
}

impl Scan for Records {
    fn feed(&mut self) -> &mut Feed {
        &mut self.feed
    }

    fn is_blank(byte: &u8) -> bool {
        matches!(byte, b'\r' | b'\n')
    }

    fn read(&mut self) {
        self.feed.window.fill(self.grammar.look);
        let bytes = self.feed.window.available();
        if (self.grammar.opens)(bytes, true) {
            self.record();
        } else if self.feed.window.ended() && (self.grammar.is_cut)(bytes) {
            self.end_inside_header();
        } else {
            self.lose(Reason::Gap, "bytes between records", Place::Anywhere);
        }
    }
}

impl Records {
    /// `options.format` is the format that the file was found to be in.
    pub(crate) fn new(window: Window, file: Arc<str>, options: Options) -> Self {
        let text = window.available().trim_ascii_start();
        let grammar = match options.format {
            Format::Arc => &arc::GRAMMAR,
            _ if text.starts_with(b"warc/") => &SMALL_GRAMMAR,
            _ => &GRAMMAR,
        };
        Self {
            feed: Feed::new(window, file, options),
            grammar,
        }
    }

    /// Skips to the next record, at least one byte, and records the loss.
    fn lose(&mut self, reason: Reason, why: &str, place: Place) {
        let (location, begin) = (self.feed.window.location(), self.feed.window.position());
        let mut blank = true;
        loop {
            let look = self.grammar.look;
            self.feed.window.fill(STRIDE + look);
            let found = find(self.grammar, &self.feed.window, 1, usize::MAX, place);
            let length = self.feed.window.available().len();
            let last = found.is_some() || self.feed.window.ended();
            // The byte before a record tells whether that begins a line.
            let skip = found.unwrap_or(if last { length } else { length - look - 1 });
            blank = blank && is_blank(&self.feed.window.available()[..skip]);
            self.feed.window.consume(skip);
            if last {
                break;
            }
        }
        let length = self.feed.window.position() - begin;
        match (reason, blank) {
            (Reason::Gap, true) => self.feed.skipped(
                location,
                None,
                Reason::Padding,
                format!("{length} blank bytes"),
            ),
            _ => self.feed.skipped(
                location,
                None,
                reason,
                format!("{why}; {length} bytes skipped"),
            ),
        }
    }

    /// Reads the record at the beginning of the window.
    fn record(&mut self) {
        let mut wanted = FIRST_LOOK;
        let header = loop {
            self.feed.window.fill(wanted);
            let short = self.feed.window.available().len() <= MAX_HEADER;
            match (self.grammar.header)(self.feed.window.available(), self.feed.window.ended()) {
                Parsed::Header(header) if header.length <= MAX_HEADER => break header,
                Parsed::Interrupted(index) if index <= MAX_HEADER => {
                    return self.lose(
                        Reason::HeaderDamaged,
                        "another record begins inside the header",
                        Place::Anywhere,
                    );
                }
                Parsed::Incomplete if self.feed.window.ended() && short => {
                    return self.end_inside_header();
                }
                Parsed::Incomplete if wanted <= MAX_HEADER => wanted *= 2,
                _ => {
                    // Not anywhere: to read as long a header at every hit inside would cost its length each time.
                    let why = "the header does not end";
                    return self.lose(Reason::HeaderDamaged, why, Place::Likely);
                }
            }
        };
        let offset = self.feed.window.location();
        let location = || format!("{}#{offset}", self.feed.file);
        let docid = record::docid(&header, self.feed.options.docid, location);
        let damaged = header.damaged.then(|| docid.clone());
        let record = Record {
            header,
            offset,
            docid,
        };
        let limit = usize::try_from(self.feed.options.max_record_bytes).unwrap_or(usize::MAX);
        let limit = record.header.length.saturating_add(limit);
        let (end, ending) = extent(self.grammar, &mut self.feed.window, &record.header, limit);
        if ending == Ending::OutOfSight {
            self.too_large(record);
        } else if is_corrupt(self.grammar, &mut self.feed.window, end, ending) {
            let detail = self
                .feed
                .window
                .next_segment()
                .map(|damage| damage.detail)
                .unwrap_or_default();
            self.feed
                .skipped(offset, record.docid, Reason::CorruptMember, detail);
        } else {
            self.take(record, end, ending);
        }
        if let Some(docid) = damaged {
            let why = "the header holds bytes that are no text";
            self.feed.skipped(offset, docid, Reason::HeaderDamaged, why);
        }
    }

    fn end_inside_header(&mut self) {
        let offset = self.feed.window.location();
        self.feed.window.consume(usize::MAX);
        let (reason, why) = self.cut_by();
        self.feed.skipped(
            offset,
            None,
            reason,
            format!("{why}a record ends inside its header"),
        );
    }

    /// Why the record just consumed is cut short. Damage inside a member is taken off the window, to be told once,
    /// together with what it cost.
    fn cut_by(&mut self) -> (Reason, String) {
        let inside = self
            .feed
            .window
            .damage()
            .is_some_and(|damage| damage.inside);
        if inside
            && self.feed.window.available().is_empty()
            && let Some(damage) = self.feed.window.next_segment()
        {
            return (damage.reason, format!("{}; ", damage.detail));
        }
        (Reason::Truncated, String::new())
    }

    /// Makes a document or ledger lines of a record.
    fn take(&mut self, mut record: Record, end: usize, ending: Ending) {
        let cut = ending == Ending::CutShort;
        let block = self
            .feed
            .window
            .available()
            .get(record.header.length..end)
            .unwrap_or_default();
        let length = block.len();
        let page = record::page(&record.header, block, cut, &self.feed.options);
        self.feed.window.consume(end);
        let (offset, mut docid) = (record.offset, record.docid.clone());
        let mut outcome = "no page could be read";
        match page {
            Ok(page) => {
                if self.feed.options.docid == DocidSource::Auto && docid.is_none() {
                    let location = || format!("{}#{offset}", self.feed.file);
                    docid = Some(record::date_and_url(&record.header).unwrap_or_else(location));
                    record.docid.clone_from(&docid);
                }
                outcome = "the page is given as far as it goes";
                if let Ending::Repaired(what) = ending {
                    let detail = format!("{what}: the block has {length} bytes");
                    self.document(record, page, cut);
                    return self
                        .feed
                        .skipped(offset, docid, Reason::LengthMismatch, detail);
                }
                self.document(record, page, cut);
            }
            // Of a record that is cut short one line tells.
            Err(_) if cut => {}
            Err((reason, detail)) => {
                self.feed.skipped(offset, docid.clone(), reason, detail);
                // Of a record that is no page nobody misses a part; but what follows it may have been a page.
                if ending == TOO_SHORT {
                    let detail =
                        format!("bytes between its end and the next record: {length} in all");
                    self.feed
                        .skipped(offset, docid.clone(), Reason::Gap, detail);
                }
            }
        }
        if cut {
            let (reason, why) = self.cut_by();
            let detail = format!("{why}a record ends after {length} bytes of its block; {outcome}");
            self.feed.skipped(offset, docid, reason, detail);
        }
    }

    fn document(&mut self, record: Record, page: Page, cut: bool) {
        let Record {
            header,
            offset,
            docid,
        } = record;
        let url = record::url(&header);
        let Some(docid) = docid else {
            let detail = format!("{}: {url}", self.feed.options.docid.missing());
            return self.feed.skipped(offset, None, Reason::NoDocid, detail);
        };
        let field = |name| header.fields.get(name);
        let truncated = cut || page.payload.cut || field("warc-truncated").is_some();
        self.feed.document(Document {
            docid: docid.clone(),
            url,
            date: field("warc-date").unwrap_or_default().to_owned(),
            charset: page.charset,
            language: page
                .language
                .or_else(|| field("warc-identified-content-language").map(str::to_owned)),
            media_type: page.media_type,
            content: page.content,
            bytes: page.payload.bytes,
            truncated,
            // Of an ARC record it is made up.
            record_id: field("warc-record-id")
                .filter(|id| id.starts_with('<'))
                .map(str::to_owned),
            file: Arc::clone(&self.feed.file),
            offset,
        });
        if let Some((reason, detail)) = page.payload.damage.filter(|_| !cut) {
            self.feed.skipped(offset, Some(docid), reason, detail);
        }
    }

    /// Skips a record that is too large to hold, without holding it. A record that begins inside is taken for one that
    /// was swallowed: the alternative, to believe a length that cannot be checked before its end, may cost a file.
    fn too_large(&mut self, record: Record) {
        let header = &record.header;
        self.feed.window.fill(header.length.saturating_add(PREFIX));
        let block = self
            .feed
            .window
            .available()
            .get(header.length..)
            .unwrap_or_default();
        let prefix = &block[..block.len().min(PREFIX)];
        let limit = self.feed.options.max_record_bytes;
        let (reason, mut detail) = match record::declared(header, prefix, &self.feed.options) {
            Ok(_) => (Reason::TooLarge, format!("more than {limit} bytes")),
            Err(refused) => refused,
        };
        // A length within the limit has been found to be too short.
        let declared = header.content_length.filter(|length| *length > limit);
        let begin = self.feed.window.position() + header.length as u64;
        let end = begin.saturating_add(declared.unwrap_or(u64::MAX));
        let mut from = header.length;
        loop {
            self.feed.window.fill(from + STRIDE + self.grammar.look);
            let left = usize::try_from(end - self.feed.window.position()).unwrap_or(usize::MAX);
            let length = self.feed.window.available().len();
            let sure = if self.feed.window.ended() {
                length
            } else {
                length - self.grammar.look
            };
            if let Some(next) = find(self.grammar, &self.feed.window, from, left, Place::Likely) {
                self.feed.window.consume(next);
                break;
            }
            if left <= sure || self.feed.window.ended() {
                if left > length && declared.is_some() {
                    detail.push_str("; the file ends before the record does");
                }
                self.feed.window.consume(left);
                break;
            }
            // The byte before a record tells whether that begins a line.
            self.feed.window.consume(sure - 1);
            from = 1;
        }
        self.feed
            .skipped(record.offset, record.docid, reason, detail);
    }
}
