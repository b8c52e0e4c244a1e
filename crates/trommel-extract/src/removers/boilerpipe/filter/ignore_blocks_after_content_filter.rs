//! `IgnoreBlocksAfterContentFilter`: nothing is content from a mark of the text's end on, if enough content stands before.

use super::Document;

/// Words of full text before a mark counts; the original's default.
pub const MIN_WORDS: u32 = 60;
/// Least text density of full text (`HeuristicFilterBase`).
const FULL_TEXT_DENSITY: f32 = 9.0;

pub fn apply(document: &mut Document, min_words: u32) {
    let mut words = 0;
    let mut ended = false;
    for block in &mut document.blocks {
        if block.is_content && block.text_density() >= FULL_TEXT_DENSITY {
            words += block.num_words;
        }
        ended |= block.marks.end_of_text && words >= min_words;
        if ended {
            block.is_content = false;
        }
    }
}
