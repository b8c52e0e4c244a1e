//! Normalised novelty- and rank-biased precision (`nNRBP`).

use super::ideal::ideal;
use super::nrbp::biased;
use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// nNRBP: NRBP over that of the topic's ideal ranking of all judged documents. Clarke, Kolla and Vechtomova, ICTIR 2009, as in ndeval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let subtopics = Subtopics::of(ranking);
    let (alpha, beta) = (parameters.number("alpha"), parameters.number("beta"));
    let sum = |documents: &[Vec<usize>]| biased(documents, subtopics.sizes.len(), alpha, beta);
    let most = sum(&ideal(&subtopics, usize::MAX, alpha));
    match most > 0.0 {
        true => sum(&subtopics.ranked) / most,
        false => 0.0,
    }
}
