//! Binary G (trec_eval `binG`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, sum};

/// binG: 1 / log2(2 + documents above it that are not relevant), summed over the relevant documents retrieved, over all relevant
/// documents. trec_eval 10, `m_binG.c` (an experimental measure of 2008).
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    if ranking.num_rel == 0 {
        return 0.0;
    }
    let ranks = ranking.relevant_ranks().enumerate();
    let gains = ranks.map(|(before, rank)| 1.0 / ((2 + rank - 1 - before) as f64).log2());
    sum(gains) / ranking.num_rel as f64
}
