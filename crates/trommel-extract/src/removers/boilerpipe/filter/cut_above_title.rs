//! Drops what stands above a clearly identifiable title (WSDM 2010 §4.3.2, Main Content Filter). Not in boilerpipe, whose
//! published extractors only fill the gap between title and content.
//!
//! The paper does not say which of several blocks with the title's text is meant: here it is the last one that stands
//! before the content block with the most words.

use super::Document;

pub fn apply(document: &mut Document) {
    let mut largest = None;
    let mut most_words = 0;
    for (at, block) in document.blocks.iter().enumerate() {
        if block.is_content && (largest.is_none() || block.num_words > most_words) {
            largest = Some(at);
            most_words = block.num_words;
        }
    }
    let before = &document.blocks[..largest.unwrap_or(0)];
    if let Some(title) = before.iter().rposition(|block| block.marks.title) {
        document.blocks.drain(..title);
    }
}
