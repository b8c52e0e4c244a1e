//! The framework: Moffat, Bailey, Scholer and Thomas, "Incorporating user expectations and behavior into the measurement of search
//! effectiveness", ACM TOIS 35 (2017); Azzopardi, Thomas and Moffat, "cwl_eval", SIGIR 2019.

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// How far cwl_eval looks: rankings are cut off there, and filled up with documents that gain nothing.
const DEPTH: usize = 1000;

/// A rank as the user sees it.
pub(super) struct Seen {
    /// The rank, from 1.
    pub(super) rank: f64,
    /// Gain of its document, 0 to 1.
    pub(super) gain: f64,
    /// Gains of all documents down to it.
    pub(super) gained: f64,
}

/// Expected gain of a document that is looked at: Σ W(rank) · gain, where W is proportional to the probability that the rank is
/// reached, and `goes_on` that of going on from a rank. The gain is the grade, at least 0, clipped to `min_rel..=max_rel` and
/// scaled to 0 to 1; 0 for documents that are not judged.
pub(super) fn expected_utility(
    ranking: &Ranking,
    parameters: &Parameters,
    goes_on: impl Fn(&Seen) -> f64,
) -> f64 {
    let least = f64::from(parameters.grade("min_rel").unwrap_or(0));
    let most = f64::from(parameters.grade("max_rel").unwrap_or(1));
    let gain = |grade: &Option<i32>| match grade {
        Some(grade) if most > least => {
            (f64::from((*grade).max(0)).clamp(least, most) - least) / (most - least)
        }
        _ => 0.0,
    };
    let gains = ranking.top(DEPTH).iter().map(gain);
    let (mut reached, mut looked_at, mut sum, mut gained) = (1.0, 0.0, 0.0, 0.0);
    for (index, gain) in gains.chain(std::iter::repeat(0.0)).take(DEPTH).enumerate() {
        looked_at += reached;
        sum += reached * gain;
        gained += gain;
        let rank = index as f64 + 1.0;
        reached *= goes_on(&Seen { rank, gain, gained });
        // Nobody goes on whose goal makes no number (a T of 0).
        if reached == 0.0 || !reached.is_finite() {
            break;
        }
    }
    sum / looked_at
}
