//! jusText's stop lists of a hundred languages: the most frequent words of the language's Wikipedia.
//!
//! They come with the crate `justext`, byte for byte those of jusText 3.0.2; nothing else of that crate is used.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use justext::stoplists;
use trommel_text::packed::{hash, pack, to_ascii_lowercase};

/// The frequent words of a language, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopList {
    /// None where stop words are not looked at.
    words: Option<HashSet<String>>,
    /// The short ones of ASCII among them.
    packed: HashSet<u128, BuildHasherDefault<PackedHasher>>,
}

/// The hash of a packed word.
#[derive(Debug, Clone, Default)]
struct PackedHasher(u64);

impl Hasher for PackedHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u128((*byte).into()));
    }

    fn write_u128(&mut self, packed: u128) {
        self.0 = hash(packed ^ u128::from(self.0));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl StopList {
    /// The list of a language, in any case and with `_` for a space; the empty one for `none`. None if there is no such list.
    pub fn of(language: &str) -> Option<StopList> {
        let words = match language {
            "none" => None,
            language => Some(stoplists::get_stoplist(language).ok()?),
        };
        let packed = words.iter().flatten();
        let packed = packed
            .filter_map(|word| pack(word, 0, word.len()).and_then(to_ascii_lowercase))
            .collect();
        Some(StopList { words, packed })
    }

    /// The languages there are lists of, in alphabetical order.
    pub fn languages() -> Vec<&'static str> {
        stoplists::available_languages()
    }

    /// Returns whether this is no list.
    pub fn is_none(&self) -> bool {
        self.words.is_none()
    }

    /// Returns whether the word is among them, its case aside.
    pub fn contains(&self, word: &str) -> bool {
        self.contains_at(word, 0, word.len())
    }

    /// Is the word of so many bytes that begins at `start` in a text among them?
    pub(super) fn contains_at(&self, text: &str, start: usize, length: usize) -> bool {
        match pack(text, start, length).and_then(to_ascii_lowercase) {
            Some(packed) => self.packed.contains(&packed),
            None => {
                let words = self.words.as_ref();
                let word = || text[start..start + length].to_lowercase();
                words.is_some_and(|words| words.contains(&word()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed or not, what is in a list is found and nothing else.
    #[test]
    fn all_lists() {
        for language in StopList::languages() {
            let list = StopList::of(language).unwrap();
            let words = list.words.clone().unwrap();
            for word in &words {
                for asked in [
                    word.clone(),
                    word.to_uppercase(),
                    format!("{word}x"),
                    format!("{word}{word}"),
                    word.chars().skip(1).collect(),
                ] {
                    let expected = words.contains(&asked.to_lowercase());
                    assert_eq!(list.contains(&asked), expected, "{language} {asked}");
                }
            }
        }
    }
}
