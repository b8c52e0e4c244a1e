//! Intent-aware precision (ir_measures `P_IA`, ndeval `P-IA`).

use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// P_IA@k: precision at k for each subtopic by itself, their mean. Agrawal et al., "Diversifying search results", WSDM 2009, as in
/// ndeval (all subtopics are as probable).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let (subtopics, k) = (Subtopics::of(ranking), parameters.cutoff());
    let found = subtopics.ranked.iter().take(k).map(Vec::len).sum();
    ratio(found, k.saturating_mul(subtopics.num()))
}
