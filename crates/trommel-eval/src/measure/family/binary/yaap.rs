//! Yet another average precision (trec_eval `yaap`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio, sum};

/// yaap: ln((1 + s) / (1 + R − s)), where s is the sum of the precisions at the relevant documents retrieved. Robertson, "On smoothing
/// average precision", ECIR 2012, as in trec_eval 10, `m_yaap.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    let ranks = ranking.relevant_ranks().enumerate();
    let precisions = sum(ranks.map(|(before, rank)| ratio(before + 1, rank)));
    ((1.0 + precisions) / (1.0 + ranking.num_rel as f64 - precisions)).ln()
}
