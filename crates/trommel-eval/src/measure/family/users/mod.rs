//! Measures that are averaged over groups of users, who judged for themselves.

pub(super) mod ap_avgjg;
pub(super) mod p_avgjg;
pub(super) mod r_precision_multiple_avgjg;
