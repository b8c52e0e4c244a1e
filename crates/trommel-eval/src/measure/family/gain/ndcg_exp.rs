//! nDCG with exponential gain, as gdeval computes it (ir_measures `nDCG(dcg='exp-log2')`).

use super::gains::Gains;
use super::ndcg;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// nDCG@k with gain 2^grade − 1 and discount log(rank + 1), both for ranking and ideal. gdeval.pl of the
/// TREC web tracks; it refuses grades above 4, and so do we.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    ndcg::normalised(ranking, parameters.cutoff(), &Gains::exponential())
}
