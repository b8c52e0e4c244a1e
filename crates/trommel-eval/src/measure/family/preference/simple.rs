//! Share of preferences that are fulfilled (trec_eval `prefs_simp`).

use super::counted::{all, share};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_simp: fulfilled preferences over all. trec_eval 10, `m_prefs_simp.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    share(ranking, all)
}
