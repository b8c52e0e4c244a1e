//! Nearly expected reciprocal rank with persistence (ir_measures `NERR10`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// NERR10: a user goes on with p · (1 − gain). Azzopardi, Mackenzie and
/// Moffat, "ERR is not C/W/L", ICTIR 2021, Equation 10, as in cwl_eval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let persistence = parameters.number("p");
    expected_utility(ranking, parameters, |seen| persistence * (1.0 - seen.gain))
}
