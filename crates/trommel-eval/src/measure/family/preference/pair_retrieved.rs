//! Share of preferences that are fulfilled, averaged over pairs (trec_eval `prefs_pair_ret`).

use super::counted::pairs;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_pair_ret: the same of pairs of documents retrieved. trec_eval 10, `m_prefs_pair_ret.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    pairs(ranking, false, false)
}
