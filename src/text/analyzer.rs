//! Analyzers: from text to index terms. Named and versioned, for the manifest of an index.

use serde::{Deserialize, Serialize};

use super::porter::stem;
use super::words::for_each_word;

/// A named way to make index terms of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Analyzer {
    /// Words of UAX #29, English possessive removed, lower case, without Lucene's 33 English stop words, Porter's stemmer of
    /// 1980 in Snowball's rendering: the chain of Lucene's `EnglishAnalyzer`.
    ///
    /// Where it differs from Lucene's: the stemmer is that of the paper, without the two rules that Porter's later program
    /// and Lucene have (`bli` to `ble`, `logi` to `log`); scripts that are written without spaces are cut as UAX #29 cuts
    /// them without a dictionary, character by character.
    English,
    /// Words of UAX #29 in lower case.
    Plain,
    /// What stands between white space, as it is.
    None,
}

/// What a manifest says of an analyzer, so that an index is not read with another one of the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalyzerDescription {
    /// Its name in flags.
    pub name: Analyzer,
    /// Goes up whenever the terms that it makes change.
    pub version: u32,
    /// How text is cut.
    pub tokenizer: String,
    /// The words that are left out.
    pub stop_words: Vec<String>,
    /// The stemmer, or none.
    pub stemmer: Option<String>,
}

/// One term and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term<'a> {
    /// The index term.
    pub term: &'a str,
    /// Where the word that it was made of begins in the text, in bytes.
    pub start: usize,
    /// Where that word ends.
    pub end: usize,
    /// Number of the word in the text, stop words counted, from 0.
    pub position: usize,
}

/// Lucene's `EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`.
pub const ENGLISH_STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

const LONGEST_STOP_WORD: usize = 5;

/// A longer word is cut into pieces of so many characters, as Lucene's `StandardTokenizer` does.
const MAX_TERM_CHARS: usize = 255;

impl Analyzer {
    /// All analyzers with their names.
    pub const ALL: [(&'static str, Analyzer); 3] = [
        ("english", Analyzer::English),
        ("plain", Analyzer::Plain),
        ("none", Analyzer::None),
    ];

    /// The analyzer of a name.
    pub fn by_name(name: &str) -> Option<Analyzer> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, a)| *a)
    }

    /// The name in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Analyzer::English => "english",
            Analyzer::Plain => "plain",
            Analyzer::None => "none",
        }
    }

    /// What the manifest says of it.
    pub fn describe(self) -> AnalyzerDescription {
        let english = self == Analyzer::English;
        AnalyzerDescription {
            name: self,
            version: 1,
            tokenizer: match self {
                Analyzer::English | Analyzer::Plain => "words of UAX #29, lower case",
                Analyzer::None => "white space",
            }
            .to_owned(),
            stop_words: if english {
                ENGLISH_STOP_WORDS.map(str::to_owned).to_vec()
            } else {
                Vec::new()
            },
            stemmer: english
                .then(|| "Porter 1980 (Snowball), words of three letters or more".to_owned()),
        }
    }

    /// Calls `each` with every term of the text, in order.
    pub fn for_each_term(self, text: &str, mut each: impl FnMut(Term<'_>)) {
        let mut position = 0;
        let mut terms = TermBuffer::default();
        self.for_each_word(text, |start, word| {
            if let Some(term) = terms.make(self, word) {
                each(Term {
                    term,
                    start,
                    end: start + word.len(),
                    position,
                });
            }
            position += 1;
        });
    }

    /// Calls `each` with every word of the text and the place where it begins, in order. Those that a term is made of: long
    /// words in pieces.
    pub(super) fn for_each_word(self, text: &str, mut each: impl FnMut(usize, &str)) {
        let mut cut = |start: usize, word: &str| {
            // Every character is a byte at least, so most words need no counting.
            if word.len() <= MAX_TERM_CHARS {
                each(start, word);
            } else {
                pieces(word).for_each(|(offset, piece)| each(start + offset, piece));
            }
        };
        match self {
            Analyzer::English | Analyzer::Plain => for_each_word(text, cut),
            Analyzer::None => {
                for word in text.split_whitespace() {
                    cut(word.as_ptr() as usize - text.as_ptr() as usize, word);
                }
            }
        }
    }

    /// The terms of a text, in order.
    pub fn terms(self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.for_each_term(text, |term| terms.push(term.term.to_owned()));
        terms
    }
}

/// A word in pieces of at most [`MAX_TERM_CHARS`] characters, with their offsets.
fn pieces(word: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let rest = &word[offset..];
        let end = rest.char_indices().nth(MAX_TERM_CHARS);
        let length = end.map_or(rest.len(), |(at, _)| at);
        let piece = (offset, &rest[..length]);
        offset += length;
        (length > 0).then_some(piece)
    })
}

/// Buffers of the term that is being made, kept from word to word.
#[derive(Debug, Default)]
pub(super) struct TermBuffer {
    lower: String,
}

impl TermBuffer {
    /// The term of a word; none for a stop word.
    pub(super) fn make<'a>(&'a mut self, analyzer: Analyzer, word: &'a str) -> Option<&'a str> {
        if analyzer == Analyzer::None {
            return Some(word);
        }
        let word = if analyzer == Analyzer::English {
            without_possessive(word)
        } else {
            word
        };
        self.lower.clear();
        if word.is_ascii() {
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        if analyzer == Analyzer::Plain {
            return Some(&self.lower);
        }
        if self.lower.is_empty() || is_stop_word(&self.lower) {
            return None;
        }
        // As in Porter's own program and in Lucene, words of one or two letters are left alone: nothing would be left of "s".
        if self.lower.chars().nth(2).is_some() {
            let mut word = std::mem::take(&mut self.lower).into_bytes();
            stem(&mut word);
            self.lower = String::from_utf8(word).unwrap_or_default();
        }
        Some(&self.lower)
    }
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

    #[track_caller]
    fn check(analyzer: Analyzer, text: &str, expected: &[&str]) {
        assert_eq!(analyzer.terms(text), expected);
    }

    #[test]
    fn stop_words() {
        assert!(ENGLISH_STOP_WORDS.is_sorted());
        let longest = ENGLISH_STOP_WORDS.iter().map(|word| word.len()).max();
        assert_eq!(longest, Some(LONGEST_STOP_WORD));
    }

    /// Stems from Porter's paper ("An algorithm for suffix stripping", 1980) where it gives examples.
    #[test]
    fn english() {
        check(
            Analyzer::English,
            "The caresses of ponies' CATS, relational vietnamization",
            &["caress", "poni", "cat", "relat", "vietnam"],
        );
        check(
            Analyzer::English,
            "Bush's and Bush\u{2019}s U.S. 3,000.50",
            &["bush", "bush", "u.", "3,000.50"],
        );
    }

    #[test]
    fn plain_and_none() {
        check(
            Analyzer::Plain,
            "The Cat's (meow) — Straße",
            &["the", "cat's", "meow", "straße"],
        );
        check(
            Analyzer::None,
            " The Cat's\u{a0}(meow) ",
            &["The", "Cat's", "(meow)"],
        );
    }

    #[test]
    fn positions_and_offsets() {
        let mut found = Vec::new();
        Analyzer::English.for_each_term("the quick, lazy foxes", |t| {
            found.push((t.term.to_owned(), t.start, t.end, t.position));
        });
        let expected = [("quick", 4, 9, 1), ("lazi", 11, 15, 2), ("fox", 16, 21, 3)];
        assert_eq!(found, expected.map(|(t, s, e, p)| (t.to_owned(), s, e, p)));
    }

    #[test]
    fn long_words_are_cut() {
        let word = "é".repeat(600);
        let lengths: Vec<usize> = Analyzer::Plain
            .terms(&word)
            .iter()
            .map(|t| t.chars().count())
            .collect();
        assert_eq!(lengths, [255, 255, 90]);
    }
}
