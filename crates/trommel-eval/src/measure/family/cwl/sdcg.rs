//! Scaled discounted cumulative gain (ir_measures `SDCG`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// SDCG@k: Σ gain / log2(rank + 1) over the first k, over the same sum for k documents of the highest gain. Järvelin and
/// Kekäläinen, ACM TOIS 20 (2002), with the weights scaled as in cwl_eval: from rank i < k a user goes on with log(i + 1) / log(i + 2).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let depth = parameters.cutoff() as f64;
    expected_utility(ranking, parameters, |seen| match seen.rank < depth {
        true => (seen.rank + 1.0).log2() / (seen.rank + 2.0).log2(),
        false => 0.0,
    })
}
