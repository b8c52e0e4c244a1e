//! Novelty and diversity over subtopics, as ndeval of the TREC web tracks computes them. A document is relevant to a subtopic or not;
//! subtopics to which no document is relevant do not count.

pub(super) mod alpha_dcg;
pub(super) mod alpha_ndcg;
pub(super) mod ap_ia;
pub(super) mod err_ia;
mod gains;
mod ideal;
pub(super) mod n_err_ia;
pub(super) mod n_nrbp;
pub(super) mod nrbp;
pub(super) mod p_ia;
pub(super) mod st_recall;
mod subtopics;
