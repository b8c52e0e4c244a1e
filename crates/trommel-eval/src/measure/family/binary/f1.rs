//! F measures: harmonic means of precision and recall.
//!
//! F1@k averages the F1 of each topic. Web2Text (Vogels et al., ECIR 2018, Table 2) prints F1@10 as the
//! harmonic mean of the averaged P@10 and R@10 (0.316 and 0.056 give its 0.095): that is F1_of_means@k,
//! whose value for a single topic is the topic's F1.

use super::{precision, recall};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// F1@k of one topic, from P@k and R@k; 0 if both are 0.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    harmonic_mean(
        precision::score(ranking, parameters),
        recall::score(ranking, parameters),
    )
}

/// SetF (trec_eval `set_F`): (x + 1)·P·R / (R + x·P) over the retrieved set. The parameter is this x;
/// van Rijsbergen's β is its square root, though ir_measures calls x `beta`.
pub(in crate::measure) fn set(ranking: &Ranking, parameters: &Parameters) -> f64 {
    if ranking.num_rel_ret == 0 {
        return 0.0;
    }
    let x = parameters.number("beta");
    let precision = precision::set(ranking, parameters);
    let recall = recall::set(ranking, parameters);
    (x + 1.0) * precision * recall / (x * precision + recall)
}

/// Harmonic mean of two numbers from 0, 0 if either is 0.
pub(in crate::measure) fn harmonic_mean(a: f64, b: f64) -> f64 {
    match a > 0.0 && b > 0.0 {
        true => 2.0 * a * b / (a + b),
        false => 0.0,
    }
}
