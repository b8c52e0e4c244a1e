//! INST (ir_measures `INST`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// INST: a user who wants gains of T in all goes on from rank i with ((i + T + Tᵢ − 1) / (i + T + Tᵢ))², Tᵢ being what is still
/// wanted. Moffat, Bailey, Scholer and Thomas, "INST: an adaptive metric for information retrieval evaluation", ADCS 2015, as in
/// cwl_eval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let wanted = parameters.number("T");
    expected_utility(ranking, parameters, |seen| {
        let left = wanted - seen.gained;
        ((seen.rank + wanted + left - 1.0) / (seen.rank + wanted + left)).powi(2)
    })
}
