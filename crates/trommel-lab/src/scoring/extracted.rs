//! The text that an extractor leaves.

use trommel_extract::{Extractor, Subject};
use trommel_page::Tag;

use crate::score::Text;

/// The text of an extractor: that of its content blocks on its own segmenter, a line each.
pub fn extracted(extractor: &Extractor, subject: &Subject) -> Text {
    let mut text = Text::default();
    for block in extractor.content(subject) {
        text.plain.push_str(&block.text);
        text.plain.push('\n');
        text.marked.extend_from_slice(match block.tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => b"<h>",
            Tag::Li | Tag::Dt | Tag::Dd => b"<l>",
            _ => b"<p>",
        });
        text.marked.extend_from_slice(block.text.as_bytes());
        text.marked.push(b'\n');
    }
    text
}
