//! Nearly expected reciprocal rank with a goal (ir_measures `NERR11`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// NERR11: a user goes on from rank i with ((i + 2T − 1) / (i + 2T))² · (1 − gain). Azzopardi, Mackenzie and
/// Moffat, "ERR is not C/W/L", ICTIR 2021, Equation 11, as in cwl_eval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let wanted = parameters.number("T");
    expected_utility(ranking, parameters, |seen| {
        let stays = (seen.rank + 2.0 * wanted - 1.0) / (seen.rank + 2.0 * wanted);
        stays.powi(2) * (1.0 - seen.gain)
    })
}
