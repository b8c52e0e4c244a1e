//! Which format a file is in, told by its first decompressed bytes and, where they are damaged, its name.

use memchr::memmem;

use super::jsonl;
use crate::head::header::{begins_record, line};
use crate::head::http::looks_like_html;
use crate::head::url_line;
use crate::options::Format;

/// Decompressed bytes looked at.
pub(crate) const SNIFF: usize = 64 * 1024;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sniffed {
    Known(Format),
    Unknown,
}

/// Tells the format of a file called `name` that begins with `bytes`; `complete` says that these are all.
pub(crate) fn sniff(bytes: &[u8], complete: bool, name: &str) -> Sniffed {
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let text = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let is_html_name = [".html", ".htm"].iter().any(|end| name.ends_with(end));
    if begins_record(text) {
        Sniffed::Known(warc_or_wet(bytes))
    } else if url_line::begins_record(text) {
        Sniffed::Known(Format::Arc)
    } else if text.starts_with(b"<DOC>") {
        Sniffed::Known(Format::TrecWeb)
    } else if is_html_name {
        Sniffed::Known(Format::Html)
    } else if holds(bytes, b"\nWARC/", |line| begins_record(&line[1..])) || name.contains(".warc") {
        Sniffed::Known(warc_or_wet(bytes))
    } else if text.starts_with(b"filedesc://")
        || name.contains(".arc.")
        || name.ends_with(".arc")
        || holds(bytes, b"\n", |line| url_line::begins_record(&line[1..]))
    {
        Sniffed::Known(Format::Arc)
    } else if holds(bytes, b"\n<DOC>", |line| {
        memmem::find(&line[..line.len().min(256)], b"<DOCNO>").is_some()
    }) || is_permalinks(&name)
    {
        Sniffed::Known(Format::TrecWeb)
    } else if jsonl::begins_file(bytes, complete) || is_jsonl_name(&name) {
        Sniffed::Known(Format::Jsonl)
    } else if looks_like_html(bytes) || name == "-" && begins_html_soon(bytes) {
        Sniffed::Known(Format::Html)
    } else {
        Sniffed::Unknown
    }
}

/// The format of a collection of pages that a file begins as: no page begins so.
pub(crate) fn begins_collection(bytes: &[u8], complete: bool) -> Option<Format> {
    let text = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let head = &text[..text.len().min(256)];
    if begins_record(text) {
        Some(warc_or_wet(bytes))
    } else if url_line::begins_record(text) || text.starts_with(b"filedesc://") {
        Some(Format::Arc)
    } else if text.starts_with(b"<DOC>") && memmem::find(head, b"<DOCNO>").is_some() {
        Some(Format::TrecWeb)
    } else {
        jsonl::begins_file(bytes, complete).then_some(Format::Jsonl)
    }
}

/// The first record that is neither `warcinfo` nor `metadata` decides.
fn warc_or_wet(bytes: &[u8]) -> Format {
    let mut rest = bytes;
    while let Some(at) = memmem::find(rest, b"\nWARC-Type:") {
        rest = &rest[at + 1..];
        let Some((line, length)) = line(rest) else {
            break;
        };
        let kind = line[b"WARC-Type:".len()..]
            .trim_ascii()
            .to_ascii_lowercase();
        match kind.as_slice() {
            b"warcinfo" | b"metadata" => rest = &rest[length..],
            b"conversion" => return Format::Wet,
            _ => break,
        }
    }
    Format::Warc
}

fn is_jsonl_name(name: &str) -> bool {
    let plain = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let plain = plain.unwrap_or(name);
    plain.ends_with(".jsonl") || plain.ends_with(".ndjson")
}

/// Is there a doctype or html tag among the first bytes? What comes by standard input has no name that would tell it, and
/// the pages of some corpora begin with a line of their own (CleanEval's with `<text id=…>`).
fn begins_html_soon(bytes: &[u8]) -> bool {
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    [&b"<!doctype html"[..], b"<html"]
        .iter()
        .any(|tag| memmem::find(&head, tag).is_some())
}

fn holds(bytes: &[u8], needle: &[u8], good: impl Fn(&[u8]) -> bool) -> bool {
    memmem::find_iter(bytes, needle).any(|hit| good(&bytes[hit..]))
}

/// A BLOGS06 file of blog posts, `permalinks-NNN.gz`.
fn is_permalinks(name: &str) -> bool {
    is_numbered(name, "permalinks-")
}

/// A BLOGS06 file of feeds or of blogs' home pages, which retrieval experiments leave out.
pub(crate) fn is_blogs06_other(name: &str) -> bool {
    is_numbered(name, "feeds-") || is_numbered(name, "homepages-")
}

fn is_numbered(name: &str, prefix: &str) -> bool {
    let number = name
        .strip_prefix(prefix)
        .map(|rest| rest.strip_suffix(".gz").unwrap_or(rest));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
