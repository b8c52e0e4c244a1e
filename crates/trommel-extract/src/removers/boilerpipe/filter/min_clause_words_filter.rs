//! `MinClauseWordsFilter`: keeps content blocks with a clause of enough words in them.
//!
//! A clause ends with a letter or ASCII digit, at least one of `,.:;!?`, and white space (space, line feed, carriage
//! return) or the end of the text. Its words are what white space parts.

use trommel_text::is_letter_or_digit;

use super::Document;

/// Words of a clause; the original's default.
pub const MIN_WORDS: u32 = 5;

pub fn apply(document: &mut Document, min_words: u32) {
    for at in 0..document.blocks.len() {
        let block = &document.blocks[at];
        if block.is_content && !has_clause(&document.text(block), min_words) {
            document.blocks[at].is_content = false;
        }
    }
}

/// What the last characters were.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Space,
    Letter,
    /// Delimiters after a letter or digit.
    Delimiters,
    Other,
}

fn has_clause(text: &str, min_words: u32) -> bool {
    let mut words = 1;
    let mut last = Last::Other;
    // A Java pattern's `$` also stands before a line terminator at the end.
    let text = text.strip_suffix('\u{85}').unwrap_or(text);
    for c in text.chars() {
        last = match c {
            ' ' | '\n' | '\r' => {
                if last == Last::Delimiters {
                    if words >= min_words {
                        return true;
                    }
                    words = 1;
                } else if last != Last::Space {
                    words += 1;
                }
                Last::Space
            }
            ',' | '.' | ':' | ';' | '!' | '?'
                if matches!(last, Last::Letter | Last::Delimiters) =>
            {
                Last::Delimiters
            }
            c if ends_clause(c) => Last::Letter,
            _ => Last::Other,
        };
    }
    last == Last::Delimiters && words >= min_words
}

/// Java's `[\p{L}\d]`: of the digits only those of ASCII.
fn ends_clause(c: char) -> bool {
    is_letter_or_digit(c) && (c.is_ascii() || !c.is_numeric())
}
