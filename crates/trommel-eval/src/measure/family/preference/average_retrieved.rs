//! Share of preferences that are fulfilled, averaged over groups (trec_eval `prefs_avgjg_ret`).

use super::counted::{average, retrieved};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_avgjg_ret: the same of preferences between documents retrieved. trec_eval 10, `m_prefs_avgjg_ret.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    average(ranking, retrieved)
}
