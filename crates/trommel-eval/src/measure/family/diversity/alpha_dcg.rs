//! α-DCG (ir_measures `alpha_DCG`, ndeval `alpha-DCG`).

use super::gains::{Discounted, by_logarithm, novelty};
use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// alpha_DCG@k: Σ novelty gain / log2(rank + 1) over the first k, over the same for documents that are all relevant to all subtopics.
/// Clarke et al., "Novelty and diversity in information retrieval evaluation", SIGIR 2008, normalised as by ndeval (which forgets
/// it at k = 1, a cutoff that it never prints).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let (subtopics, alpha) = (Subtopics::of(ranking), parameters.number("alpha"));
    let gains = novelty(&subtopics.ranked, subtopics.sizes.len(), alpha);
    Discounted::of(&gains, &subtopics, parameters.cutoff(), alpha, by_logarithm).share()
}
