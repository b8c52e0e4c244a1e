//! Student's t test of paired differences.

use puruspe::{betai, invbetai};

use super::sample::{deviation, mean};
use super::test::Test;

pub(super) const TEST: Test = Test {
    name: "t",
    summary: "Student's paired t test",
    source: "Student (1908); Hull, SIGIR 1993",
    p_value,
};

/// Two-sided, with n − 1 degrees of freedom.
fn p_value(differences: &[f64], _: u64) -> f64 {
    let n = differences.len() as f64;
    let (mean, deviation) = (mean(differences), deviation(differences));
    if differences.len() < 2 || mean == 0.0 {
        return 1.0;
    }
    if deviation == 0.0 {
        return 0.0;
    }
    let t = mean / (deviation / n.sqrt());
    let freedom = n - 1.0;
    // P(|T| ≥ t) is the regularised incomplete beta function at ν/(ν + t²) with ν/2 and 1/2.
    let x = freedom / (freedom + t * t);
    match (0.0..=1.0).contains(&x) {
        true => betai(freedom / 2.0, 0.5, x),
        // Scores that are no numbers.
        false => 1.0,
    }
}

/// The confidence interval of the mean of some values at a level such as 0.95: mean ± t·s/√n, where P(|T| ≥ t) = 1 − level
/// with n − 1 degrees of freedom. One value says nothing of its spread: the interval is from −∞ to ∞, as for none.
pub(super) fn interval(values: &[f64], level: f64) -> [f64; 2] {
    if values.len() < 2 {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    let (n, mean) = (values.len() as f64, mean(values));
    let freedom = n - 1.0;
    // With X = T²/(ν + T²), which has the beta distribution of 1/2 and ν/2.
    let x = invbetai(level, 0.5, freedom / 2.0);
    let t = (freedom * x / (1.0 - x)).sqrt();
    let half = t * deviation(values) / n.sqrt();
    [mean - half, mean + half]
}
