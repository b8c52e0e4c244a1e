//! Interpolated precision (trec_eval `iprec_at_recall`, `11pt_avg`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio, sum};

/// IPrec@r: the highest precision at any rank from the n-th relevant document on, where n = r·R
/// rounded half away from zero, at least 1; 0 if fewer than n were retrieved.
///
/// trec_eval 10 rounds so; trec_eval 9 and before took ⌊r·R + 0.9⌋.
pub(in crate::measure) fn at_recall(ranking: &Ranking, parameters: &Parameters) -> f64 {
    at(ranking, parameters.number("recall"))
}

/// 11pt_avg: mean of the interpolated precision at recall 0, 0.1, …, 1, or at the points given.
pub(in crate::measure) fn averaged(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let points = parameters.numbers("points");
    // From the last point to the first, as trec_eval adds them.
    let precisions = points.iter().rev().map(|&point| at(ranking, point));
    match points.len() {
        0 => 0.0,
        count => sum(precisions) / count as f64,
    }
}

fn at(ranking: &Ranking, recall: f64) -> f64 {
    let needed = (recall * ranking.num_rel as f64).round().max(1.0) as usize;
    ranking
        .relevant_ranks()
        .enumerate()
        .skip(needed - 1)
        .map(|(before, rank)| ratio(before + 1, rank))
        .fold(0.0, f64::max)
}
