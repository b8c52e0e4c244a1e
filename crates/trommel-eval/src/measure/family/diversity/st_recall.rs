//! Subtopic recall (ir_measures `StRecall`, ndeval `strec`).

use std::collections::BTreeSet;

use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// StRecall@k: subtopics to which a document of the first k is relevant, over all subtopics. Zhai, Cohen and Lafferty, "Beyond
/// independent relevance", SIGIR 2003, as in ndeval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let subtopics = Subtopics::of(ranking);
    let top = subtopics.ranked.iter().take(parameters.cutoff());
    let found: BTreeSet<&usize> = top.flatten().collect();
    ratio(found.len(), subtopics.num())
}
