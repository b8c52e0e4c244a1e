//! Share of preferences that are fulfilled, averaged over pairs (trec_eval `prefs_pair`).

use super::counted::pairs;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_pair: for each pair of documents, the share of the groups' preferences that is fulfilled; the mean. trec_eval 10, `m_prefs_pair.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    pairs(ranking, true, true)
}
