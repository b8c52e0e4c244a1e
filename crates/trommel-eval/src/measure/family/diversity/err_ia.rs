//! Intent-aware ERR (ir_measures `ERR_IA`, ndeval `ERR-IA`).

use super::gains::{Discounted, by_rank, novelty};
use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// The probability that a relevant document is enough, in ndeval its `-alpha` of 0.5.
pub(super) const ENOUGH: f64 = 0.5;

/// ERR_IA@k: Σ novelty gain / rank over the first k, over the same for documents that are all relevant to all subtopics. Chapelle et
/// al., "Expected reciprocal rank for graded relevance", CIKM 2009, section 7.3, as in ndeval (which forgets to normalise at k = 1, a
/// cutoff that it never prints).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let subtopics = Subtopics::of(ranking);
    let gains = novelty(&subtopics.ranked, subtopics.sizes.len(), ENOUGH);
    Discounted::of(&gains, &subtopics, parameters.cutoff(), ENOUGH, by_rank).share()
}
