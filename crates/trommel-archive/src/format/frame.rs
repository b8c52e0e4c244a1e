//! Where records of WARC and ARC files begin and their blocks end, by the rules that [`super::warc`] states.
//!
//! Indices are into the window's available bytes, at whose beginning the record in question begins.

use memchr::memmem;

use crate::bytes::window::Window;
use crate::head::header::{Header, Parsed};
use crate::head::http;
use crate::ledger::Reason;

/// How the records of a format are told from other bytes.
pub(crate) struct Grammar {
    /// Bytes that suffice to tell a record's beginning.
    pub(crate) look: usize,
    /// Whether bytes begin as a record does, where one is to be expected; true says that a line begins with them.
    pub(crate) opens: fn(&[u8], bool) -> bool,
    /// Whether bytes with which a line begins, or a member, begin with a record.
    pub(crate) begins: fn(&[u8]) -> bool,
    /// Whether bytes in the middle of a line begin with a record beyond doubt.
    pub(crate) convinces: fn(&[u8]) -> bool,
    /// Whether a segment that ends with these bytes ends inside the first line of a record.
    pub(crate) is_cut: fn(&[u8]) -> bool,
    /// The indices from one on at which a record may begin, in ascending order.
    pub(crate) candidates: fn(&[u8], usize) -> Candidates<'_>,
    /// The header that bytes begin with; true says that no bytes follow them.
    pub(crate) header: fn(&[u8], bool) -> Parsed,
    /// Line ends that close a record.
    pub(crate) closing: usize,
    /// Line ends, at least, between a block and the member of the next record.
    pub(crate) before_member: usize,
    /// What only stands in a header, after a line end: it betrays a record whose first line is damaged.
    pub(crate) inside_header: &'static [u8],
}

/// Indices at which records may begin.
pub(crate) type Candidates<'a> = Box<dyn Iterator<Item = usize> + 'a>;

/// Bytes searched for a record in one go.
pub(crate) const STRIDE: usize = 64 * 1024;
/// Line ends, at most, between a block and the next record; zero bytes, at least, that make padding.
const MAX_BLANK: usize = 16;
/// Bytes of an undeclared stretch that are searched for the header of a record with a damaged first line.
const DAMAGED_HEADER: usize = 2048;

const TOO_LONG: Ending = Ending::Repaired("Content-Length too long");
pub(crate) const TOO_SHORT: Ending = Ending::Repaired("Content-Length too short");
const MISSING: Ending = Ending::Repaired("no Content-Length");

/// How a record's block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Where it should.
    Declared,
    /// Elsewhere, for this reason; the block is whole.
    Repaired(&'static str),
    /// Too early, with the segment or before another record.
    CutShort,
    /// Somewhere beyond what may be held in memory.
    OutOfSight,
}

/// Where a record may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the beginning of a line or of a compressed member, or after zero bytes; or anywhere, if it convinces: what is before
    /// it may have been lost in the middle of a line.
    Likely,
    /// Anywhere: among bytes that belong to no record.
    Anywhere,
}

/// The first record that begins at an index of `from..to`, as far as the bytes at hand are enough to tell.
pub(crate) fn find(
    grammar: &Grammar,
    window: &Window,
    from: usize,
    to: usize,
    place: Place,
) -> Option<usize> {
    let bytes = window.available();
    let sure = if window.ended() {
        bytes.len()
    } else {
        bytes.len().saturating_sub(grammar.look)
    };
    let end = to.min(sure);
    let from = match place {
        Place::Likely => window.search_from(from),
        Place::Anywhere => from,
    };
    if from >= end {
        return None;
    }
    let mut hits = (grammar.candidates)(bytes, from).take_while(|&hit| hit < end);
    let found = hits.find(|&hit| {
        let before = hit.checked_sub(1).and_then(|before| bytes.get(before));
        let line = matches!(before, Some(b'\n' | 0)) || window.member_at(hit).is_some();
        match line || place == Place::Anywhere {
            true => (grammar.begins)(&bytes[hit..]),
            false => (grammar.convinces)(&bytes[hit..]),
        }
    });
    if place == Place::Likely {
        window.found_nothing(from, found.unwrap_or(end));
    }
    found
}

/// The record inside a block that is known not to end where it says: a likely one, else one anywhere, as where a writer
/// stopped in the middle and another went on.
fn find_swallowed(grammar: &Grammar, window: &Window, begin: usize, end: usize) -> Option<usize> {
    let at = |place| find(grammar, window, begin, end, place);
    at(Place::Likely).or_else(|| at(Place::Anywhere))
}

/// [`find`] that reads on, up to `limit`.
fn find_ahead(
    grammar: &Grammar,
    window: &mut Window,
    mut from: usize,
    limit: usize,
) -> Option<usize> {
    loop {
        if let Some(found) = find(grammar, window, from, limit, Place::Likely) {
            return Some(found);
        }
        let length = window.available().len();
        from = from.max(length.saturating_sub(grammar.look));
        if from >= limit {
            return None;
        }
        if !window.grow() {
            return find(grammar, window, from, limit, Place::Likely);
        }
    }
}

/// Where the block of the record at the beginning of the window ends, and why there.
pub(crate) fn extent(
    grammar: &Grammar,
    window: &mut Window,
    header: &Header,
    limit: usize,
) -> (usize, Ending) {
    let begin = header.length;
    let declared = header
        .content_length
        .map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    let Some(end) = declared.map(|length| begin.saturating_add(length)) else {
        return match find_ahead(grammar, window, begin, limit) {
            Some(next) => (without_blank(grammar, window, begin, next), MISSING),
            None if window.available().len() > limit => (limit, Ending::OutOfSight),
            None => up_to_segment_end(grammar, window, header, MISSING),
        };
    };
    if end > limit {
        return (limit, Ending::OutOfSight);
    }
    window.fill(end + MAX_BLANK + grammar.look);
    let length = window.available().len();
    if length < end {
        return match find_swallowed(grammar, window, begin, length) {
            Some(next) => up_to_record(grammar, window, header, next),
            // A plain file gives no sign whether it was cut off: the worse is assumed.
            None if window.source().is_plain() => (length, Ending::CutShort),
            None => up_to_segment_end(grammar, window, header, TOO_LONG),
        };
    }
    if is_boundary(grammar, window, end) {
        return match ends_earlier(grammar, window, begin, end, header.crlf) {
            Some(earlier) => (earlier, TOO_LONG),
            None => (end, Ending::Declared),
        };
    }
    if let Some(next) = find_swallowed(grammar, window, begin, end) {
        return up_to_record(grammar, window, header, next);
    }
    match find_ahead(grammar, window, end, limit) {
        Some(next) if is_gap(grammar, window, header, end, next) => (end, Ending::Declared),
        Some(next) => (without_blank(grammar, window, begin, next), TOO_SHORT),
        // Too much to be looked through: the length is believed if the block ends like one.
        None if window.available().len() > limit => {
            match is_closed(grammar, window, end, header.crlf) {
                true => (end, Ending::Declared),
                false => (limit, Ending::OutOfSight),
            }
        }
        None if is_gap(grammar, window, header, end, window.available().len()) => {
            (end, Ending::Declared)
        }
        None => up_to_segment_end(grammar, window, header, TOO_SHORT),
    }
}

/// Where the block ends by what the HTTP message in it says, if that is before `end` and another record follows there. A
/// length that is too long by whole records leads to the end of one, too.
fn ends_earlier(
    grammar: &Grammar,
    window: &Window,
    begin: usize,
    end: usize,
    crlf: bool,
) -> Option<usize> {
    let bytes = window.available();
    let earlier = begin.checked_add(http::declared_length(bytes.get(begin..end)?)?)?;
    let closings = closings(grammar);
    let length = if crlf {
        closings.0.len()
    } else {
        closings.1.len()
    };
    let next = bytes.get(earlier.checked_add(length)?..end)?;
    (is_closed(grammar, window, earlier, crlf) && (grammar.begins)(next)).then_some(earlier)
}

/// A block that another record begins in: whole if it ends as a record does.
fn up_to_record(
    grammar: &Grammar,
    window: &Window,
    header: &Header,
    next: usize,
) -> (usize, Ending) {
    if ends_blank(grammar, window, header.length, next, header.crlf) {
        (
            without_blank(grammar, window, header.length, next),
            TOO_LONG,
        )
    } else {
        (next, Ending::CutShort)
    }
}

/// A block that goes up to the end of the segment: whole if it ends as a record does and nothing is known to be lost.
fn up_to_segment_end(
    grammar: &Grammar,
    window: &Window,
    header: &Header,
    otherwise: Ending,
) -> (usize, Ending) {
    let length = window.available().len();
    let lossy = window.damage().is_some_and(|damage| damage.inside);
    if !lossy && ends_blank(grammar, window, header.length, length, header.crlf) {
        (
            without_blank(grammar, window, header.length, length),
            otherwise,
        )
    } else {
        (length, Ending::CutShort)
    }
}

/// Whether a block can end at `end`: line ends, then a record, a compressed member whatever is in it, the segment's
/// end, or padding.
fn is_boundary(grammar: &Grammar, window: &Window, end: usize) -> bool {
    let rest = window.available().get(end..).unwrap_or_default();
    let is_blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    let blank = rest.iter().take(MAX_BLANK).take_while(is_blank).count();
    if (grammar.before_member..=blank).any(|blank| window.member_at(end + blank).is_some()) {
        return true;
    }
    let bytes = window.available();
    let line = end + blank == 0 || bytes.get(end + blank - 1) == Some(&b'\n');
    let line = line || window.member_at(end + blank).is_some();
    let rest = &rest[blank..];
    let padding = rest.iter().take(MAX_BLANK).all(|byte| *byte == 0);
    padding && (rest.len() >= MAX_BLANK || window.ended()) || (grammar.opens)(rest, line)
}

/// Whether `begin..end` ends in a blank line, as a whole record does.
fn ends_blank(grammar: &Grammar, window: &Window, begin: usize, end: usize, crlf: bool) -> bool {
    let bytes = window.available().get(begin..end).unwrap_or_default();
    let (crlfs, lfs) = closings(grammar);
    bytes.ends_with(crlfs) || !crlf && bytes.ends_with(lfs)
}

/// Whether a blank line follows a block that ends at `end`, as it does in a whole record.
fn is_closed(grammar: &Grammar, window: &Window, end: usize, crlf: bool) -> bool {
    let bytes = window.available().get(end..).unwrap_or_default();
    let (crlfs, lfs) = closings(grammar);
    bytes.starts_with(crlfs) || !crlf && bytes.starts_with(lfs)
}

/// What closes a record, for either kind of line end.
fn closings(grammar: &Grammar) -> (&'static [u8], &'static [u8]) {
    let count = grammar.closing.min(2);
    (&b"\r\n\r\n"[..2 * count], &b"\n\n"[..count])
}

/// Whether the bytes between a declared end and the next record are a gap, and not the rest of the block: they begin as
/// the end of a record does, and
/// - the HTTP message in the block says that it ends there, too;
/// - or they do not end as a record does, hold what stands in the header of a record whose first line is damaged, or are zero;
/// - or one line end closes records, as in ARC files: blocks end so as well, so that how the bytes end says nothing, but few
///   bytes are line ends, so that a wrong length seldom leads to one.
fn is_gap(grammar: &Grammar, window: &Window, header: &Header, end: usize, next: usize) -> bool {
    let crlf = header.crlf;
    if !is_closed(grammar, window, end, crlf) {
        return false;
    }
    let bytes = window.available();
    let block = bytes.get(header.length..end).unwrap_or_default();
    let between = bytes.get(end..next).unwrap_or_default();
    let head = &between[..between.len().min(DAMAGED_HEADER)];
    let holds = |what: &[u8]| memmem::find(head, what).is_some();
    grammar.closing == 1
        || http::declared_length(block) == Some(block.len())
        || holds(grammar.inside_header)
        || holds(&[0; MAX_BLANK])
        || !ends_blank(grammar, window, end, next, crlf)
}

/// The end of a block that goes up to `next`: without the line ends that close a record.
fn without_blank(grammar: &Grammar, window: &Window, begin: usize, next: usize) -> usize {
    let mut bytes = window.available().get(begin..next).unwrap_or_default();
    for _ in 0..grammar.closing {
        let shorter = bytes.strip_suffix(b"\n");
        bytes = shorter.map_or(bytes, |bytes| bytes.strip_suffix(b"\r").unwrap_or(bytes));
    }
    begin + bytes.len()
}

/// Whether a corrupt member costs the record whose block ends at `end`: it is cut short by it, or it begins no later
/// than the member does and no record follows. The member's check sum failed, or what was decompressed last is wrong,
/// so the record may be too, whole as it may look. Records that had ended well before in a large member are not meant.
pub(crate) fn is_corrupt(
    grammar: &Grammar,
    window: &mut Window,
    end: usize,
    ending: Ending,
) -> bool {
    let cut = ending == Ending::CutShort && end == window.available().len();
    if !cut {
        let limit = end.saturating_add(STRIDE);
        if find_ahead(grammar, window, end, limit).is_some() || window.available().len() > limit {
            return false;
        }
    }
    let corrupt = window
        .damage()
        .is_some_and(|damage| damage.reason == Reason::CorruptMember);
    corrupt && (cut || window.last_member_begins_within(end))
}
