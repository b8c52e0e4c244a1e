//! Share of preferences that are fulfilled (trec_eval `prefs_simp_imp`).

use super::counted::{implied, share};
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_simp_imp: the same of preferences between documents of which at least one was retrieved. trec_eval 10, `m_prefs_simp_imp.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    share(ranking, implied)
}
