//! Share of preferences that are fulfilled, with as many others as relevant documents (trec_eval `prefs_avgjg_Rnonrel_ret`).

use super::counted::average_of_all;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// prefs_avgjg_Rnonrel_ret: the same of preferences between documents retrieved.
/// trec_eval 10, `m_prefs_avgjg_Rnonrel_ret.c`.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    average_of_all(ranking, |it| it.cut_retrieved)
}
