//! Preferences (trec_eval `prefs_num_prefs_poss`).

use super::counted::{all, total};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_num_prefs_poss: all preferences, each group's by itself. trec_eval 10, `m_prefs_num_prefs_poss.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    total(ranking, |it| all(it).1) as f64
}
