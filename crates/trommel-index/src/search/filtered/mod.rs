//! Postings by page as a filter leaves them, kept in memory: for terms that are searched for again and again.
//!
//! An impact is made of a frequency and a length, and both are known only when the filter is. So what lets a search pass over pages, the greatest
//! impacts of some pages together, cannot stand in the index; it is made here, once for a term, a filter and a formula, and kept as long as there
//! is room ([`store::Store`]).
//!
//! Pages are numbered by rank, those of all segments in a row. [`WIDTH`] of them are a range, and of these again [`NARROW`] a unit.

pub(crate) mod impacts;
pub(crate) mod list;
pub(crate) mod store;

/// Pages of a range: a bit each of a word.
pub(crate) const WIDTH: u32 = u32::BITS;

/// Pages of a unit.
pub(crate) const NARROW: u32 = 8;

/// Units of a range.
pub(crate) const UNITS: usize = (WIDTH / NARROW) as usize;
