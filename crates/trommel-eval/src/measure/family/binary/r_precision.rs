//! R-precision (trec_eval `Rprec`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// Precision at rank R, R being the number of relevant documents; 0 if there are none.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    ratio(ranking.relevant_in(ranking.num_rel), ranking.num_rel)
}
