//! INSQ (ir_measures `INSQ`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// INSQ: a user goes on from rank i with ((i + 2T − 1) / (i + 2T))². Moffat, Scholer and Thomas, "Models and metrics: IR evaluation
/// as a user process", ADCS 2012, as in cwl_eval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let wanted = parameters.number("T");
    expected_utility(ranking, parameters, |seen| {
        ((seen.rank + 2.0 * wanted - 1.0) / (seen.rank + 2.0 * wanted)).powi(2)
    })
}
