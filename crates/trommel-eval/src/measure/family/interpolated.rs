//! Interpolated precision (trec_eval `iprec_at_recall`, `11pt_avg`).

use super::row::Parameter;
use crate::measure::ranking::{Ranking, ratio, sum};

/// Recall points of `iprec_at_recall` and of `11pt_avg`.
pub(super) const RECALL_POINTS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// IPrec@r: the highest precision at any rank from the n-th relevant document on, where n = r·R
/// rounded half away from zero, at least 1; 0 if fewer than n were retrieved.
///
/// trec_eval 10 rounds so; trec_eval 9 and before took ⌊r·R + 0.9⌋.
pub(super) fn at_recall(ranking: &Ranking, parameter: Parameter) -> f64 {
    let needed = (parameter.number() * ranking.num_rel as f64)
        .round()
        .max(1.0) as usize;
    ranking
        .relevant_ranks()
        .enumerate()
        .skip(needed - 1)
        .map(|(before, rank)| ratio(before + 1, rank))
        .fold(0.0, f64::max)
}

/// 11pt_avg: mean of the interpolated precision at recall 0, 0.1, …, 1.
pub(super) fn eleven_point(ranking: &Ranking, _: Parameter) -> f64 {
    // From high recall to low, as trec_eval adds them.
    let points = RECALL_POINTS.iter().rev();
    let precisions = points.map(|&point| at_recall(ranking, Parameter::Number(point)));
    sum(precisions) / RECALL_POINTS.len() as f64
}
