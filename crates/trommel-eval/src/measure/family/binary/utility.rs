//! Utility of the set retrieved (trec_eval `utility`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, sum};

/// utility: p1·a + p2·b + p3·c + p4·d, where a relevant documents were retrieved and c were not, b and d others; by default a − b. d
/// needs the number of documents in the collection (`-N`). trec_eval 10, `m_utility.c`.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let rel_ret = ranking.num_rel_ret as f64;
    let (ret, rel) = (ranking.num_ret() as f64, ranking.num_rel as f64);
    let counts = [
        rel_ret,
        ret - rel_ret,
        rel - rel_ret,
        ranking.num_docs as f64 + rel_ret - ret - rel,
    ];
    let weights = parameters.numbers("weights");
    sum(weights
        .iter()
        .zip(counts)
        .map(|(weight, count)| weight * count))
}
