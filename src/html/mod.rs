//! Bytes to [`Page`], and the segmenters that group a page's leaves into blocks.
//!
//! Parsing cannot fail: whatever the bytes are, there is a page, if an empty one. What the limits cut is said in
//! [`Page::limit`].

mod attributes;
pub mod charset;
mod feed;
mod flatten;
mod formatting;
mod limited;
mod plain;
mod repair;
pub mod segment;
mod tree;
mod unescape;

use std::borrow::Cow;

use crate::page::{Page, ParseLimit};

pub use charset::Charset;
pub use plain::parse_plain;
pub use unescape::unescape;

/// Bounds on what one page may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of payload that are parsed; what follows is left out.
    pub bytes: usize,
    /// Depth of the tree. Browsers stop at 512 as well.
    pub depth: u16,
    /// Attributes of one element; the tokenizer's duplicate check is quadratic in them.
    pub attributes: usize,
    /// Nodes of the tree: the standard's re-opening of formatting elements can multiply them.
    pub nodes: usize,
    /// Steps of the parser's searches for open elements, of which an ordinary page takes some dozens for a tag.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 32 << 20,
            depth: 512,
            attributes: 1024,
            nodes: 4_000_000,
            work: 1 << 31,
        }
    }
}

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
    let mut markup = Cow::Borrowed(markup);
    let mut tree = tree::parse(&markup, limits);
    // Each round closes one element; a page has few, and markup that has more is not worth more passes.
    for _ in 0..3 {
        let Some(tag) = &tree.unclosed else { break };
        let Some(closed) = repair::close(&markup, tag) else {
            break;
        };
        markup = Cow::Owned(closed);
        tree = tree::parse(&markup, limits);
    }
    let mut page = flatten::flatten(&tree);
    page.limit = tree.limit;
    page
}
