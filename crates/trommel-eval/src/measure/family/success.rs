//! Success at a cutoff (trec_eval `success`).

use super::row::Parameter;
use crate::measure::ranking::Ranking;

/// 1 if a relevant document is among the first k, else 0.
pub(super) fn score(ranking: &Ranking, parameter: Parameter) -> f64 {
    match ranking.relevant_in(parameter.cutoff()) {
        0 => 0.0,
        _ => 1.0,
    }
}
