//! Normalised intent-aware ERR (ir_measures `nERR_IA`, ndeval `nERR-IA`).

use super::err_ia::ENOUGH;
use super::gains::{Discounted, by_rank, novelty};
use super::ideal::ideal;
use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// nERR_IA@k: Σ novelty gain / rank over the first k, over the same for the topic's ideal ranking. Chapelle et al., CIKM 2009, section
/// 7.3, as in ndeval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let (subtopics, k) = (Subtopics::of(ranking), parameters.cutoff());
    let discounted = |documents: &[Vec<usize>]| {
        let gains = novelty(documents, subtopics.sizes.len(), ENOUGH);
        Discounted::of(&gains, &subtopics, k, ENOUGH, by_rank)
    };
    discounted(&subtopics.ranked).share_of(&discounted(&ideal(&subtopics, k, ENOUGH)))
}
