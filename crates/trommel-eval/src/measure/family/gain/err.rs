//! Expected reciprocal rank, as gdeval computes it.

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// Highest grade of gdeval.pl.
pub(in crate::measure) const MAX_GRADE: i32 = 4;

/// ERR@k: Σ over ranks r of (1/r) · R_r · Π over ranks before of (1 − R), with the probability of
/// stopping R = (2^grade − 1) / 2^4; grades below 0 and unjudged documents have R = 0. Not normalised.
///
/// Chapelle et al., "Expected reciprocal rank for graded relevance", CIKM 2009; gdeval.pl of the TREC
/// web tracks for the maximum grade of 4, whatever grades the qrels have.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let mut continues = 1.0;
    let mut sum = 0.0;
    for (index, grade) in ranking.top(parameters.cutoff()).iter().enumerate() {
        let grade = grade.unwrap_or(0).max(0);
        let stops = (f64::from(grade).exp2() - 1.0) / f64::from(MAX_GRADE).exp2();
        sum += stops * continues / (index as f64 + 1.0);
        continues *= 1.0 - stops;
    }
    sum
}
