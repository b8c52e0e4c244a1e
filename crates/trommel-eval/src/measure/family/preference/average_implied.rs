//! Share of preferences that are fulfilled, averaged over groups (trec_eval `prefs_avgjg_imp`).

use super::counted::{average, implied};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_avgjg_imp: the same of preferences between documents of which at least one was retrieved. trec_eval 10, `m_prefs_avgjg_imp.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    average(ranking, implied)
}
