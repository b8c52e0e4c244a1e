//! Discounted cumulative gain that is not normalised (trec_eval `dcg`).

use super::gains::Gains;
use super::ndcg::discounted;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// dcg: the sum that nDCG divides, over all documents retrieved. trec_eval 10, `m_ndcg.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    discounted(&Gains::new(parameters).of_ranking(ranking), usize::MAX)
}
