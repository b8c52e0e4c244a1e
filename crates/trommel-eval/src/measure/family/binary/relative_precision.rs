//! Precision over the highest that is possible (trec_eval `relative_P`, `set_relative_P`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// relative_P@k: relevant documents among the first k, over k or over all relevant documents, whichever are fewer. trec_eval 10,
/// `m_rel_P.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let k = parameters.cutoff();
    ratio(ranking.relevant_in(k), k.min(ranking.num_rel))
}

/// SetP(relative=True): relevant documents retrieved, over all retrieved or all relevant ones, whichever are fewer. trec_eval 10,
/// `m_set_rel_P.c`.
pub(in crate::measure) fn set(ranking: &Ranking, _: &Parameters) -> f64 {
    ratio(ranking.num_rel_ret, ranking.num_ret().min(ranking.num_rel))
}
