//! Preferences that are fulfilled (trec_eval `prefs_num_prefs_ful`).

use super::counted::{all, total};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_num_prefs_ful: preferences for a document that was retrieved above the other, or without it. trec_eval 10,
/// `m_prefs_num_prefs_ful.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    total(ranking, |it| all(it).0) as f64
}
