//! Reciprocal rank (trec_eval `recip_rank`; with a cutoff, as used for MS MARCO).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// 1 / rank of the first relevant document, 0 if there is none (among the first k).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    match ranking.relevant_ranks().next() {
        Some(rank) if rank <= parameters.cutoff() => 1.0 / rank as f64,
        _ => 0.0,
    }
}
