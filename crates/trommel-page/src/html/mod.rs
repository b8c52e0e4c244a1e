//! Bytes to [`Page`], and the segmenters that group a page's leaves into blocks.
//!
//! Parsing cannot fail: whatever the bytes are, there is a page, if an empty one. What the limits cut is said in
//! [`Page::limit`].

mod builder;
pub mod charset;
#[cfg(test)]
#[path = "conformance/tests.rs"]
mod conformance;
mod flatten;
mod limits;
mod markup;
mod offsets;
mod plain;
pub mod segment;
mod source;
mod tokenizer;
mod tree;
mod unescape;

use std::borrow::Cow;

use crate::page::{Page, ParseLimit};

pub use charset::Charset;
pub use limits::Limits;
pub use plain::parse_plain;
pub use source::{Source, parse_with_source};
pub use unescape::unescape;

/// Decodes and parses a payload. `declared` is the charset of the HTTP header, if there was one.
pub fn parse(bytes: &[u8], charset: Charset, declared: Option<&str>, limits: &Limits) -> Page {
    let cut = bytes.len() > limits.bytes;
    let bytes = if cut { &bytes[..limits.bytes] } else { bytes };
    let mut page = parse_text(&charset::decode(bytes, charset, declared), limits);
    if cut {
        page.limit = Some(ParseLimit::Bytes);
    }
    page
}

/// Parses decoded markup as the HTML standard says (scripting off), with two departures, both to lose no text: a raw
/// text element (title, script, style …) that is never closed is closed early (see the repair module), and the
/// limits hold.
pub fn parse_text(markup: &str, limits: &Limits) -> Page {
    // What decoding takes away stands in texts that come from elsewhere.
    let markup = markup.strip_prefix('\u{feff}').unwrap_or(markup);
    let end = markup.floor_char_boundary(MOST_MARKUP);
    let cut = (end < markup.len()).then_some(ParseLimit::Bytes);
    let markup = normalize_line_breaks(&markup[..end]);
    let tree = tokenizer::parse(&markup, limits, MOST_REPAIRS, false);
    let mut page = flatten::flatten(&tree, &markup);
    page.limit = cut.or(tree.limit);
    page
}

/// How many raw text elements that are never closed are closed early. A page has few, and one that has more is not markup.
const MOST_REPAIRS: u32 = 3;

/// Places in the markup and in what is made of its references (at most thrice as long) fit 32 bits.
const MOST_MARKUP: usize = 1 << 29;

/// CR LF and CR alone become LF: HTML standard §13.2.3.5.
fn normalize_line_breaks(markup: &str) -> Cow<'_, str> {
    let bytes = markup.as_bytes();
    let Some(first) = memchr::memchr(b'\r', bytes) else {
        return Cow::Borrowed(markup);
    };
    let mut normal = String::with_capacity(markup.len());
    normal.push_str(&markup[..first]);
    let mut at = first;
    while at < bytes.len() {
        // A carriage return stands here.
        normal.push('\n');
        at += if bytes.get(at + 1) == Some(&b'\n') {
            2
        } else {
            1
        };
        let rest = &bytes[at..];
        let end = memchr::memchr(b'\r', rest).map_or(bytes.len(), |found| at + found);
        normal.push_str(&markup[at..end]);
        at = end;
    }
    Cow::Owned(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks() {
        for (markup, expected) in [
            ("a\nb", "a\nb"),
            ("\r\na\r\r\nb\r", "\na\n\nb\n"),
            ("\n\r\n\r", "\n\n\n"),
        ] {
            assert_eq!(normalize_line_breaks(markup), expected);
        }
    }
}
