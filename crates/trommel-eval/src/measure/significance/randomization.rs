//! Fisher's randomization test: how often would random signs make the mean difference as large as it is?

use trommel_text::SplitMix64;

use super::test::Test;

pub(super) const TEST: Test = Test {
    name: "randomization",
    summary: "Fisher's paired randomization test",
    source: "Fisher (1935); Smucker, Allan and Carterette, CIKM 2007, who use 100,000 permutations",
    p_value,
};

/// Permutations that are drawn where there are more than this (Smucker et al., §2).
const PERMUTATIONS: u64 = 100_000;

/// Two-sided. Up to 16 differences all 2ⁿ sign patterns are counted; beyond, [`PERMUTATIONS`] are drawn and the p-value is
/// (hits + 1) / (permutations + 1), which is never 0.
fn p_value(differences: &[f64], seed: u64) -> f64 {
    let differences: Vec<f64> = differences
        .iter()
        .copied()
        .filter(|difference| *difference != 0.0)
        .collect();
    if differences.is_empty() {
        return 1.0;
    }
    // Sums that are equal but for rounding are equal.
    let observed = differences.iter().sum::<f64>().abs() * (1.0 - 1e-12);
    if differences.len() <= 16 {
        let patterns = 1u64 << differences.len();
        let hits = (0..patterns)
            .filter(|signs| signed_sum(&differences, &[*signs]).abs() >= observed)
            .count();
        return hits as f64 / patterns as f64;
    }
    let mut random = SplitMix64::new(seed);
    let mut signs = vec![0; differences.len().div_ceil(64)];
    let mut hits = 0;
    for _ in 0..PERMUTATIONS {
        signs.fill_with(|| random.bits());
        hits += u64::from(signed_sum(&differences, &signs).abs() >= observed);
    }
    (hits + 1) as f64 / (PERMUTATIONS + 1) as f64
}

/// The sum with each difference's sign flipped where its bit is set.
fn signed_sum(differences: &[f64], signs: &[u64]) -> f64 {
    let chunks = differences.chunks(64).zip(signs);
    chunks
        .flat_map(|(chunk, signs)| {
            chunk.iter().enumerate().map(move |(bit, difference)| {
                f64::from_bits(difference.to_bits() ^ ((signs >> bit & 1) << 63))
            })
        })
        .sum()
}
