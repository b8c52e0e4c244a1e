//! nDCG with exponential gain, as gdeval computes it (ir_measures `nDCG(dcg='exp-log2')`).

use super::ndcg;
use super::row::Parameter;
use crate::measure::ranking::Ranking;

/// nDCG@k with gain 2^grade − 1 and discount log(rank + 1), both for ranking and ideal. gdeval.pl of the
/// TREC web tracks; it refuses grades above 4, and so do we.
pub(super) fn score(ranking: &Ranking, parameter: Parameter) -> f64 {
    ndcg::normalised(ranking, parameter.cutoff(), |grade| {
        f64::from(grade).exp2() - 1.0
    })
}
