//! Measures of what the documents gain by their grades.

pub(super) mod compat;
pub(super) mod dcg;
pub(super) mod err;
pub(super) mod g;
mod gains;
pub(super) mod ideal_dcg;
pub(super) mod ndcg;
pub(super) mod ndcg_exp;
pub(super) mod ndcg_rel;
pub(super) mod r_ndcg;
pub(super) mod rbp;
