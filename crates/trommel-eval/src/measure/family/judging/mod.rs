//! Counts of documents, and how much of a ranking was judged.

pub(super) mod counts;
pub(super) mod judged;
pub(super) mod relstring;
