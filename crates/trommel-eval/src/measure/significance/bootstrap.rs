//! Confidence intervals by resampling.

use std::ops::RangeInclusive;

use trommel_text::SplitMix64;

/// Resamples of an interval: enough for two stable digits of its ends (Efron and Tibshirani 1993, §13.3, ask for 1,000).
pub const RESAMPLES: usize = 2_000;

/// The percentile interval (Efron and Tibshirani 1993, §13.3) of a statistic that is computed from a sample of n units, at a
/// level such as 0.95. `statistic` gets the numbers of the units drawn (each below n, n of them).
///
/// Without units the interval is 0 to 0.
pub fn bootstrap(
    n: usize,
    level: f64,
    seed: u64,
    statistic: impl FnMut(&[usize]) -> f64,
) -> RangeInclusive<f64> {
    Resamples::new(n, seed).interval(level, statistic)
}

/// Resamples that were drawn once, for many statistics of the same units: intervals beside each other then differ by what they
/// are of, not by what was drawn.
#[derive(Debug, Clone)]
pub struct Resamples {
    n: usize,
    /// [`RESAMPLES`] times n numbers of units.
    drawn: Vec<usize>,
}

impl Resamples {
    /// Draws from n units.
    pub fn new(n: usize, seed: u64) -> Resamples {
        let mut random = SplitMix64::new(seed);
        let drawn = (0..n * RESAMPLES).map(|_| random.below(n)).collect();
        Resamples { n, drawn }
    }

    /// The interval of [`bootstrap`].
    pub fn interval(
        &self,
        level: f64,
        statistic: impl FnMut(&[usize]) -> f64,
    ) -> RangeInclusive<f64> {
        if self.n == 0 {
            return 0.0..=0.0;
        }
        let mut values: Vec<f64> = self.drawn.chunks(self.n).map(statistic).collect();
        let tail = (1.0 - level) / 2.0;
        let place = |share: f64| ((RESAMPLES - 1) as f64 * share).round() as usize;
        let mut at = |share: f64| {
            *values
                .select_nth_unstable_by(place(share), f64::total_cmp)
                .1
        };
        at(tail)..=at(1.0 - tail)
    }
}
