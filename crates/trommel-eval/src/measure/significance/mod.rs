//! Is a difference between two systems more than chance? Paired tests over topics or pages, confidence intervals, effect size.
//!
//! Every test takes the differences (system minus baseline) of the units that both were measured on; [`compare()`] makes them, and
//! says of a pair of systems what a table needs. What needs random numbers takes a seed and draws from splitmix64, so that the
//! same input gives the same output everywhere.

mod bootstrap;
mod compare;
mod effect;
mod holm;
mod random;
mod randomization;
mod t;
mod wilcoxon;

pub use bootstrap::{RESAMPLES, Resamples, bootstrap};
pub use compare::{Comparison, LEVEL, compare};
pub use effect::effect_size;
pub use holm::{Corrected, corrected, family, holm};
pub use random::SplitMix64;

/// A paired two-sided test.
#[derive(Debug, Clone, Copy)]
pub struct Test {
    /// Its name in flags and tables.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// The two-sided p-value of the differences, in 0..=1; 1 where there is nothing to tell (no pairs, or none that differ).
    /// The seed matters only to tests that draw random numbers.
    pub p_value: fn(differences: &[f64], seed: u64) -> f64,
}

/// All tests, the default first.
pub fn all() -> &'static [Test] {
    &[randomization::TEST, t::TEST, wilcoxon::TEST]
}

/// The test of a name.
pub fn by_name(name: &str) -> Option<&'static Test> {
    all().iter().find(|test| test.name == name)
}

/// Mean of some numbers; 0 for none.
fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        n => values.iter().sum::<f64>() / n as f64,
    }
}

/// What is equal but for rounding errors becomes equal: 0.7 − 0.6 and 0.3 − 0.2 differ in the 17th digit, and one difference
/// of precision is as large as the other. Twelve decimals are far below what a measure over a ranking can resolve.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}

/// Standard deviation of a sample (with n − 1); 0 for fewer than two numbers, and exactly 0 for equal ones.
fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 || values.windows(2).all(|pair| pair[0] == pair[1]) {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}
