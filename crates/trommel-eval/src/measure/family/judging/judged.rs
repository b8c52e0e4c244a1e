//! How much of the top of a ranking was judged (ir_measures `Judged`, trec_eval `unj`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, is_unjudged, ratio};

/// Judged@k: documents of the first k that are in the qrels with any grade, over k or over the number
/// retrieved if that is smaller (as ir_measures has it); 0 for an empty ranking.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let top = ranking.top(parameters.cutoff());
    ratio(top.iter().flatten().count(), top.len())
}

/// Unj@k: documents of the first k that are not in the qrels or there with a grade below 0, over k
/// (as trec_eval has it). Not 1 − Judged@k: grades below 0 and short rankings count differently.
pub(in crate::measure) fn unjudged(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let top = ranking.top(parameters.cutoff());
    let unjudged = top.iter().filter(|&&grade| is_unjudged(grade)).count();
    ratio(unjudged, parameters.cutoff())
}
