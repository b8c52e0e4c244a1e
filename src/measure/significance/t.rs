//! Student's t test of paired differences.

use puruspe::betai;

use super::{Test, deviation, mean};

pub(super) const TEST: Test = Test {
    name: "t",
    summary: "Student's paired t test",
    source: "Student (1908); Hull, SIGIR 1993",
    p_value,
};

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
    betai(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}
