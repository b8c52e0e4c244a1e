//! `TerminatingBlocksFinder`: marks short blocks that stand where an article ends, such as the heading of its comments.

use super::{Document, trimmed};

/// Blocks with as many words are not looked at.
const TOO_MANY_WORDS: u32 = 15;
/// Nor are texts with fewer UTF-16 units.
const MIN_LENGTH: usize = 8;

const BEGINNINGS: [&str; 4] = [
    "comments",
    "© reuters",
    "please rate this",
    "post a comment",
];
const AFTER_A_NUMBER: [&str; 2] = [" comments", " users responded in"];
const ANYWHERE: [&str; 7] = [
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
];
const WHOLE: &str = "thanks for your comments - this feedback is now closed";

pub fn apply(document: &mut Document) {
    for at in 0..document.blocks.len() {
        let block = &document.blocks[at];
        if block.num_words < TOO_MANY_WORDS && ends_text(&document.text(block)) {
            document.blocks[at].marks.end_of_text = true;
        }
    }
}

fn ends_text(text: &str) -> bool {
    let text = trimmed(text);
    if text.len() < MIN_LENGTH || text.encode_utf16().take(MIN_LENGTH).count() < MIN_LENGTH {
        return false;
    }
    let text = text.to_lowercase();
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    BEGINNINGS.iter().any(|words| text.starts_with(words))
        || after_number.len() < text.len()
            && AFTER_A_NUMBER
                .iter()
                .any(|words| after_number.starts_with(words))
        || ANYWHERE.iter().any(|words| text.contains(words))
        || text == WHOLE
}
