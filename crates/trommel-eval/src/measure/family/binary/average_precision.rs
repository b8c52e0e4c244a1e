//! Average precision (trec_eval `map`, `map_cut`, `gm_map`, `set_map`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio, sum};

/// AP and AP@k: the precision at each relevant document (of the first k), summed, over all relevant
/// documents. Buckley and Voorhees, "Retrieval System Evaluation", TREC: Experiment and Evaluation in
/// Information Retrieval (2005), chapter 3.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    if ranking.num_rel == 0 {
        return 0.0;
    }
    let precisions = ranking
        .relevant_ranks()
        .take_while(|&rank| rank <= parameters.cutoff())
        .enumerate()
        .map(|(before, rank)| ratio(before + 1, rank));
    sum(precisions) / ranking.num_rel as f64
}

/// SetAP: precision times recall of the retrieved set.
pub(in crate::measure) fn set(ranking: &Ranking, _: &Parameters) -> f64 {
    let squared = ranking.num_rel_ret as f64 * ranking.num_rel_ret as f64;
    let whole = ranking.num_ret() as f64 * ranking.num_rel as f64;
    if whole > 0.0 { squared / whole } else { 0.0 }
}
