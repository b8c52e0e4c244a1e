//! Nearly expected reciprocal rank with a discount (ir_measures `NERR9@k`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// NERR9@k: a user goes on from rank i < k with i / (i + 1) · (1 − gain). Azzopardi, Mackenzie and
/// Moffat, "ERR is not C/W/L", ICTIR 2021, Equation 9, as in cwl_eval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let depth = parameters.cutoff() as f64;
    expected_utility(ranking, parameters, |seen| match seen.rank < depth {
        true => seen.rank / (seen.rank + 1.0) * (1.0 - seen.gain),
        false => 0.0,
    })
}
