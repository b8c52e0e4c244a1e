//! jusText's stop lists of a hundred languages: the most frequent words of the language's Wikipedia.
//!
//! They come with the crate `justext`, byte for byte those of jusText 3.0.2; nothing else of that crate is used.

use std::collections::HashSet;

use ::justext::stoplists;

/// The frequent words of a language, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopList {
    /// None where stop words are not looked at.
    words: Option<HashSet<String>>,
}

impl StopList {
    /// The list of a language, in any case and with `_` for a space; the empty one for `none`. None if there is no such list.
    pub fn of(language: &str) -> Option<StopList> {
        let words = match language {
            "none" => None,
            language => Some(stoplists::get_stoplist(language).ok()?),
        };
        Some(StopList { words })
    }

    /// The languages there are lists of, in alphabetical order.
    pub fn languages() -> Vec<&'static str> {
        stoplists::available_languages()
    }

    /// Is this no list?
    pub fn is_none(&self) -> bool {
        self.words.is_none()
    }

    /// Is the word among them, its case aside?
    pub fn contains(&self, word: &str) -> bool {
        let words = self.words.as_ref();
        words.is_some_and(|words| words.contains(&word.to_lowercase()))
    }
}
