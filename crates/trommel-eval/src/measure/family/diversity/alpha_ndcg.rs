//! α-nDCG (ir_measures `alpha_nDCG`, ndeval `alpha-nDCG`).

use super::gains::{Discounted, by_logarithm, novelty};
use super::ideal::ideal;
use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// alpha_nDCG@k: Σ novelty gain / log2(rank + 1) over the first k, over the same for the topic's ideal ranking. Clarke et al.,
/// "Novelty and diversity in information retrieval evaluation", SIGIR 2008, as in ndeval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let (subtopics, alpha) = (Subtopics::of(ranking), parameters.number("alpha"));
    let k = parameters.cutoff();
    let discounted = |documents: &[Vec<usize>]| {
        let gains = novelty(documents, subtopics.sizes.len(), alpha);
        Discounted::of(&gains, &subtopics, k, alpha, by_logarithm)
    };
    discounted(&subtopics.ranked).share_of(&discounted(&ideal(&subtopics, k, alpha)))
}
