//! The chain of Lucene's `EnglishAnalyzer`, but for the cutting of words.

use super::lower::to_lowercase;
use super::porter::stem;
use crate::ENGLISH_STOP_WORDS;

const LONGEST_STOP_WORD: usize = 5;

/// Puts the term of a word into `term`. Returns whether there is one: a stop word has none.
pub(super) fn make(word: &str, term: &mut String) -> bool {
    to_lowercase(without_possessive(word), term);
    if term.is_empty() || is_stop_word(term) {
        return false;
    }
    // As in Porter's own program and in Lucene, words of one or two letters are left alone: nothing would be left of "s".
    if term.chars().nth(2).is_some() {
        let mut word = std::mem::take(term).into_bytes();
        stem(&mut word);
        *term = String::from_utf8(word).unwrap_or_default();
    }
    true
}

fn is_stop_word(word: &str) -> bool {
    word.len() <= LONGEST_STOP_WORD && ENGLISH_STOP_WORDS.binary_search(&word).is_ok()
}

/// Lucene's `EnglishPossessiveFilter`: an apostrophe (U+0027, U+2019, U+FF07) and an s at the end are removed.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix(['s', 'S'])
        .and_then(|rest| rest.strip_suffix(['\'', '\u{2019}', '\u{ff07}']))
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words() {
        assert!(ENGLISH_STOP_WORDS.is_sorted());
        let longest = ENGLISH_STOP_WORDS.iter().map(|word| word.len()).max();
        assert_eq!(longest, Some(LONGEST_STOP_WORD));
    }
}
