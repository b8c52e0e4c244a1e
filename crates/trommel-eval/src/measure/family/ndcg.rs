//! Normalised discounted cumulative gain with linear gain (trec_eval `ndcg`, `ndcg_cut`).

use super::row::Parameter;
use crate::measure::ranking::{Ranking, sum};

/// nDCG and nDCG@k: the gain of a document is its grade (0 if that is negative or missing), discounted
/// by log2(rank + 1); divided by the same sum over the topic's grades in descending order. The
/// relevance level plays no part.
///
/// Järvelin and Kekäläinen, ACM TOIS 20 (2002), with the discount that trec_eval uses: the first rank
/// is discounted too, by log2(2) = 1.
pub(super) fn score(ranking: &Ranking, parameter: Parameter) -> f64 {
    normalised(ranking, parameter.cutoff(), f64::from)
}

/// DCG of the first k over the ideal DCG at k; `gain` maps a grade above 0 to its gain.
pub(super) fn normalised(ranking: &Ranking, k: usize, gain: impl Fn(i32) -> f64) -> f64 {
    let dcg = |grades: &mut dyn Iterator<Item = i32>| -> f64 {
        let top = grades.take(k).enumerate().filter(|&(_, grade)| grade > 0);
        sum(top.map(|(index, grade)| gain(grade) / (index as f64 + 2.0).log2()))
    };
    let ideal = dcg(&mut ranking.judged.iter().copied());
    if ideal > 0.0 {
        dcg(&mut ranking.grades.iter().map(|grade| grade.unwrap_or(0))) / ideal
    } else {
        0.0
    }
}
