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
    if text.is_ascii() {
        return ends_ascii_text(text.as_bytes());
    }
    ends_lower_text(&text.to_lowercase())
}

fn ends_lower_text(text: &str) -> bool {
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    BEGINNINGS.iter().any(|words| text.starts_with(words))
        || after_number.len() < text.len()
            && AFTER_A_NUMBER
                .iter()
                .any(|words| after_number.starts_with(words))
        || ANYWHERE.iter().any(|words| text.contains(words))
        || text == WHOLE
}

/// The same for a text of ASCII, without making it lower case: most texts have none of these words.
fn ends_ascii_text(text: &[u8]) -> bool {
    let begins = |text: &[u8], words: &str| {
        let beginning = text.get(..words.len());
        beginning.is_some_and(|text| text.eq_ignore_ascii_case(words.as_bytes()))
    };
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let anywhere = |(at, byte): (usize, &u8)| {
        // What the words begin with, and have next.
        let next = text.get(at + 1).map(u8::to_ascii_lowercase);
        match (byte.to_ascii_lowercase(), next) {
            (b'w', Some(b'h')) | (b'a', Some(b'd')) | (b'r', Some(b'e')) | (b'h', Some(b'a')) => {
                ANYWHERE.iter().any(|words| begins(&text[at..], words))
            }
            _ => false,
        }
    };
    BEGINNINGS.iter().any(|words| begins(text, words))
        || digits > 0
            && AFTER_A_NUMBER
                .iter()
                .any(|words| begins(&text[digits..], words))
        || text.iter().enumerate().any(anywhere)
        || text.eq_ignore_ascii_case(WHOLE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words alone, inside others, cut short, in capitals, in texts of ASCII and (by a character at the end) of others.
    #[test]
    fn ascii_as_any_text() {
        let words = BEGINNINGS.iter().chain(&AFTER_A_NUMBER).chain(&ANYWHERE);
        for words in words.chain([&WHOLE, &"aadd commenting", &"what you think..", &"wha"]) {
            for before in ["", "7", "12", "x", "x ", "a", "wh", "3 x "] {
                for after in ["", "s", " x", ". Add it"] {
                    for cut in 0..3.min(words.chars().count()) {
                        let words: String = words.chars().skip(cut).collect();
                        let text = format!("{before}{words}{after}");
                        for text in [text.clone(), text.to_uppercase()] {
                            let lower = text.to_lowercase();
                            let text = text.as_bytes();
                            if text.is_ascii() {
                                assert_eq!(
                                    ends_ascii_text(text),
                                    ends_lower_text(&lower),
                                    "{lower}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
