//! Wilcoxon's signed-rank test.

use puruspe::erfc;

use super::test::Test;

pub(super) const TEST: Test = Test {
    name: "wilcoxon",
    summary: "Wilcoxon's signed-rank test",
    source: "Wilcoxon (1945), by the normal approximation",
    p_value,
};

/// Two-sided, by the normal approximation with the variance corrected for ties (Hollander and Wolfe 1973, §3.1) and without
/// correction for continuity. Zeros are dropped, as Wilcoxon did; equal amounts share their mean rank.
///
/// This is scipy's `wilcoxon(…, zero_method="wilcox", correction=False, method="asymptotic")`. For few differences the
/// approximation is rough; the randomization test is exact there.
fn p_value(differences: &[f64], _: u64) -> f64 {
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = sorted.len();
    if n == 0 {
        return 1.0;
    }
    let (mut positive, mut ties) = (0.0, 0.0);
    let mut start = 0;
    while start < n {
        let same = sorted[start..]
            .iter()
            .take_while(|d| d.abs() == sorted[start].abs());
        let end = start + same.count();
        let rank = (start + 1 + end) as f64 / 2.0;
        positive += rank * sorted[start..end].iter().filter(|d| **d > 0.0).count() as f64;
        let size = (end - start) as f64;
        ties += size.powi(3) - size;
        start = end;
    }
    let total = (n * (n + 1)) as f64 / 2.0;
    let smaller = positive.min(total - positive);
    let size = n as f64;
    let variance = size * (size + 1.0) * (2.0 * size + 1.0) / 24.0 - ties / 48.0;
    let z = (total / 2.0 - smaller) / variance.sqrt();
    erfc(z / std::f64::consts::SQRT_2)
}
