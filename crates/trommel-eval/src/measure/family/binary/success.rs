//! Success at a cutoff (trec_eval `success`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// 1 if a relevant document is among the first k, else 0.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    match ranking.relevant_in(parameters.cutoff()) {
        0 => 0.0,
        _ => 1.0,
    }
}
