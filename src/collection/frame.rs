//! Where WARC records begin and their blocks end, by the rules that [`super::warc`] states.
//!
//! Indices are into the window's available bytes, at whose beginning the record in question begins.

use memchr::memmem;

use super::header::{Header, LOOK, begins_record, version_line};
use super::ledger::Reason;
use super::window::Window;

/// Bytes searched for a record in one go.
pub(super) const STRIDE: usize = 64 * 1024;
/// Line ends, at most, between a block and the next record; zero bytes, at least, that make padding.
const MAX_BLANK: usize = 16;
/// Bytes of an undeclared stretch that are searched for the header of a record with a damaged first line.
const DAMAGED_HEADER: usize = 2048;

const TOO_LONG: Ending = Ending::Repaired("Content-Length too long");
const TOO_SHORT: Ending = Ending::Repaired("Content-Length too short");
const MISSING: Ending = Ending::Repaired("no Content-Length");

/// How a record's block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
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
pub(super) enum Place {
    /// At the beginning of a line or of a compressed member, or after zero bytes.
    Line,
    /// Anywhere: bytes that belong to no record may well not end in a line end.
    Anywhere,
}

/// The first record that begins at an index of `from..to`, as far as the bytes at hand are enough to tell.
pub(super) fn find(window: &Window, from: usize, to: usize, place: Place) -> Option<usize> {
    let bytes = window.available();
    let sure = if window.ended() {
        bytes.len()
    } else {
        bytes.len().saturating_sub(LOOK)
    };
    let mut hits = memmem::find_iter(bytes.get(from..)?, b"WARC/").map(|hit| from + hit);
    let found = hits.find(|&hit| {
        let before = hit.checked_sub(1).and_then(|before| bytes.get(before));
        let line = matches!(before, Some(b'\n' | 0)) || window.member_at(hit).is_some();
        (line || place == Place::Anywhere) && begins_record(&bytes[hit..])
    });
    found.filter(|&hit| hit < to.min(sure))
}

/// The record inside a block that is known not to end where it says: one at the beginning of a line, else one anywhere,
/// as where a writer stopped in the middle and another went on.
fn find_swallowed(window: &Window, begin: usize, end: usize) -> Option<usize> {
    let at = |place| find(window, begin, end, place);
    at(Place::Line).or_else(|| at(Place::Anywhere))
}

/// [`find`] that reads on, up to `limit`.
fn find_ahead(window: &mut Window, mut from: usize, limit: usize) -> Option<usize> {
    loop {
        if let Some(found) = find(window, from, limit, Place::Line) {
            return Some(found);
        }
        let length = window.available().len();
        from = from.max(length.saturating_sub(LOOK));
        if from >= limit {
            return None;
        }
        if !window.grow() {
            return find(window, from, limit, Place::Line);
        }
    }
}

/// Where the block of the record at the beginning of the window ends, and why there.
pub(super) fn extent(window: &mut Window, header: &Header, limit: usize) -> (usize, Ending) {
    let begin = header.length;
    let declared = header
        .content_length
        .map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    let Some(end) = declared.map(|length| begin.saturating_add(length)) else {
        return match find_ahead(window, begin, limit) {
            Some(next) => (without_blank(window, begin, next), MISSING),
            None if window.available().len() > limit => (limit, Ending::OutOfSight),
            None => up_to_segment_end(window, header, MISSING),
        };
    };
    if end > limit {
        return (limit, Ending::OutOfSight);
    }
    window.fill(end + MAX_BLANK + LOOK);
    let length = window.available().len();
    if length < end {
        return match find_swallowed(window, begin, length) {
            Some(next) => up_to_record(window, header, next),
            // A plain file gives no sign whether it was cut off: the worse is assumed.
            None if window.source().is_plain() => (length, Ending::CutShort),
            None => up_to_segment_end(window, header, TOO_LONG),
        };
    }
    if is_boundary(window, end) {
        return (end, Ending::Declared);
    }
    if let Some(next) = find_swallowed(window, begin, end) {
        return up_to_record(window, header, next);
    }
    match find_ahead(window, end, limit) {
        Some(next) if is_gap(window, end, next, header.crlf) => (end, Ending::Declared),
        Some(next) => (without_blank(window, begin, next), TOO_SHORT),
        // Too much to be looked through: the length is believed if the block ends like one.
        None if window.available().len() > limit => match is_closed(window, end, header.crlf) {
            true => (end, Ending::Declared),
            false => (limit, Ending::OutOfSight),
        },
        None if is_gap(window, end, window.available().len(), header.crlf) => {
            (end, Ending::Declared)
        }
        None => up_to_segment_end(window, header, TOO_SHORT),
    }
}

/// A block that another record begins in: whole if it ends as a record does.
fn up_to_record(window: &Window, header: &Header, next: usize) -> (usize, Ending) {
    if ends_blank(window, header.length, next, header.crlf) {
        (without_blank(window, header.length, next), TOO_LONG)
    } else {
        (next, Ending::CutShort)
    }
}

/// A block that goes up to the end of the segment: whole if it ends as a record does and nothing is known to be lost.
fn up_to_segment_end(window: &Window, header: &Header, otherwise: Ending) -> (usize, Ending) {
    let length = window.available().len();
    let lossy = window.damage().is_some_and(|damage| damage.inside);
    if !lossy && ends_blank(window, header.length, length, header.crlf) {
        (without_blank(window, header.length, length), otherwise)
    } else {
        (length, Ending::CutShort)
    }
}

/// Whether a block can end at `end`: line ends, then a record, a compressed member whatever is in it, the segment's
/// end, or padding.
fn is_boundary(window: &Window, end: usize) -> bool {
    let rest = window.available().get(end..).unwrap_or_default();
    let is_blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    let blank = rest.iter().take(MAX_BLANK).take_while(is_blank).count();
    if (2..=blank).any(|blank| window.member_at(end + blank).is_some()) {
        return true;
    }
    let rest = &rest[blank..];
    let padding = rest.iter().take(MAX_BLANK).all(|byte| *byte == 0);
    padding && (rest.len() >= MAX_BLANK || window.ended()) || version_line(rest).is_some()
}

/// Whether `begin..end` ends in a blank line, as a whole record does.
fn ends_blank(window: &Window, begin: usize, end: usize, crlf: bool) -> bool {
    let bytes = window.available().get(begin..end).unwrap_or_default();
    bytes.ends_with(b"\r\n\r\n") || !crlf && bytes.ends_with(b"\n\n")
}

/// Whether a blank line follows a block that ends at `end`, as it does in a whole record.
fn is_closed(window: &Window, end: usize, crlf: bool) -> bool {
    let bytes = window.available().get(end..).unwrap_or_default();
    bytes.starts_with(b"\r\n\r\n") || !crlf && bytes.starts_with(b"\n\n")
}

/// Whether the bytes between a declared end and the next record are a gap, and not the rest of the block: they begin
/// as the end of a record does, and do not end so, or hold a record whose first line is damaged.
fn is_gap(window: &Window, end: usize, next: usize, crlf: bool) -> bool {
    let bytes = window.available().get(end..next).unwrap_or_default();
    let head = &bytes[..bytes.len().min(DAMAGED_HEADER)];
    let damaged = memmem::find(head, b"\nWARC-").is_some();
    is_closed(window, end, crlf) && (damaged || !ends_blank(window, end, next, crlf))
}

/// The end of a block that goes up to `next`: without the two line ends that close a record.
fn without_blank(window: &Window, begin: usize, next: usize) -> usize {
    let mut bytes = window.available().get(begin..next).unwrap_or_default();
    for _ in 0..2 {
        let shorter = bytes.strip_suffix(b"\n");
        bytes = shorter.map_or(bytes, |bytes| bytes.strip_suffix(b"\r").unwrap_or(bytes));
    }
    begin + bytes.len()
}

/// Whether a corrupt member costs the record whose block ends at `end`: it is cut short by it, or it begins no later
/// than the member does and no record follows. The member's check sum failed, or what was decompressed last is wrong,
/// so the record may be too, whole as it may look. Records that had ended well before in a large member are not meant.
pub(super) fn is_corrupt(window: &mut Window, end: usize, ending: Ending) -> bool {
    let cut = ending == Ending::CutShort && end == window.available().len();
    if !cut {
        let limit = end.saturating_add(STRIDE);
        if find_ahead(window, end, limit).is_some() || window.available().len() > limit {
            return false;
        }
    }
    let corrupt = window
        .damage()
        .is_some_and(|damage| damage.reason == Reason::CorruptMember);
    corrupt && (cut || window.last_member_begins_within(end))
}

/// Whether a segment that ends with these bytes ends inside the first line of a record.
pub(super) fn is_cut_version(bytes: &[u8]) -> bool {
    let magic = b"WARC/";
    magic.starts_with(bytes)
        || bytes.starts_with(magic) && bytes.len() < 16 && !bytes.contains(&b'\n')
}
