//! Accuracy (ir_measures `Accuracy`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// Accuracy: of all pairs of a relevant and another document among the first k retrieved, the share in which the relevant one stands
/// first; 0 if there is no pair, and then the topic does not count for the mean (`Aggregate::MeanOfPairs`). The provider `accuracy` of ir_measures; where all
/// documents are relevant it divides by 0.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    match pairs(ranking, parameters) {
        (_, 0) => 0.0,
        (in_order, pairs) => in_order as f64 / pairs as f64,
    }
}

/// How many pairs are in order, and how many there are.
pub(in crate::measure) fn pairs(ranking: &Ranking, parameters: &Parameters) -> (usize, usize) {
    let top = ranking.top(parameters.cutoff());
    let (mut relevant, mut others, mut in_order) = (0, 0, 0);
    for &grade in top {
        match ranking.is_relevant(grade) {
            true => relevant += 1,
            false => {
                others += 1;
                in_order += relevant;
            }
        }
    }
    (in_order, relevant * others)
}
