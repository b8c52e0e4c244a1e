//! Whether a difference between two systems is more than chance: paired tests over topics or pages, confidence intervals, effect size.
//!
//! Every test takes the differences (system minus baseline) of the units that both were measured on; [`compare()`] makes them, and
//! says of a pair of systems what a table needs. What needs random numbers takes a seed and draws from splitmix64, so that the
//! same input gives the same output everywhere.

mod bootstrap;
mod compare;
mod effect;
mod holm;
mod randomization;
mod sample;
mod t;
mod test;
mod wilcoxon;

pub use bootstrap::{RESAMPLES, Resamples, bootstrap};
pub use compare::{Comparison, LEVEL, compare};
pub use effect::effect_size;
pub use holm::{Corrected, corrected, family, holm};
pub use sample::rounded;
pub use test::Test;

/// All tests, the default first.
pub fn all() -> &'static [Test] {
    &[randomization::TEST, t::TEST, wilcoxon::TEST]
}

/// The test of a name.
pub fn by_name(name: &str) -> Option<&'static Test> {
    all().iter().find(|test| test.name == name)
}
