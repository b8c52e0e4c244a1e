//! Share of preferences that are fulfilled (trec_eval `prefs_simp_ret`).

use super::counted::{retrieved, share};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_simp_ret: the same of preferences between documents retrieved. trec_eval 10, `m_prefs_simp_ret.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    share(ranking, retrieved)
}
