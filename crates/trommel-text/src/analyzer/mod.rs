//! Analyzers: from text to index terms. Named and versioned, for the manifest of an index.

mod cjk;
mod english;
mod lower;
mod porter;
mod snowball;
mod terms;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use self::lower::to_lowercase;
use crate::names::choice;

pub use self::porter::stem as porter_stem;
pub use self::snowball::Language;
pub use self::terms::TermMaker;
pub use self::vocabulary::Vocabulary;

/// A named way to make index terms of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Words of UAX #29 in lower case, but pairs of neighbours of scripts that are written without spaces; characters of one width.
    Cjk,
    /// Words of UAX #29 in lower case, without the stop words of a language, Snowball's stemmer.
    Snowball(Language),
}

/// What a manifest says of an analyzer, so that an index is not read with another one of the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnalyzerDescription {
    /// Its name in flags.
    pub name: Analyzer,
    /// Goes up whenever the terms that it makes change.
    pub version: u32,
    /// How text is cut.
    pub tokenizer: String,
    /// Who publishes the words that are left out, and under which name; none if none are left out.
    pub stop_list: Option<String>,
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

/// A longer word is cut into pieces of so many characters, as Lucene's `StandardTokenizer` does.
const MAX_TERM_CHARS: usize = 255;

impl Analyzer {
    /// All analyzers, the languages of Snowball at the end, in alphabetical order.
    pub fn all() -> impl Iterator<Item = Analyzer> {
        let others = [
            Analyzer::English,
            Analyzer::Plain,
            Analyzer::None,
            Analyzer::Cjk,
        ];
        others
            .into_iter()
            .chain(Language::all().map(Analyzer::Snowball))
    }

    /// The analyzer of a name.
    pub fn by_name(name: &str) -> Option<Analyzer> {
        Self::all().find(|analyzer| analyzer.name() == name)
    }

    /// The name in flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Analyzer::English => "english",
            Analyzer::Plain => "plain",
            Analyzer::None => "none",
            Analyzer::Cjk => "cjk",
            Analyzer::Snowball(language) => language.name(),
        }
    }

    /// Returns the description of it that an index keeps.
    pub fn describe(self) -> AnalyzerDescription {
        AnalyzerDescription {
            name: self,
            version: 1,
            tokenizer: match self {
                Analyzer::English | Analyzer::Plain | Analyzer::Snowball(_) => {
                    "words of UAX #29, lower case"
                }
                Analyzer::None => "white space",
                Analyzer::Cjk => {
                    "words of UAX #29, lower case, one width; bigrams of scripts without spaces"
                }
            }
            .to_owned(),
            stop_list: self.stop_list(),
            stop_words: match self {
                Analyzer::English => crate::ENGLISH_STOP_WORDS.map(str::to_owned).to_vec(),
                Analyzer::Snowball(language) => language.stop_words().to_vec(),
                Analyzer::Plain | Analyzer::None | Analyzer::Cjk => Vec::new(),
            },
            stemmer: match self {
                Analyzer::English => {
                    Some("Porter 1980 (Snowball), words of three letters or more".to_owned())
                }
                Analyzer::Snowball(language) => Some(language.stemmer()),
                Analyzer::Plain | Analyzer::None | Analyzer::Cjk => None,
            },
        }
    }

    fn stop_list(self) -> Option<String> {
        match self {
            Analyzer::English => Some("Lucene, EnglishAnalyzer".to_owned()),
            Analyzer::Snowball(language) => language.stop_list(),
            Analyzer::Plain | Analyzer::None | Analyzer::Cjk => None,
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
    /// words in pieces; pairs of characters; an empty one for a place that has no term.
    pub(crate) fn for_each_word(self, text: &str, mut each: impl FnMut(usize, &str)) {
        let mut cut = |start: usize, word: &str| {
            // Every character is a byte at least, so most words need no counting.
            if word.len() <= MAX_TERM_CHARS {
                each(start, word);
            } else {
                pieces(word).for_each(|(offset, piece)| each(start + offset, piece));
            }
        };
        match self {
            Analyzer::English | Analyzer::Plain | Analyzer::Snowball(_) => {
                words::for_each_word(text, cut);
            }
            Analyzer::Cjk => cjk::for_each_word(text, cut),
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
pub(crate) struct TermBuffer {
    term: String,
}

impl TermBuffer {
    /// The term of a word; none for a stop word, and where there is no word.
    pub(crate) fn make<'a>(&'a mut self, analyzer: Analyzer, word: &'a str) -> Option<&'a str> {
        let term = &mut self.term;
        let is_made = match analyzer {
            Analyzer::None => return Some(word),
            Analyzer::English => english::make(word, term),
            Analyzer::Plain => {
                to_lowercase(word, term);
                true
            }
            Analyzer::Cjk => cjk::make(word, term),
            Analyzer::Snowball(language) => language.make(word, term),
        };
        is_made.then_some(&self.term)
    }
}

impl Serialize for Analyzer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Analyzer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Analyzer, D::Error> {
        let name = String::deserialize(deserializer)?;
        Analyzer::by_name(&name).ok_or_else(|| {
            let known: Vec<&str> = Analyzer::all().map(Analyzer::name).collect();
            let choice = choice(&name, &known);
            de::Error::custom(format!("no analyzer is called '{name}'; {choice}"))
        })
    }
}

impl<'de> Deserialize<'de> for AnalyzerDescription {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Written {
            name: Analyzer,
            version: u32,
            tokenizer: String,
            stop_list: Option<String>,
            stop_words: Vec<String>,
            stemmer: Option<String>,
        }
        let written = Written::deserialize(deserializer)?;
        Ok(AnalyzerDescription {
            name: written.name,
            version: written.version,
            tokenizer: written.tokenizer,
            // Manifests did not name it while there was one list; the words were there, and are compared.
            stop_list: written.stop_list.or_else(|| written.name.stop_list()),
            stop_words: written.stop_words,
            stemmer: written.stemmer,
        })
    }
}
