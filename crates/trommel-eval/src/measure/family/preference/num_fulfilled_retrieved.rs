//! Preferences that are fulfilled among documents retrieved (trec_eval `prefs_num_prefs_ful_ret`).

use super::counted::{retrieved, total};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_num_prefs_ful_ret: preferences for a document that was retrieved above the other. trec_eval 10,
/// `m_prefs_num_prefs_ful_ret.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    total(ranking, |it| retrieved(it).0) as f64
}
