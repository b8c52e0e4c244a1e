//! Recall (trec_eval `recall`, `set_recall`).

use super::row::Parameter;
use crate::measure::ranking::{Ranking, ratio};

/// R@k: relevant documents among the first k, over all relevant documents; 0 if there are none.
pub(crate) fn score(ranking: &Ranking, parameter: Parameter) -> f64 {
    ratio(ranking.relevant_in(parameter.cutoff()), ranking.num_rel)
}

/// SetR: relevant documents retrieved, over all relevant documents; 0 if there are none.
pub(super) fn set(ranking: &Ranking, _: Parameter) -> f64 {
    ratio(ranking.num_rel_ret, ranking.num_rel)
}
