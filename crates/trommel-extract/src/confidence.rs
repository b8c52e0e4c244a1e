//! How sure an extractor is of each block.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use trommel_page::Block;
use trommel_text::{Decimal, DecimalError};

use super::Label;

/// What an extractor with confidences says of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Its label. It need not follow from the confidence: a model may decide on the blocks of a page together.
    pub label: Label,
    /// The probability that the block is main content, in 0..=1. What is outside is taken for the nearer bound, and what is no
    /// number for 0.
    pub probability: f32,
}

/// What an extractor says of the blocks of a segmentation, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// A label for each block.
    pub labels: Vec<Label>,
    /// A confidence for each block, if the extractor gives them.
    pub confidences: Option<Vec<Confidence>>,
}

impl Verdicts {
    /// For each block whether it is content.
    pub fn content(&self) -> Vec<bool> {
        let labels = self.labels.iter();
        labels.map(|label| *label == Label::Content).collect()
    }

    /// Is the block of a number content?
    pub fn is_content(&self, block: usize) -> bool {
        self.labels.get(block) == Some(&Label::Content)
    }

    /// The confidence of the block of a number, if the extractor gives them.
    pub fn confidence(&self, block: usize) -> Option<Confidence> {
        self.confidences.as_ref()?.get(block).copied()
    }

    /// What F1 the kept blocks can be expected to have, in 0..=1, if confidences are taken for probabilities: 2 Σ_kept p·n / (Σ_kept
    /// n + Σ_all p·n) with n words in a block. It is what the extractor `trommel` makes greatest
    /// ([`own::decide`](crate::own::decide)), and tells pages that were easily cut from doubtful ones. `blocks` are those that the
    /// verdicts are of. None without confidences, and of a page where nothing is kept nor likely.
    pub fn expected_f1(&self, blocks: &[Block]) -> Option<f64> {
        let (mut kept, mut kept_content, mut content) = (0u64, 0u64, 0u64);
        let confidences = self.confidences.as_ref()?.iter();
        for ((block, confidence), label) in blocks.iter().zip(confidences).zip(&self.labels) {
            let words = u64::from(block.num_words);
            let expected = words * u64::from(confidence.in_hundredths());
            content += expected;
            if *label == Label::Content {
                kept += words;
                kept_content += expected;
            }
        }
        let both = 100 * kept + content;
        (both > 0).then(|| (2 * kept_content) as f64 / both as f64)
    }
}

/// The probability that a block is main content, in hundredths: 0..=100. What is stored and the thresholds that it is compared with
/// are both of this kind, so that they are compared exactly. In text and JSON it is a decimal, as [`Decimal`] is: `0.85`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence(u8);

/// Why something is no [`Confidence`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfidenceError {
    /// A text that is no number.
    #[error(transparent)]
    Decimal(#[from] DecimalError),
    /// A number above 1.
    #[error("{0} is more than 1, and a confidence is from 0 to 1")]
    TooGreat(Decimal),
    /// A number between two hundredths.
    #[error("{0} has more than two digits behind the point, and confidences are in hundredths")]
    TooFine(Decimal),
}

impl Confidence {
    /// Certain that it is content.
    pub const MAX: Confidence = Confidence(100);

    /// A number of hundredths; more than 100 are taken for 100.
    pub const fn hundredths(n: u8) -> Confidence {
        match n {
            0..=100 => Confidence(n),
            _ => Confidence::MAX,
        }
    }

    /// The nearest hundredth, halves up. What is outside of 0..=1 is taken for the nearer bound, and what is no number for 0.
    pub fn nearest(probability: f64) -> Confidence {
        Confidence((bounded(probability) * 100.0).round() as u8)
    }

    /// The confidence in hundredths.
    pub const fn in_hundredths(self) -> u8 {
        self.0
    }

    /// The nearest binary fraction, for display and JSON.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// A number in 0..=1: what is outside is taken for the nearer bound, and what is no number for 0.
pub(super) fn bounded(probability: f64) -> f64 {
    match probability.is_nan() {
        true => 0.0,
        false => probability.clamp(0.0, 1.0),
    }
}

impl TryFrom<Decimal> for Confidence {
    type Error = ConfidenceError;

    fn try_from(number: Decimal) -> Result<Self, ConfidenceError> {
        if number > Decimal::whole(1) {
            return Err(ConfidenceError::TooGreat(number));
        }
        let hundredths = number.to_hundredths().and_then(|n| u8::try_from(n).ok());
        let hundredths = hundredths.ok_or(ConfidenceError::TooFine(number))?;
        Ok(Confidence::hundredths(hundredths))
    }
}

impl FromStr for Confidence {
    type Err = ConfidenceError;

    fn from_str(text: &str) -> Result<Self, ConfidenceError> {
        Confidence::try_from(text.parse::<Decimal>()?)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Decimal::hundredths(self.0.into()).fmt(f)
    }
}

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of 10 + 30 words, the kept 10 are content with .9, the others with .1: 2 · 9 / (10 + 9 + 3).
    #[test]
    fn expected_f1_of_what_is_kept() {
        let block = |num_words| Block {
            num_words,
            ..Block::default()
        };
        let mut verdicts = Verdicts {
            labels: vec![Label::Content, Label::Boilerplate],
            confidences: Some(vec![Confidence::hundredths(90), Confidence::hundredths(10)]),
        };
        let expected = verdicts.expected_f1(&[block(10), block(30)]);
        assert_eq!(expected, Some(18.0 / 22.0));
        assert_eq!(verdicts.expected_f1(&[block(0), block(0)]), None);
        verdicts.confidences = None;
        assert_eq!(verdicts.expected_f1(&[block(10), block(30)]), None);
    }

    #[test]
    fn the_nearest_hundredth() {
        for (probability, hundredths, printed) in [
            (0.0, 0, "0"),
            (0.004_999, 0, "0"),
            (0.005, 1, "0.01"),
            (0.07, 7, "0.07"),
            (0.29, 29, "0.29"),
            (0.9, 90, "0.9"),
            (0.994, 99, "0.99"),
            (0.995, 100, "1"),
            (1.0, 100, "1"),
            (-0.5, 0, "0"),
            (7.0, 100, "1"),
            (f64::NAN, 0, "0"),
            (f64::INFINITY, 100, "1"),
            (f64::NEG_INFINITY, 0, "0"),
        ] {
            let confidence = Confidence::nearest(probability);
            assert_eq!(confidence.in_hundredths(), hundredths, "{probability}");
            assert_eq!(confidence.to_string(), printed);
        }
        assert_eq!(Confidence::hundredths(255), Confidence::MAX);
        for n in 0..=100 {
            let confidence = Confidence::hundredths(n);
            assert_eq!(confidence.to_string().parse(), Ok(confidence));
            assert_eq!(Confidence::nearest(confidence.to_f64()), confidence);
        }
    }

    #[test]
    fn texts() {
        for (text, expected) in [
            ("0", Ok(0)),
            ("1", Ok(100)),
            ("1.00", Ok(100)),
            (".5", Ok(50)),
            ("0.290", Ok(29)),
            (
                "1.01",
                Err("1.01 is more than 1, and a confidence is from 0 to 1"),
            ),
            (
                "100",
                Err("100 is more than 1, and a confidence is from 0 to 1"),
            ),
            (
                "0.125",
                Err(
                    "0.125 has more than two digits behind the point, and confidences are in hundredths",
                ),
            ),
            (
                "high",
                Err(
                    "'high' is not a non-negative decimal number (like 10, 10.5 or 0.33; at most 9 digits before and after the point)",
                ),
            ),
        ] {
            let parsed = text.parse::<Confidence>().map(Confidence::in_hundredths);
            let parsed = parsed.map_err(|error| error.to_string());
            assert_eq!(parsed, expected.map_err(str::to_owned), "{text}");
        }
    }
}
