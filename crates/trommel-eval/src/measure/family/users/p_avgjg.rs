//! Precision, averaged over groups of users (trec_eval `P_avgjg`).

use crate::measure::family::binary::precision;
use crate::measure::groups::mean;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// P_avgjg@k: the mean of P@k by the judgments of each group. trec_eval 10, `m_P_avgjg.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    mean(ranking, |of_group| precision::score(of_group, parameters))
}
