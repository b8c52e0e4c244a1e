//! Rank-biased precision (trec_eval `rbp`, `rbp_resid`).
//!
//! Moffat and Zobel, ACM TOIS 27 (2008), article 2.

use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, is_unjudged};

/// RBP: (1 − p) Σ gain · p^(rank − 1) with persistence p, over the first k with a cutoff. The gain is the grade divided by the
/// topic's highest grade if that is above 1 (0 if negative or missing), so it lies in 0..=1; the relevance
/// level plays no part, unless `rel` is given: then the gain of relevant documents is 1, of others 0, as in cwl_eval.
/// trec_eval's default is p = 0.9, that of ir_measures 0.8.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let persistence = parameters.number("p");
    let binary = parameters.grade("rel").is_some();
    let highest = ranking.judged.first().copied().unwrap_or(0).max(1);
    let mut weight = 1.0;
    let mut sum = 0.0;
    for &grade in ranking.top(parameters.cutoff()) {
        let gain = match binary {
            true => f64::from(u8::from(ranking.is_relevant(grade))),
            false => f64::from(grade.unwrap_or(0).max(0)) / f64::from(highest),
        };
        sum += gain * weight;
        weight *= persistence;
    }
    (1.0 - persistence) * sum
}

/// RBPResid: by how much RBP could rise if every unjudged document had the highest gain: the weights of
/// the unjudged documents retrieved and of all ranks below the last. As in trec_eval, 0 if every
/// retrieved document was judged (then only what lies below the last rank is open).
pub(in crate::measure) fn residual(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let persistence = parameters.number("p");
    let mut weight = 1.0;
    let mut sum = 0.0;
    let mut any_unjudged = false;
    for &grade in &ranking.grades {
        if is_unjudged(grade) {
            any_unjudged = true;
            sum += weight;
        }
        weight *= persistence;
    }
    match any_unjudged {
        true => weight + (1.0 - persistence) * sum,
        false => 0.0,
    }
}
