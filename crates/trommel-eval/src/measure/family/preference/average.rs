//! Share of preferences that are fulfilled, averaged over groups (trec_eval `prefs_avgjg`).

use super::counted::{all, average};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_avgjg: fulfilled preferences over all, averaged over the groups of users. trec_eval 10, `m_prefs_avgjg.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    average(ranking, all)
}
