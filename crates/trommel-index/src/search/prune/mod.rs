//! Ranking without a look at pages that cannot be among the first: the same hits with the same scores.
//!
//! Whatever the filter, a term stands in a page's passing blocks no more often than in all of them. So the postings by page
//! ([`crate::format::page_postings`]) bound each page's score, with its true length under the filter; only pages whose bound reaches the score
//! of the k-th best page so far are scored, by the frequencies in their passing blocks, in the order of the query, as all pages are in
//! [`crate::search::score`]. df and cf, which scores need before any page is read, come from [`totals`].
//!
//! Pages are taken in windows of consecutive ranks. Terms whose greatest contributions in a window together cannot reach the score
//! make no candidates there and are looked up only (MaxScore: Turtle and Flood, *Query evaluation: strategies and optimizations*, IP&M
//! 31(6), 1995; by ranges of documents as in Mallia et al., *Faster learned sparse retrieval with block-max pruning*, SIGIR 2024).

mod best;
mod cursor;
mod exact;
mod list;
mod terms;
#[cfg(test)]
mod tests;
mod totals;
mod window;

use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::hit::Clause;
use crate::search::model::Formula;
use crate::search::open::Index;
use crate::search::phrase::is_phrase;
use crate::search::subset::Subset;

use self::best::Best;
use self::list::Lists;
use self::terms::Terms;
use self::window::Scan;

/// Pages of a segment that the first guess at the last score is made by: some windows.
const SEEDS: u32 = 4 * window::WIDTH as u32;

/// So many times as many pages as are wanted are to be read at least, for their bounds to be worth asking for.
const DEAR: u64 = if cfg!(test) { 0 } else { 4 };

/// What is searched: the index under a filter without weights, with the statistics of the filter or of another one.
#[derive(Clone, Copy)]
pub(crate) struct Searched<'a> {
    pub index: &'a Index,
    pub subset: &'a Subset,
    /// What statistics are taken from, where it is not the subset itself.
    pub others: Option<&'a Subset>,
}

/// The pages that can be among the first `k` for some clauses, with their scores: all that tie with the last one are there. None where
/// the index has no postings by page, or the query something that they do not bound.
pub(crate) fn prune(
    searched: &Searched,
    query: &[Clause],
    formula: &Formula,
    norms: &[f64],
    k: usize,
) -> Result<Option<Vec<(u32, f32)>>, IndexError> {
    let Searched { index, subset, .. } = *searched;
    let is_bounded = subset.weights.is_none()
        && subset.titles.is_none()
        && index.layout.repeated.is_none()
        && index.segments.iter().all(|it| it.page_postings.is_some())
        && query.iter().all(|clause| !is_phrase(&clause.term));
    if !is_bounded || k == 0 {
        return Ok(None);
    }
    let terms = list::distinct(query);
    let mut lists = Vec::with_capacity(index.segments.len());
    for segment in 0..index.segments.len() {
        lists.push(Lists::open(searched, segment, &terms)?);
    }
    let totals = totals::totals(searched, &terms, &lists)?;
    let terms = Terms::new(searched, query, &terms, &totals, formula);
    // Where nearly all that is read would have to be scored, it is dearer to ask.
    if lists.iter().map(Lists::pages).sum::<u64>() < DEAR * k as u64 {
        return Ok(None);
    }
    let mut best = Best::new(k);
    let scan = |segment: usize| Scan {
        searched,
        segment,
        lists: &lists[segment],
        terms: &terms,
        norms,
    };
    let reading = |segment: usize, read: &mut dyn FnMut() -> Result<(), IndexError>| {
        guard::reading(&index.segments[segment].stored.path, read)
    };
    let largest = (0..lists.len()).max_by_key(|segment| index.layout.pages_of(*segment).len());
    if let Some(segment) = largest {
        reading(segment, &mut || scan(segment).seed(SEEDS, &mut best))?;
    }
    for segment in 0..lists.len() {
        reading(segment, &mut || scan(segment).run(&mut best))?;
    }
    Ok(Some(best.into_hits()))
}
