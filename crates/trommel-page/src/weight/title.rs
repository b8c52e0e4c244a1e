//! Titles of pages as blocks.

use trommel_text::{LineCounter, count_tokens, measured_tokens_of_white_space};

use crate::page::{Block, Tag};

/// The title of a page as a block: its words, tokens, and wrapped lines; the tag `title`; no links.
pub fn title_block(title: &str) -> Block {
    let (num_tokens, num_words) = count_tokens(title);
    let mut lines = LineCounter::default();
    measured_tokens_of_white_space(title)
        .filter(|token| token.is_word)
        .for_each(|token| lines.push_length(token.length));
    let lines = lines.finish();
    Block {
        text: title.to_owned(),
        tag: Tag::Title,
        num_words,
        num_tokens,
        num_linked_words: 0,
        num_words_in_full_lines: lines.units_in_full_lines,
        num_lines: lines.lines,
    }
}
