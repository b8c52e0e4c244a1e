//! Precision (trec_eval `P`, `set_P`).

use super::row::Parameter;
use crate::measure::ranking::{Ranking, ratio};

/// P@k: relevant documents among the first k, over k, even if fewer were retrieved.
pub(crate) fn score(ranking: &Ranking, parameter: Parameter) -> f64 {
    ratio(ranking.relevant_in(parameter.cutoff()), parameter.cutoff())
}

/// SetP: relevant documents retrieved, over documents retrieved.
pub(super) fn set(ranking: &Ranking, _: Parameter) -> f64 {
    ratio(ranking.num_rel_ret, ranking.num_ret())
}
