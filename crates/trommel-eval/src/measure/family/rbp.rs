//! Rank-biased precision (trec_eval `rbp`, `rbp_resid`).
//!
//! Moffat and Zobel, ACM TOIS 27 (2008), article 2.

use super::row::Parameter;
use crate::measure::ranking::{Ranking, is_unjudged};

/// RBP: (1 − p) Σ gain · p^(rank − 1) with persistence p. The gain is the grade divided by the topic's
/// highest grade if that is above 1 (0 if negative or missing), so it lies in 0..=1; the relevance
/// level plays no part. trec_eval's default is p = 0.9, that of ir_measures 0.8.
pub(super) fn score(ranking: &Ranking, parameter: Parameter) -> f64 {
    let persistence = parameter.number();
    let highest = ranking.judged.first().copied().unwrap_or(0).max(1);
    let mut weight = 1.0;
    let mut sum = 0.0;
    for grade in &ranking.grades {
        let gain = f64::from(grade.unwrap_or(0).max(0)) / f64::from(highest);
        sum += gain * weight;
        weight *= persistence;
    }
    (1.0 - persistence) * sum
}

/// RBPResid: by how much RBP could rise if every unjudged document had the highest gain: the weights of
/// the unjudged documents retrieved and of all ranks below the last. As in trec_eval, 0 if every
/// retrieved document was judged (then only what lies below the last rank is open).
pub(super) fn residual(ranking: &Ranking, parameter: Parameter) -> f64 {
    let persistence = parameter.number();
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
