//! Recall (trec_eval `recall`, `set_recall`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// R@k: relevant documents among the first k, over all relevant documents; 0 if there are none.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    ratio(ranking.relevant_in(parameters.cutoff()), ranking.num_rel)
}

/// SetR: relevant documents retrieved, over all relevant documents; 0 if there are none.
pub(in crate::measure) fn set(ranking: &Ranking, _: &Parameters) -> f64 {
    ratio(ranking.num_rel_ret, ranking.num_rel)
}
