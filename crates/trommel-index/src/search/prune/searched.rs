//! What a pruned search reads.

use crate::search::model::Totals;
use crate::search::open::Index;
use crate::search::shared::given::Given;
use crate::search::subset::Subset;

/// What is searched: the index under a filter without weights, with the statistics of the filter or of another one.
#[derive(Clone, Copy)]
pub(crate) struct Searched<'a> {
    pub index: &'a Index,
    pub subset: &'a Subset,
    /// What statistics are taken from, where it is not the subset itself.
    pub others: Option<&'a Subset>,
    /// What statistics are instead of either.
    pub given: Option<&'a Given>,
    /// Threads for the query.
    pub threads: usize,
    /// N and |C| by the statistics.
    pub totals: Totals,
}
