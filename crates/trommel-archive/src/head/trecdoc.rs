//! The parts of a TREC web document, whose form the reader of TREC web shows.

use memchr::{memchr2, memmem};

use super::header::{Fields, holds_controls, line};
use super::http::{begins_with_status, content_type, status, trimmed};

/// Longest part of a document before its page.
pub(crate) const MAX_HEADER: usize = 256 * 1024;

/// The parts of a document.
#[derive(Debug, Default)]
pub(crate) struct Parsed<'a> {
    pub(crate) docno: String,
    pub(crate) url: String,
    pub(crate) date: String,
    pub(crate) status: Option<u16>,
    pub(crate) media_type: Option<String>,
    pub(crate) fields: Fields,
    pub(crate) body: &'a [u8],
    /// `</DOCHDR>` is missing.
    pub(crate) unclosed_header: bool,
    /// What stands before the page holds control characters: something was lost, perhaps the end of one header and the
    /// beginning of another.
    pub(crate) damaged_header: bool,
}

/// Takes a document apart; `bytes` begins with `<DOC>` and ends before `</DOC>`.
pub(crate) fn parse(bytes: &[u8]) -> Parsed<'_> {
    let mut parsed = Parsed::default();
    let search = &bytes[..bytes.len().min(MAX_HEADER)];
    let Some(begin) = memmem::find(search, b"<DOCHDR>") else {
        // Where the end tag is missing, too, the line ends it: not all of the document is its header.
        let begin = memmem::find(search, b"<DOCNO>").map_or(0, |at| at + b"<DOCNO>".len());
        let end = memmem::find(search, b"</DOCNO>").map(|at| at + b"</DOCNO>".len());
        let end = end.or_else(|| memchr2(b'\n', b'<', &search[begin..]).map(|at| begin + at));
        let end = end.unwrap_or(search.len());
        parsed.docno = element(&bytes[..end], "DOCNO");
        parsed.body = &bytes[end..];
        return parsed;
    };
    let preamble = &bytes[..begin];
    let inside = &bytes[begin + b"<DOCHDR>".len()..];
    let header = match memmem::find(&inside[..inside.len().min(MAX_HEADER)], b"</DOCHDR>") {
        Some(end) => {
            let body = &inside[end + b"</DOCHDR>".len()..];
            let body = body.strip_prefix(b"\r").unwrap_or(body);
            parsed.body = body.strip_prefix(b"\n").unwrap_or(body);
            &inside[..end]
        }
        None => {
            parsed.unclosed_header = true;
            let search = &inside[..inside.len().min(MAX_HEADER)];
            let end = memmem::find(search, b"\n<").map_or(search.len(), |at| at + 1);
            parsed.body = &inside[end..];
            &inside[..end]
        }
    };
    parsed.damaged_header = holds_controls(preamble) || holds_controls(header);
    read_header(header, &mut parsed);
    parsed.docno = element(preamble, "DOCNO");
    for (value, name) in [
        (&mut parsed.url, "PERMALINK"),
        (&mut parsed.date, "DATE_XML"),
    ] {
        let element = element(preamble, name);
        if !element.is_empty() {
            *value = element;
        }
    }
    if parsed.date.is_empty() {
        parsed.date = parsed.fields.get("date").unwrap_or_default().to_owned();
    }
    parsed
}

/// Reads the lines between `<DOCHDR>` and `</DOCHDR>`.
fn read_header(header: &[u8], parsed: &mut Parsed<'_>) {
    let mut rest = header;
    let mut first = true;
    while !rest.is_empty() {
        let (text, length) = line(rest).unwrap_or((rest, rest.len()));
        rest = &rest[length..];
        if text.trim_ascii().is_empty() {
            continue;
        }
        if std::mem::take(&mut first) && !begins_with_status(text) {
            let words = trimmed(text);
            let mut words = words.split_ascii_whitespace();
            parsed.url = words.next().unwrap_or_default().to_owned();
            for word in words {
                // WT10g: address, date of 14 digits, media type, length.
                if word.len() == 14 && word.bytes().all(|byte| byte.is_ascii_digit()) {
                    parsed.date = word.to_owned();
                } else if word.contains('/') {
                    parsed.media_type = content_type([word]).0;
                }
            }
        } else if begins_with_status(text) {
            parsed.status = status(text);
        } else {
            parsed.fields.push(text);
        }
    }
}

/// The content of an element of the preamble.
fn element(preamble: &[u8], name: &str) -> String {
    let begin = format!("<{name}>");
    let Some(at) = memmem::find(preamble, begin.as_bytes()) else {
        return String::new();
    };
    let content = &preamble[at + begin.len()..];
    let end = memmem::find(content, format!("</{name}>").as_bytes());
    let end = end
        .or_else(|| memchr2(b'\n', b'<', content))
        .unwrap_or(content.len());
    trimmed(&content[..end])
}
