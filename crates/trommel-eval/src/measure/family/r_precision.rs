//! R-precision (trec_eval `Rprec`).

use super::row::Parameter;
use crate::measure::ranking::{Ranking, ratio};

/// Precision at rank R, R being the number of relevant documents; 0 if there are none.
pub(super) fn score(ranking: &Ranking, _: Parameter) -> f64 {
    ratio(ranking.relevant_in(ranking.num_rel), ranking.num_rel)
}
