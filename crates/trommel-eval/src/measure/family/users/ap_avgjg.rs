//! Average precision, averaged over groups of users (trec_eval `map_avgjg`).

use crate::measure::family::binary::average_precision;
use crate::measure::groups::mean;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// map_avgjg: the mean of AP by the judgments of each group. trec_eval 10, `m_map_avgjg.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    mean(ranking, |of_group| {
        average_precision::score(of_group, parameters)
    })
}
