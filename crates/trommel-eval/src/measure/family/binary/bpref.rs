//! Binary preference (trec_eval `bpref`, `gm_bpref`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, is_unjudged};

/// For each relevant document retrieved: the fraction of the R judged non-relevant documents (or of all
/// N, if fewer) that are not ranked above it; the sum over R. Unjudged documents play no part.
///
/// Buckley and Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004, with
/// trec_eval's denominator min(R, N).
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    if ranking.num_rel == 0 {
        return 0.0;
    }
    let bound = ranking.num_rel.min(ranking.num_nonrel) as f64;
    let mut nonrel_above = 0usize;
    let mut sum = 0.0;
    for &grade in ranking.grades.iter().filter(|&&grade| !is_unjudged(grade)) {
        if !ranking.is_relevant(grade) {
            nonrel_above += 1;
        } else if nonrel_above == 0 {
            sum += 1.0;
        } else {
            sum += 1.0 - nonrel_above.min(ranking.num_rel) as f64 / bound;
        }
    }
    sum / ranking.num_rel as f64
}
