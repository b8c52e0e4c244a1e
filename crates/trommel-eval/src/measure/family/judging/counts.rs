//! Counts of documents and topics (trec_eval `num_*`). A run's value is the sum over its topics.

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, is_unjudged};

/// `num_q`: 1 for every topic.
pub(in crate::measure) fn topics(_: &Ranking, _: &Parameters) -> f64 {
    1.0
}

/// `num_ret`: documents retrieved.
pub(in crate::measure) fn retrieved(ranking: &Ranking, _: &Parameters) -> f64 {
    ranking.num_ret() as f64
}

/// `num_rel`: relevant documents, retrieved or not.
pub(in crate::measure) fn relevant(ranking: &Ranking, _: &Parameters) -> f64 {
    ranking.num_rel as f64
}

/// `num_rel_ret`: relevant documents retrieved.
pub(in crate::measure) fn relevant_retrieved(ranking: &Ranking, _: &Parameters) -> f64 {
    ranking.num_rel_ret as f64
}

/// `num_nonrel_judged_ret`: retrieved documents that were judged (grade from 0) and are not relevant.
pub(in crate::measure) fn judged_nonrelevant_retrieved(ranking: &Ranking, _: &Parameters) -> f64 {
    let judged = ranking
        .grades
        .iter()
        .filter(|&&grade| !is_unjudged(grade))
        .count();
    (judged - ranking.num_rel_ret) as f64
}
