//! Precision at multiples of R, averaged over groups of users (trec_eval `Rprec_mult_avgjg`).

use crate::measure::family::binary::r_precision_multiple;
use crate::measure::groups::mean;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// Rprec_mult_avgjg@x: the mean of Rprec_mult@x by the judgments of each group. trec_eval 10, `m_Rprec_mult_avgjg.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    mean(ranking, |of_group| {
        r_precision_multiple::score(of_group, parameters)
    })
}
