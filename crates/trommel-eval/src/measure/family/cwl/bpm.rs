//! The Bejeweled player model (ir_measures `BPM`).

use super::framework::expected_utility;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// BPM@k: a user goes on until gains of T are found or k documents were looked at. Zhang et al., "Evaluating web search with a
/// bejeweled player model", SIGIR 2017, the static model as in cwl_eval.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let (wanted, depth) = (parameters.number("T"), parameters.cutoff() as f64);
    expected_utility(ranking, parameters, |seen| {
        f64::from(u8::from(seen.gained < wanted && seen.rank < depth))
    })
}
