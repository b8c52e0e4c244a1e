//! Precision (trec_eval `P`, `set_P`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// P@k: relevant documents among the first k, over k, even if fewer were retrieved.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    ratio(
        ranking.relevant_in(parameters.cutoff()),
        parameters.cutoff(),
    )
}

/// SetP: relevant documents retrieved, over documents retrieved.
pub(in crate::measure) fn set(ranking: &Ranking, _: &Parameters) -> f64 {
    ratio(ranking.num_rel_ret, ranking.num_ret())
}
