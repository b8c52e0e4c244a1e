//! Share of preferences that are fulfilled, with as many others as relevant documents (trec_eval `prefs_avgjg_Rnonrel`).

use super::counted::average_of_all;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_avgjg_Rnonrel: fulfilled preferences over all, averaged over the groups, as if there were as many documents of level 0 as of higher levels: only the
/// first of them count, or more are taken to stand below all others; 0 if a group then has no preference.
/// trec_eval 10, `m_prefs_avgjg_Rnonrel.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    average_of_all(ranking, |it| it.cut)
}
