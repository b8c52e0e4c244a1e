//! Whether a block has a full stop, by its density: WWW 2009 §4.
//!
//! The paper gives no details. Here a block has a full stop if the character U+002E stands in it, abbreviations and decimal points
//! included; blocks count their tokens ("the number of tokens contained in segments with full-stop"); the information gain is
//! that of the rounded density; the linear classifier is one threshold on it.

use serde::Serialize;

use super::histogram::Amount;
use crate::learning::entropy;

/// What density says of full stops.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FullStops {
    /// For each rounded density the blocks with a full stop; the last bin as in the histogram.
    pub with: Vec<Amount>,
    /// For each rounded density those without.
    pub without: Vec<Amount>,
    /// Information gain in bits, blocks counting their tokens.
    pub information_gain: f64,
    /// Information gain in bits, each block counting 1.
    pub information_gain_of_blocks: f64,
    /// The rounded density from which on a block is taken to have a full stop.
    pub threshold: usize,
    /// Share of the tokens that stand in blocks of which that is right.
    pub accuracy: f64,
}

/// Measures how much of two classes the bin says.
pub(super) fn full_stops(with: Vec<Amount>, without: Vec<Amount>) -> FullStops {
    let pairs = |part: fn(&Amount) -> u64| -> Vec<[u64; 2]> {
        let bins = with.iter().zip(&without);
        bins.map(|(with, without)| [part(with), part(without)])
            .collect()
    };
    let tokens = pairs(|it| it.tokens);
    let (threshold, accuracy) = best_threshold(&tokens);
    FullStops {
        information_gain: information_gain(&tokens),
        information_gain_of_blocks: information_gain(&pairs(|it| it.blocks)),
        threshold,
        accuracy,
        with,
        without,
    }
}

/// H(C) − H(C|A) in bits, from the sizes of two classes under each value of A; 0 of nothing.
pub(super) fn information_gain(bins: &[[u64; 2]]) -> f64 {
    let all: u64 = bins.iter().flatten().sum();
    let classes = bins
        .iter()
        .fold([0, 0], |sum, bin| [sum[0] + bin[0], sum[1] + bin[1]]);
    let left: f64 = bins
        .iter()
        .map(|bin| (bin[0] + bin[1]) as f64 / all.max(1) as f64 * bits(*bin))
        .sum();
    (bits(classes) - left).max(0.0)
}

fn bits(classes: [u64; 2]) -> f64 {
    entropy(&classes.map(|size| size as f64))
}

/// The least bin of the first class under the rule that errs least, and the share that it gets right; the lowest of several.
fn best_threshold(bins: &[[u64; 2]]) -> (usize, f64) {
    let all: u64 = bins.iter().flatten().sum();
    // From bin 0 on all are taken for the first class.
    let mut right: u64 = bins.iter().map(|bin| bin[0]).sum();
    let mut best = (0, right);
    for (number, bin) in bins.iter().enumerate() {
        right = right - bin[0] + bin[1];
        if right > best.1 {
            best = (number + 1, right);
        }
    }
    (best.0, best.1 as f64 / all.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quinlan's golf data (Induction of Decision Trees, 1986): the gain of the outlook (sunny 2 of 5, overcast 4 of 4, rain 3 of
    /// 5) is .246 bits there, .2467 in full.
    #[test]
    fn gain_of_the_outlook() {
        let gain = information_gain(&[[2, 3], [4, 0], [3, 2]]);
        assert!((gain - 0.2467).abs() < 5e-5, "{gain}");
        assert_eq!(information_gain(&[]), 0.0);
        assert_eq!(information_gain(&[[3, 3], [4, 4]]), 0.0);
        assert_eq!(information_gain(&[[8, 0], [0, 8]]), 1.0);
    }

    #[test]
    fn thresholds() {
        assert_eq!(best_threshold(&[[1, 9], [2, 8], [6, 4], [9, 1]]), (2, 0.8));
        assert_eq!(best_threshold(&[[5, 1], [5, 1]]), (0, 10.0 / 12.0));
        assert_eq!(best_threshold(&[[0, 5], [1, 5]]), (2, 10.0 / 11.0));
        assert_eq!(best_threshold(&[]), (0, 0.0));
    }
}
