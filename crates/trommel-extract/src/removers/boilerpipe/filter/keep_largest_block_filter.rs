//! `KeepLargestBlockFilter`: of the content blocks only the one with the most words stays content, the first of equals.
//! All others might be content. A single block is left as it is.

use super::Document;

pub fn apply(document: &mut Document) {
    if document.blocks.len() < 2 {
        return;
    }
    let mut largest = None;
    let mut most_words = 0;
    for (at, block) in document.blocks.iter().enumerate() {
        if block.is_content && (largest.is_none() || block.num_words > most_words) {
            largest = Some(at);
            most_words = block.num_words;
        }
    }
    for (at, block) in document.blocks.iter_mut().enumerate() {
        block.is_content = largest == Some(at);
        block.marks.might_be_content |= !block.is_content;
    }
}
