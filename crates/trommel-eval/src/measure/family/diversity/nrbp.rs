//! Novelty- and rank-biased precision (`NRBP`).

use super::gains::novelty;
use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// NRBP: (1 − (1 − α)β) / subtopics · Σ novelty gain · β^(rank − 1). Clarke, Kolla and Vechtomova, "An effectiveness measure for
/// ambiguous and underspecified queries", ICTIR 2009, as in ndeval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let subtopics = Subtopics::of(ranking);
    let (alpha, beta) = (parameters.number("alpha"), parameters.number("beta"));
    match subtopics.num() {
        0 => 0.0,
        num => {
            let sum = biased(&subtopics.ranked, subtopics.sizes.len(), alpha, beta);
            sum * (1.0 - (1.0 - alpha) * beta) / num as f64
        }
    }
}

/// Σ novelty gain · β^(rank − 1).
pub(super) fn biased(documents: &[Vec<usize>], num: usize, alpha: f64, beta: f64) -> f64 {
    let (mut sum, mut weight) = (0.0, 1.0);
    for gain in novelty(documents, num, alpha) {
        sum += gain * weight;
        weight *= beta;
    }
    sum
}
