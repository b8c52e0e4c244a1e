//! Statistics of a collection that stands in several indexes, which are searched apart: on many machines, say.
//!
//! A score is a function of a page's own frequencies and length, and of a few integers of the whole collection: N, |C|, and df and cf of
//! the query's terms. Each index counts its own ([`Index::count`](crate::Index::count)), the sums over all indexes are those of the collection
//! ([`SharedStatistics::join`](crate::SharedStatistics::join)), and a search by the sums ([`Ranking::shared`](crate::Ranking::shared)) gives each page the score that it has in
//! one index of all, to the bit. Feedback takes two rounds more: the pages that it comes from are the best of the whole collection,
//! and their terms have to be counted as well.

pub(crate) mod count;
pub(crate) mod data;
pub(crate) mod error;
pub(crate) mod given;
pub(crate) mod join;
