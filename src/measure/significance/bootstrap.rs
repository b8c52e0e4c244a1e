//! Confidence intervals by resampling.

use std::ops::RangeInclusive;

use super::SplitMix64;

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
    mut statistic: impl FnMut(&[usize]) -> f64,
) -> RangeInclusive<f64> {
    if n == 0 {
        return 0.0..=0.0;
    }
    let mut random = SplitMix64::new(seed);
    let mut drawn = vec![0; n];
    let mut values: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            drawn.fill_with(|| random.below(n));
            statistic(&drawn)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let at = |share: f64| values[((RESAMPLES - 1) as f64 * share).round() as usize];
    at(tail)..=at(1.0 - tail)
}
