//! Makes the terms of many texts and numbers them, and remembers what became of the words that came last.

use super::{Analyzer, TermBuffer, Vocabulary};
use crate::packed::{hash, pack};

/// An analyzer at work. It keeps buffers and the terms of words from text to text, so it is made once for many texts; the terms
/// that it gives do not depend on what came before, but their numbers do.
#[derive(Debug)]
pub struct TermMaker {
    analyzer: Analyzer,
    terms: TermBuffer,
    known: Vec<Places>,
    vocabulary: Vocabulary,
}

/// A word, as [`pack`] makes it, and the number of its term; none for a word that is left out.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    word: u128,
    term: Option<u32>,
}

/// Where a word can be remembered: the one that was asked for last stands first. A line of a processor's cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Places([Known; 2]);

/// How many [`Places`] there are, as a power of two. They take two megabytes, which a core's own cache has; with a quarter of them, where
/// one word of seven of English pages is not found, building an index took an eighth longer, and with twice as many no less.
const PLACES_BITS: u32 = 15;

impl TermMaker {
    /// An analyzer that has seen nothing yet.
    pub fn new(analyzer: Analyzer) -> TermMaker {
        TermMaker {
            analyzer,
            terms: TermBuffer::default(),
            known: vec![Places::default(); 1 << PLACES_BITS],
            vocabulary: Vocabulary::default(),
        }
    }

    /// Calls `each` for every word of a text, in order, with the number of its term, or none if it is left out: the terms are those
    /// of [`Analyzer::for_each_term`], and how many calls came before is their position.
    pub fn number(&mut self, text: &str, mut each: impl FnMut(Option<u32>)) {
        let TermMaker {
            analyzer,
            terms,
            known,
            vocabulary,
        } = self;
        analyzer.for_each_word(text, |start, word| {
            let mut make = || {
                let term = terms.make(*analyzer, word)?;
                Some(vocabulary.number(term))
            };
            each(match pack(text, start, word.len()) {
                Some(packed) => recall(known, packed, make),
                None => make(),
            });
        });
    }

    /// The terms so far, by their numbers.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}

/// What became of a packed word, which is made if it is not known.
fn recall(known: &mut [Places], word: u128, make: impl FnOnce() -> Option<u32>) -> Option<u32> {
    let Places([first, second]) = &mut known[place(word)];
    if first.word != word {
        if second.word != word {
            *second = Known { word, term: make() };
        }
        std::mem::swap(first, second);
    }
    first.term
}

/// Where a word is remembered.
fn place(word: u128) -> usize {
    (hash(word) >> (64 - PLACES_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    /// The terms of a text by number, none for each word that is left out, against the simple way.
    #[track_caller]
    fn check(maker: &mut TermMaker, text: &str) {
        let mut expected = Vec::new();
        maker.analyzer.for_each_term(text, |term| {
            expected.resize(term.position, None);
            expected.push(Some(term.term.to_owned()));
        });
        let mut numbers = Vec::new();
        maker.number(text, |number| numbers.push(number));
        while numbers.last() == Some(&None) {
            numbers.pop();
        }
        let term = |number| maker.vocabulary().get(number).to_owned();
        let found: Vec<Option<String>> = numbers.into_iter().map(|n| n.map(term)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn words_that_are_left_out() {
        let mut maker = TermMaker::new(Analyzer::English);
        let mut numbers = Vec::new();
        maker.number("The cat's in the Hats, is it? A cat", |number| {
            numbers.push(number)
        });
        let (cat, hat) = (Some(0), Some(1));
        assert_eq!(numbers, [None, cat, None, None, hat, None, None, None, cat]);
        assert_eq!(maker.vocabulary().get(1), "hat");
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
