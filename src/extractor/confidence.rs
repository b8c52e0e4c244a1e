//! How sure an extractor is of each block.

use std::fmt;

use serde::{Serialize, Serializer};

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

/// The probability that a block is main content, in hundredths: 0..=100. Thresholds are compared with what is stored, exactly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence(u8);

impl Confidence {
    /// Certain that it is content.
    pub const MAX: Confidence = Confidence(100);

    /// A number of hundredths; none above 100.
    pub const fn hundredths(n: u8) -> Option<Confidence> {
        match n {
            0..=100 => Some(Confidence(n)),
            _ => None,
        }
    }

    /// The nearest hundredth, halves up. What is outside of 0..=1 is taken for the nearer bound, and what is no number for 0.
    pub fn nearest(probability: f64) -> Confidence {
        Confidence((probability.clamp(0.0, 1.0) * 100.0).round() as u8)
    }

    /// How many hundredths it is.
    pub const fn in_hundredths(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Confidence {
    /// With two digits behind the point.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl Serialize for Confidence {
    /// As a number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_hundredth() {
        for (probability, hundredths, printed) in [
            (0.0, 0, "0.00"),
            (0.004_999, 0, "0.00"),
            (0.005, 1, "0.01"),
            (0.07, 7, "0.07"),
            (0.29, 29, "0.29"),
            (0.994, 99, "0.99"),
            (0.995, 100, "1.00"),
            (1.0, 100, "1.00"),
            (-0.5, 0, "0.00"),
            (7.0, 100, "1.00"),
            (f64::NAN, 0, "0.00"),
            (f64::INFINITY, 100, "1.00"),
            (f64::NEG_INFINITY, 0, "0.00"),
        ] {
            let confidence = Confidence::nearest(probability);
            assert_eq!(confidence.in_hundredths(), hundredths, "{probability}");
            assert_eq!(confidence.to_string(), printed);
        }
        assert_eq!(Confidence::hundredths(101), None);
        for n in 0..=100 {
            let confidence = Confidence::hundredths(n).unwrap();
            let json = serde_json::to_string(&confidence).unwrap();
            let back: f64 = json.parse().unwrap();
            assert_eq!(Confidence::nearest(back), confidence, "{json}");
        }
    }
}
