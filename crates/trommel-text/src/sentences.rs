//! Sentences.

use unicode_segmentation::UnicodeSegmentation;

/// The sentences of a text by UAX #29, none across the end of a line, white space collapsed, blank ones left out.
pub fn sentences(text: &str) -> impl Iterator<Item = String> {
    text.lines()
        .flat_map(|line| line.split_sentence_bounds())
        .map(|sentence| sentence.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|sentence| !sentence.is_empty())
}
