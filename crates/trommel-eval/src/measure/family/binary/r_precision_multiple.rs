//! Precision at multiples of R (trec_eval `Rprec_mult`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// Rprec_mult@x: precision at rank ⌊x·R + 0.9⌋, R being the number of relevant documents; 0 if that is rank 0. trec_eval 10,
/// `m_Rprec_mult.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let rank = (parameters.number("multiple") * ranking.num_rel as f64 + 0.9) as usize;
    ratio(ranking.relevant_in(rank), rank)
}
