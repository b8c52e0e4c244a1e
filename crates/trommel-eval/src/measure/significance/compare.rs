//! Two systems side by side, measured on the same units.

use super::effect::effect_size;
use super::sample::{mean, rounded};
use super::t;
use super::test::Test;

/// Level of [`Comparison::interval`].
pub const LEVEL: f64 = 0.95;

/// A system against a baseline, unit by unit (topic by topic, page by page).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Mean of the baseline.
    pub baseline: f64,
    /// Mean of the system.
    pub mean: f64,
    /// Mean of the differences, system minus baseline.
    pub difference: f64,
    /// Student's confidence interval of that mean at [`LEVEL`]: mean ± t·s/√n. The t test at 1 − [`LEVEL`] is significant just
    /// where 0 lies outside. Infinite for fewer than two units.
    pub interval: [f64; 2],
    /// Cohen's d_z ([`effect_size`]).
    pub effect_size: f64,
    /// Units with a score above the baseline's.
    pub wins: usize,
    /// Units with the same score.
    pub ties: usize,
    /// Units with a score below the baseline's.
    pub losses: usize,
    /// Two-sided p-value, of this comparison alone; [`super::holm()`] corrects several.
    pub p: f64,
}

/// Compares the scores of a system with a baseline's, both of the same units in the same order; if one has more, they are left
/// out.
///
/// Differences are rounded to 12 decimals first, so that rounding errors neither make a win of a tie nor part ranks that are
/// tied (scipy's documentation of `wilcoxon` advises the same).
pub fn compare(baseline: &[f64], system: &[f64], test: &Test, seed: u64) -> Comparison {
    let n = baseline.len().min(system.len());
    let (baseline, system) = (&baseline[..n], &system[..n]);
    let differences: Vec<f64> = system
        .iter()
        .zip(baseline)
        .map(|(system, baseline)| rounded(system - baseline))
        .collect();
    let count = |of: fn(&f64) -> bool| differences.iter().filter(|d| of(d)).count();
    Comparison {
        baseline: mean(baseline),
        mean: mean(system),
        difference: mean(&differences),
        interval: t::interval(&differences, LEVEL),
        effect_size: effect_size(&differences),
        wins: count(|d| *d > 0.0),
        ties: count(|d| *d == 0.0),
        losses: count(|d| *d < 0.0),
        p: (test.p_value)(&differences, seed),
    }
}
