//! How many preferences between documents a ranking keeps to.

pub(super) mod average;
pub(super) mod average_implied;
pub(super) mod average_others;
pub(super) mod average_others_retrieved;
pub(super) mod average_retrieved;
mod counted;
pub(super) mod num_fulfilled;
pub(super) mod num_fulfilled_retrieved;
pub(super) mod num_possible;
pub(super) mod pair;
pub(super) mod pair_implied;
pub(super) mod pair_retrieved;
pub(super) mod simple;
pub(super) mod simple_implied;
pub(super) mod simple_retrieved;
