//! Share of preferences that are fulfilled, averaged over pairs (trec_eval `prefs_pair_imp`).

use super::counted::pairs;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_pair_imp: the same of pairs of which at least one was retrieved. trec_eval 10, `m_prefs_pair_imp.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    pairs(ranking, true, false)
}
