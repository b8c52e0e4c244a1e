//! The highest DCG that a topic allows (trec_eval `ideal_dcg`).

use super::gains::Gains;
use super::ndcg::discounted;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// ideal_dcg: the sum that nDCG divides by, over all judged documents. trec_eval 10, `m_ndcg.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    discounted(&Gains::new(parameters).ideal(ranking), usize::MAX)
}
