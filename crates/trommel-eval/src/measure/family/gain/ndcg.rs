//! Normalised discounted cumulative gain with linear gain (trec_eval `ndcg`, `ndcg_cut`).

use super::gains::Gains;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, sum};

/// nDCG and nDCG@k: the gain of a document is its grade (0 if that is negative or missing), or what `gains` gives the grade, discounted
/// by log2(rank + 1); divided by the same sum over the topic's gains in descending order. The
/// relevance level plays no part.
///
/// Järvelin and Kekäläinen, ACM TOIS 20 (2002), with the discount that trec_eval uses: the first rank
/// is discounted too, by log2(2) = 1.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    normalised(ranking, parameters.cutoff(), &Gains::new(parameters))
}

/// DCG of the first k over the ideal DCG at k.
pub(super) fn normalised(ranking: &Ranking, k: usize, gains: &Gains) -> f64 {
    let ideal = discounted(&gains.ideal(ranking), k);
    match ideal > 0.0 {
        true => discounted(&gains.of_ranking(ranking), k) / ideal,
        false => 0.0,
    }
}

/// Σ gain / log2(rank + 1) over the first k ranks.
pub(super) fn discounted(gains: &[f64], k: usize) -> f64 {
    let top = gains.iter().take(k).enumerate();
    let gaining = top.filter(|&(_, &gain)| gain != 0.0);
    sum(gaining.map(|(index, gain)| gain / (index as f64 + 2.0).log2()))
}
