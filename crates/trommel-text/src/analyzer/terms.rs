//! Makes the terms of many texts, and remembers what became of the words that came last.

use super::Analyzer;
use super::TermBuffer;
use crate::packed::{hash, length, pack};

/// An analyzer at work. It keeps buffers and the terms of words from text to text, so it is made once for many texts; what
/// it gives does not depend on what came before.
#[derive(Debug)]
pub struct TermMaker {
    analyzer: Analyzer,
    terms: TermBuffer,
    known: Vec<Places>,
    joined: Vec<u8>,
}

/// A word and its term, both as [`pack`] makes them; the term is empty for a word that is left out.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    word: u128,
    term: u128,
}

/// Where a word can be remembered: the one that was asked for last stands first. A line of a processor's cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Places([Known; 2]);

/// How many [`Places`] there are, as a power of two. They take half a megabyte; one word of seven of English pages is not found in
/// them, and of twice as many one of eleven.
const PLACES_BITS: u32 = 13;

impl TermMaker {
    /// An analyzer that has seen nothing yet.
    pub fn new(analyzer: Analyzer) -> TermMaker {
        TermMaker {
            analyzer,
            terms: TermBuffer::default(),
            known: vec![Places::default(); 1 << PLACES_BITS],
            joined: Vec::new(),
        }
    }

    /// Appends the terms of a text to `joined`: those of [`Analyzer::for_each_term`], in order, and before each so many
    /// separators that there are as many in front of it, from the text's beginning, as its position says. So the place of a
    /// word that was left out is empty, and nothing follows the last term. Gives the number of terms.
    pub fn append_joined(&mut self, text: &str, separator: char, joined: &mut String) -> u64 {
        let mut buffer = [0; 4];
        let separator = separator.encode_utf8(&mut buffer).as_bytes();
        let TermMaker {
            analyzer,
            terms,
            known,
            joined: bytes,
        } = self;
        bytes.clear();
        let (mut count, mut separators) = (0, 0);
        analyzer.for_each_word(text, |start, word| {
            let packed = pack(text, start, word.len())
                .and_then(|packed| recall(known, packed, || terms.make(*analyzer, word)));
            let term = match packed {
                Some(0) => None,
                Some(term) => Some(Made::Packed(term)),
                None => terms.make(*analyzer, word).map(Made::Long),
            };
            let Some(term) = term else {
                separators += 1;
                return;
            };
            for _ in 0..separators {
                bytes.extend(separator);
            }
            match term {
                Made::Packed(term) => {
                    let end = bytes.len() + length(term);
                    bytes.extend_from_slice(&term.to_le_bytes());
                    bytes.truncate(end);
                }
                Made::Long(term) => bytes.extend_from_slice(term.as_bytes()),
            }
            count += 1;
            separators = 1;
        });
        // It is: whole terms and separators.
        joined.push_str(std::str::from_utf8(bytes).unwrap_or_default());
        count
    }
}

/// A term, remembered or not.
enum Made<'a> {
    Packed(u128),
    Long(&'a str),
}

/// The term of a packed word, which is made if it is not known; 0 for a word that is left out. None if it is too long.
fn recall<'a>(
    known: &mut [Places],
    word: u128,
    make: impl FnOnce() -> Option<&'a str>,
) -> Option<u128> {
    let Places([first, second]) = known.get_mut(place(word))?;
    if first.word == word {
        return Some(first.term);
    }
    if second.word != word {
        let term = match make() {
            None => 0,
            Some("") => return None,
            Some(term) => pack(term, 0, term.len())?,
        };
        *second = Known { word, term };
    }
    std::mem::swap(first, second);
    Some(first.term)
}

/// Where a word is remembered.
fn place(word: u128) -> usize {
    (hash(word) >> (64 - PLACES_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    /// What [`TermMaker::append_joined`] appends, by the simple way.
    fn joined(analyzer: Analyzer, text: &str) -> (String, u64) {
        let mut joined = String::new();
        let (mut count, mut separators) = (0, 0);
        analyzer.for_each_term(text, |term| {
            while separators < term.position {
                joined.push('\n');
                separators += 1;
            }
            joined.push_str(term.term);
            count += 1;
        });
        (joined, count)
    }

    #[track_caller]
    fn check(maker: &mut TermMaker, text: &str) {
        let expected = joined(maker.analyzer, text);
        let mut found = "before".to_owned();
        let count = maker.append_joined(text, '\n', &mut found);
        let found = found.strip_prefix("before").map(str::to_owned);
        assert_eq!((found, count), (Some(expected.0), expected.1), "{text:?}");
    }

    #[test]
    fn places_of_words_that_are_left_out() {
        let mut joined = String::new();
        let mut maker = TermMaker::new(Analyzer::English);
        let count = maker.append_joined("The cat's in the Hats, is it?", '|', &mut joined);
        assert_eq!((joined.as_str(), count), ("|cat|||hat", 2));
    }

    /// The same words again and again, in texts of several lengths, so that most are known and some lose their places; of
    /// 14 to 17 bytes; of ASCII and others, also of scripts without spaces.
    #[test]
    fn random_texts() {
        let endings = [
            "",
            "s",
            "ing",
            "'s",
            "\u{2019}s",
            "ational",
            "é",
            "ß",
            "İ",
            "_",
            "学",
            "ｶﾞラスが",
            "น้ำใจ",
            "한국 Ａ",
            "字\u{200b}\u{fe00}",
        ];
        for analyzer in Analyzer::all() {
            let mut maker = TermMaker::new(analyzer);
            let mut random = SplitMix64::new(1);
            let mut below = |bound: u64| random.below(bound as usize) as u64;
            // The languages differ in the making of a term only.
            let texts = match analyzer {
                Analyzer::Snowball(_) => 100,
                _ => 3_000,
            };
            for _ in 0..texts {
                let mut text = String::new();
                for _ in 0..below(30) {
                    match below(4) {
                        0 => text += crate::ENGLISH_STOP_WORDS[below(33) as usize],
                        1 => text += &"Longword".repeat(below(40) as usize),
                        _ => {
                            let number = below(20_000);
                            let letters = number.to_string().replace(['1', '3', '7'], "at");
                            text += &letters.replace(['2', '4'], "E");
                        }
                    }
                    text += endings[below(endings.len() as u64) as usize];
                    text += [" ", ", ", "  ", ".", "-", " é "][below(6) as usize];
                }
                check(&mut maker, &text);
            }
        }
    }

    /// Words of characters of many scripts, as no language has them: no stemmer fails, and none gives an empty term.
    #[test]
    fn random_characters() {
        // Where letters, marks, digits and signs of scripts are, and how many characters.
        let blocks = [
            (0x61, 26),
            (0x41, 26),
            (0x27, 20),
            (0xc0, 0x180),
            (0x300, 0x70),
            (0x370, 0x190),
            (0x530, 0x1d0),
            (0x900, 0x80),
            (0xb80, 0x80),
            (0xe00, 0x80),
            (0x200b, 0x0f),
            (0x3040, 0xc0),
            (0xac00, 0x20),
            (0xff00, 0xe0),
        ];
        for analyzer in Analyzer::all() {
            let mut maker = TermMaker::new(analyzer);
            let mut random = SplitMix64::new(1);
            let mut below = |bound: u32| random.below(bound as usize) as u32;
            for _ in 0..1_000 {
                let (first, size) = blocks[below(blocks.len() as u32) as usize];
                let characters = (0..below(40)).filter_map(|_| {
                    let (first, size) = match below(4) {
                        0 => blocks[below(blocks.len() as u32) as usize],
                        _ => (first, size),
                    };
                    char::from_u32(first + below(size))
                });
                let text: String = characters.collect();
                check(&mut maker, &text);
                analyzer.for_each_term(&text, |term| {
                    assert!(!term.term.is_empty() && term.start < term.end, "{text:?}");
                });
            }
        }
    }

    #[test]
    fn lengths_about_the_longest() {
        for analyzer in Analyzer::all() {
            let mut maker = TermMaker::new(analyzer);
            for length in (0..40).chain(250..260) {
                for character in ["x", "é", "İ", "字"] {
                    let text = character.repeat(length);
                    check(&mut maker, &text);
                    check(&mut maker, &format!("{text} {text} the {text}"));
                }
            }
        }
    }
}
