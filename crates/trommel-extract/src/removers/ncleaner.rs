//! NCleaner (Evert, *A Lightweight and Efficient Tool for Cleaning Web Pages*, LREC 2008): two models of sequences of characters, one of clean text and one
//! of dirty text; a segment is content if the clean one has the smaller cross-entropy.
//!
//! The paper's text was not to be had, but for its abstract; the rules are those of the author's program (Text::NCleaner 1.0, 2008):
//!
//! - Text is made of printable ASCII: white space and control characters are spaces, runs of which are one, and what is beyond ASCII is `~` (its mode 1, the
//!   default).
//! - The probability of a character after the n − 1 before it is a mean of those after 0 to n − 1 characters, the longest history weighing
//!   1, the next q, then q² … (geometric interpolation, q = 0.6). At the beginning of a segment histories are shorter.
//! - Each of these is the share of the counts, but that of single characters, where every character counts one more.
//! - `bias`, in bits, is added to the cross-entropy of the clean model.
//!
//! The order n = 3 is our choice, as are segments: paragraphs of the page, where the program takes those of a dump by Lynx. The models that are
//! built in were trained on the 57 pages of CleanEval's for development that have a gold text by `trommel train ncleaner`; n-grams that stand there once are left out.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::{
    ExtractorError, ExtractorRow, Label, Make, ModelKind, Parameter, Takes, TrainingPages,
};

/// The segmenter on whose blocks it is defined.
pub const SEGMENTER: &str = "paragraph";

const MODEL: ModelKind = ModelKind {
    name: "ncleaner",
    version: 1,
};

/// The models that are built in.
const BUILT_IN: &str = include_str!("models/ncleaner.json");

/// The longest n-grams that a model may have.
const MOST: usize = 8;

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "ncleaner",
    summary: "paragraphs that a model of clean text's characters fits better (NCleaner)",
    source: "Evert 2008; Text::NCleaner 1.0",
    segmenter: Some(SEGMENTER),
    takes: Takes::Parameters(&[
        Parameter {
            name: "q",
            default: "0.6",
            summary: "what shorter histories weigh, above 0 and below 1",
        },
        Parameter {
            name: "bias",
            default: "0",
            summary: "bits a character that the clean model has to be better by",
        },
        Parameter {
            name: "model",
            default: "",
            summary: "a model made by training instead of the built-in one",
        },
    ]),
    make: Make::Labels(|arguments| {
        let q = arguments.number("q")?;
        if q <= 0.0 || q >= 1.0 {
            return Err(ExtractorError::Value {
                parameter: "q",
                value: q.to_string(),
                why: "the range is above 0 and below 1".to_owned(),
            });
        }
        let bias = arguments.number("bias")?;
        let model: NCleanerModel = MODEL.read_trained(arguments, BUILT_IN)?;
        let tables = |counts: &Ngrams| {
            let tables = Tables::of(counts, q);
            tables.ok_or_else(|| MODEL.refused(&arguments.path, "a damaged model (n-grams)"))
        };
        let (clean, dirty) = (tables(&model.clean)?, tables(&model.dirty)?);
        Ok(Box::new(move |_, segmentation| {
            let blocks = segmentation.blocks.iter();
            blocks
                .map(|block| {
                    let text = normalized(&block.text);
                    let better = dirty.cross_entropy(&text) - clean.cross_entropy(&text);
                    Label::content_if(better - bias >= 0.0)
                })
                .collect()
        }))
    }),
};

/// What the model file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NCleanerModel {
    /// N-grams of clean text.
    pub clean: Ngrams,
    /// N-grams of dirty text.
    pub dirty: Ngrams,
}

impl NCleanerModel {
    /// The text of the model file. `learnt` says in words what was learnt, and `pages` has from which pages.
    ///
    /// # Errors
    /// [`ExtractorError::Model`] if the model cannot be said in JSON.
    pub fn write(&self, learnt: &str, pages: &TrainingPages) -> Result<String, ExtractorError> {
        MODEL.write_trained(learnt, pages, self)
    }
}

/// How often sequences of characters stand in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ngrams {
    /// Characters of a sequence.
    pub n: usize,
    /// The sequences of that length with their counts.
    pub counts: BTreeMap<String, u32>,
}

impl Ngrams {
    /// Counts the sequences of `n` characters in texts that are normalized first.
    pub fn of<'a>(n: usize, texts: impl IntoIterator<Item = &'a str>) -> Ngrams {
        let mut counts = BTreeMap::new();
        for text in texts {
            let text = normalized(text);
            for at in 0..(text.len() + 1).saturating_sub(n) {
                *counts.entry(text[at..at + n].to_owned()).or_default() += 1;
            }
        }
        Ngrams { n, counts }
    }
}

/// Printable ASCII of a text; see above. Each character is a byte.
pub fn normalized(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_whitespace() || c.is_control() => {
                if !normalized.is_empty() && !normalized.ends_with(' ') {
                    normalized.push(' ');
                }
            }
            '!'..='~' => normalized.push(c),
            _ => normalized.push('~'),
        }
    }
    if normalized.ends_with(' ') {
        normalized.pop();
    }
    normalized
}

/// Printable characters of ASCII.
const ALPHABET: usize = 95;

/// Shares of characters after what stands before them.
#[derive(Debug)]
struct Tables {
    q: f64,
    /// For sequences of 1, 2, … n characters the share of the last one after the others.
    shares: Vec<HashMap<u64, f64>>,
}

impl Tables {
    /// None for n-grams that are none.
    fn of(ngrams: &Ngrams, q: f64) -> Option<Tables> {
        let n = ngrams.n;
        let whole =
            |text: &String| text.len() == n && text.bytes().all(|it| (b' '..=b'~').contains(&it));
        if !(1..=MOST).contains(&n) || !ngrams.counts.keys().all(whole) {
            return None;
        }
        let mut shares = Vec::with_capacity(n);
        for length in 1..=n {
            let mut counts: HashMap<u64, f64> = HashMap::new();
            let mut histories: HashMap<u64, f64> = HashMap::new();
            if length == 1 {
                counts.extend((b' '..=b'~').map(|c| (code(&[c]), 1.0)));
                histories.insert(code(&[]), ALPHABET as f64);
            }
            for (text, count) in &ngrams.counts {
                let text = &text.as_bytes()[n - length..];
                *counts.entry(code(text)).or_default() += f64::from(*count);
                let history = code(&text[..length - 1]);
                *histories.entry(history).or_default() += f64::from(*count);
            }
            for (text, count) in &mut counts {
                // The last character is the last byte of the code.
                *count /= histories[&(*text >> 8)];
            }
            shares.push(counts);
        }
        Some(Tables { q, shares })
    }

    /// Bits a character that a normalized text costs; 0 for none.
    fn cross_entropy(&self, text: &str) -> f64 {
        -self.log_probability(text.as_bytes()) / text.len().max(1) as f64
    }

    /// The logarithm of the probability of a text, to base 2.
    fn log_probability(&self, text: &[u8]) -> f64 {
        let n = self.shares.len();
        let ends = 1..=text.len();
        ends.map(|end| self.share(&text[end.saturating_sub(n)..end]).log2())
            .sum()
    }

    /// The interpolated share of the last character of a sequence of at most n.
    fn share(&self, text: &[u8]) -> f64 {
        let norm = (1.0 - self.q.powi(text.len() as i32)) / (1.0 - self.q);
        let mut factor = 1.0 / norm;
        let mut sum = 0.0;
        for start in 0..text.len() {
            let of = &self.shares[text.len() - start - 1];
            sum += factor * of.get(&code(&text[start..])).copied().unwrap_or(0.0);
            factor *= self.q;
        }
        sum
    }
}

/// A number for a sequence of at most eight bytes of which none is 0.
fn code(text: &[u8]) -> u64 {
    text.iter()
        .fold(0, |code, byte| code << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "the rain in spain falls mainly on the plain. then it is in the drain, in vain";

    /// The author's `log_string_probability` (Text::NCleaner::NGramC, by Inline::C, perl 5.36) with the tables of conditional shares of `TEXT`:
    /// `ncleaner/original.pl`.
    #[test]
    fn as_the_authors_program() {
        let tables = |n, q| Tables::of(&Ngrams::of(n, [TEXT]), q).unwrap();
        for (n, q, text, expected) in ORIGINAL {
            let found = tables(*n, *q).log_probability(text.as_bytes());
            assert!(
                (found - expected).abs() < 1e-9,
                "{n} {q} {text}: {found} {expected}"
            );
        }
        assert_eq!(ORIGINAL.len(), 12);
    }

    include!("ncleaner/original.inc");

    #[test]
    fn text_is_made_plain() {
        for (text, expected) in [
            ("  a\t\n b\u{1}c ", "a b c"),
            ("Zoë – 5€", "Zo~ ~ 5~"),
            ("a\u{a0}b", "a b"),
            ("", ""),
        ] {
            assert_eq!(normalized(text), expected);
        }
    }

    #[test]
    fn n_grams_that_are_none_are_refused() {
        let counts = |text: &str| BTreeMap::from([(text.to_owned(), 1)]);
        for (n, text) in [(0, ""), (2, "abc"), (2, "é"), (9, "abcdefghi")] {
            let ngrams = Ngrams {
                n,
                counts: counts(text),
            };
            assert!(Tables::of(&ngrams, 0.6).is_none(), "{text}");
        }
        for wrong in ["ncleaner:q=0", "ncleaner:q=1", "ncleaner:bias=x"] {
            assert!(crate::parse(wrong).is_err(), "{wrong}");
        }
    }
}
