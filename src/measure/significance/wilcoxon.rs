//! Wilcoxon's signed-rank test.

use puruspe::erfc;

use super::Test;

pub(super) const TEST: Test = Test {
    name: "wilcoxon",
    summary: "Wilcoxon's signed-rank test",
    source: "Wilcoxon (1945)",
    p_value,
};

/// Up to so many differences without ties the exact distribution is used (as scipy does).
const EXACT: usize = 50;

/// Two-sided. Zeros are dropped, as Wilcoxon did. Exact for up to 50 differences without ties, else by the normal
/// approximation with the variance corrected for ties and without continuity correction.
fn p_value(differences: &[f64], _: u64) -> f64 {
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = sorted.len();
    if n == 0 {
        return 1.0;
    }
    let (mut positive, mut ties, mut tied) = (0.0, 0.0, false);
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
        tied |= end - start > 1;
        start = end;
    }
    let total = (n * (n + 1)) as f64 / 2.0;
    let smaller = positive.min(total - positive);
    if n <= EXACT && !tied {
        return (2.0 * exact_tail(n, smaller as usize)).min(1.0);
    }
    let size = n as f64;
    let variance = size * (size + 1.0) * (2.0 * size + 1.0) / 24.0 - ties / 48.0;
    let z = (total / 2.0 - smaller) / variance.sqrt();
    erfc(z / std::f64::consts::SQRT_2)
}

/// Probability that the ranks 1 to n with random signs have a positive sum of at most `sum`.
fn exact_tail(n: usize, sum: usize) -> f64 {
    // ways[s]: probability of the sum s after some ranks.
    let mut ways = vec![0.0; n * (n + 1) / 2 + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for s in (0..ways.len()).rev() {
            let with = if s >= rank { ways[s - rank] } else { 0.0 };
            ways[s] = (ways[s] + with) / 2.0;
        }
    }
    ways[..=sum].iter().sum()
}
