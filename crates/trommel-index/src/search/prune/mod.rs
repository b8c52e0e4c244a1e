//! Ranking without a look at pages that cannot be among the first: the same hits with the same scores.
//!
//! Whatever the filter, a term stands in a page's passing blocks no more often than in all of them. So the postings by page
//! ([`crate::format::page_postings`]) bound each page's score, with its true length under the filter; only pages whose bound reaches the score
//! of the k-th best page so far are scored, by the frequencies in their passing blocks, in the order of the query, as all pages are in
//! [`crate::search::score`]. df and cf, which scores need before any page is read, come from [`totals`].
//!
//! First some pages with the most telling terms give a score that has to be reached. Then one stretch of pages is gone through after another:
//! their bounds are made, and those with the greatest are scored first, so that few others have to be. What one stretch finds the next ones have to reach.
//!
//! Pages are taken in windows of consecutive ranks. Terms whose greatest contributions in a window together cannot reach the score
//! make no candidates there and are looked up only (MaxScore: Turtle and Flood, *Query evaluation: strategies and optimizations*, IP&M
//! 31(6), 1995; by ranges of documents as in Mallia et al., *Faster learned sparse retrieval with block-max pruning*, SIGIR 2024).

mod best;
mod candidates;
mod cursor;
mod exact;
mod filtered;
mod list;
mod parts;
mod ranges;
mod searched;
mod stretches;
mod terms;
#[cfg(test)]
mod tests;
mod totals;
mod verify;
mod window;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::filtered::list::List;
use crate::search::hit::Clause;
use crate::search::model::{Formula, TermTotals};
use crate::search::open::Index;
use crate::search::phrase::is_phrase;

use self::best::Best;
use self::candidates::Candidates;
use self::filtered::Found;
use self::list::Lists;
use self::parts::of_query;
pub(crate) use self::parts::threads;
use self::ranges::Ranges;
use self::stretches::stretches;
use self::terms::Terms;
use self::verify::{Verifier, verify};
use self::window::{Room, Scan};

/// Pages that the first guess at the last score is made by, and so many more for each page that is wanted.
const SAMPLE: usize = if cfg!(test) { 8 } else { 128 };
const SAMPLE_FOR_ONE: usize = 2;

pub(crate) use self::searched::Searched;

/// So many times as many pages as are wanted are to be read at least, for their bounds to be worth asking for.
const DEAR: u64 = if cfg!(test) { 0 } else { 4 };

/// What is found without a look at all pages.
#[derive(Debug)]
pub(crate) struct Pruned {
    /// The pages that can be among the first, with their scores: all that tie with the last one are there.
    pub hits: Vec<(u32, f32)>,
    /// How many pages have a clause, if it was asked for.
    pub total: Option<usize>,
}

/// The pages that can be among the first `k` for some clauses, and if `counting` how many there are in all. None where the index has no
/// postings by page, or the query something that they do not bound.
pub(crate) fn prune(
    searched: &Searched,
    query: &[Clause],
    formula: &Formula,
    norms: &Arc<Vec<f64>>,
    k: usize,
    counting: bool,
) -> Result<Option<Pruned>, IndexError> {
    let prune = || match counting {
        true => counted(searched, query, formula, norms, k),
        false => best_pages(searched, query, formula, norms, k),
    };
    match searched.threads {
        1 => prune(),
        // Into the pool once, not for each of its parts: that takes longer than many a part.
        _ => rayon::scope(|_| prune()),
    }
}

/// [`prune`] with all pages counted. That reads all postings of terms which are not in memory, so that they are kept there.
fn counted(
    searched: &Searched,
    query: &[Clause],
    formula: &Formula,
    norms: &Arc<Vec<f64>>,
    k: usize,
) -> Result<Option<Pruned>, IndexError> {
    if !can_be_pruned(searched, query) {
        return Ok(None);
    }
    let Found::Kept(lists) = filtered::lists(searched, &list::distinct(query), true)? else {
        return Ok(None);
    };
    best_of_kept(searched, query, formula, norms, (k, true), &lists)
}

fn can_be_pruned(searched: &Searched, query: &[Clause]) -> bool {
    is_bounded(searched) && !query.iter().any(|clause| is_phrase(&clause.term))
}

fn best_pages(
    searched: &Searched,
    query: &[Clause],
    formula: &Formula,
    norms: &Arc<Vec<f64>>,
    k: usize,
) -> Result<Option<Pruned>, IndexError> {
    let index = searched.index;
    if !can_be_pruned(searched, query) || k == 0 {
        return Ok(None);
    }
    let terms = list::distinct(query);
    let lists = match filtered::lists(searched, &terms, false)? {
        Found::Opened(lists) => lists,
        Found::Kept(lists) => {
            return best_of_kept(searched, query, formula, norms, (k, false), &lists);
        }
    };
    let totals = totals::totals(searched, &terms, &lists)?;
    let terms = Terms::new(searched, query, &terms, &totals, formula);
    // Where nearly all that is read would have to be scored, it is dearer to ask.
    if lists.iter().map(Lists::pages).sum::<u64>() < DEAR.saturating_mul(k as u64) {
        return Ok(None);
    }
    let k = k.min(index.num_pages());
    let ranked = searched.subset.by_rank(&index.layout, norms);
    let scan = |segment: usize| Scan {
        lists: &lists[segment],
        terms: &terms,
        norms: &ranked.norms[index.layout.ranks_of(segment)],
    };
    let verifier = Verifier {
        searched,
        lists: &lists,
        terms: &terms,
        norms,
    };
    let best = Best::new(k);
    let room = || Room::new(terms.weights.len());
    let share = |pages: usize| pages.div_ceil(lists.len().max(1));
    let promising = promising_terms(&lists, &terms, SAMPLE_FOR_ONE * k + SAMPLE);
    let seeds = of_query(
        searched.threads,
        (0..lists.len()).collect(),
        room,
        |room, segment| {
            let mut seeds = Candidates::new(segment, terms.weights.len());
            reading(index, segment, || {
                let most = share(SAMPLE_FOR_ONE * k + SAMPLE);
                scan(segment).seeds(room, &promising, most, &mut seeds);
                // Many more than are wanted: under a filter pages with great bounds have less of the terms than others.
                let bounds = seeds.bound_of(share(2 * k + 64))..f64::INFINITY;
                verify(&verifier, &seeds, &bounds, &[], &best)
            })
        },
    )?;
    let pages = |segment: usize| index.layout.ranks_of(segment).len() as u32;
    let stretches = stretches((0..lists.len()).map(pages), searched.threads);
    let next = AtomicUsize::new(0);
    // Each thread takes the next stretch when it is done with one.
    let threads = (0..searched.threads).collect();
    of_query(searched.threads, threads, room, |room, _| {
        while let Some((segment, stretch)) = stretches.get(next.fetch_add(1, Relaxed)) {
            let mut candidates = Candidates::new(*segment, terms.weights.len());
            reading(index, *segment, || {
                scan(*segment).candidates(room, stretch, best.floor(), &mut candidates);
                // The most promising first, so that the rest has more to reach; in few rounds, since each goes through the blocks anew.
                let mut above = f64::INFINITY;
                for count in [k + k / 4 + 8, 2 * k + 16, candidates.len()] {
                    let bound = candidates.bound_of(count);
                    let bounds = bound..above;
                    verify(&verifier, &candidates, &bounds, &seeds[*segment], &best)?;
                    above = bound;
                    if above == f64::NEG_INFINITY {
                        break;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    })?;
    let hits = best.into_hits();
    Ok(Some(Pruned { hits, total: None }))
}

/// [`prune`] by lists in memory.
fn best_of_kept(
    searched: &Searched,
    query: &[Clause],
    formula: &Formula,
    norms: &Arc<Vec<f64>>,
    (k, counting): (usize, bool),
    lists: &[Arc<List>],
) -> Result<Option<Pruned>, IndexError> {
    let names = list::distinct(query);
    let totals = filtered::totals(searched, &names, lists)?;
    let terms = Terms::new(searched, query, &names, &totals, formula);
    let layout = &searched.index.layout;
    let norms = searched.subset.by_rank(layout, norms);
    let impacts = filtered::impacts(searched, &names, &terms, lists, &norms.norms)?;
    let Some(ranges) = Ranges::new(&terms, lists, &impacts, &norms) else {
        return Ok(None);
    };
    let scored = lists.iter().zip(&terms.weights);
    let scored = scored.filter_map(|(list, weight)| weight.map(|_| &**list));
    let total = counting.then(|| filtered::count(searched, scored.clone()));
    let pages = scored.map(|list| list.df as usize).sum();
    let k = k.min(pages);
    let mut hits = Vec::new();
    if k > 0 {
        let best = Best::new(k);
        ranges.rank(k, &best, searched.threads)?;
        hits = best.into_hits();
        for (rank, _) in &mut hits {
            *rank = layout.page_of_rank(*rank as usize);
        }
    }
    Ok(Some(Pruned { hits, total }))
}

/// The terms that may add most, of which so many pages have one; a bit for each term.
fn promising_terms(lists: &[Lists], terms: &Terms, pages: usize) -> Vec<bool> {
    let mut promising = vec![false; terms.weights.len()];
    let mut found = 0;
    for &term in terms.order() {
        if found >= pages as u64 {
            break;
        }
        promising[term] = true;
        found += lists
            .iter()
            .map(|lists| lists.lists[term].pages())
            .sum::<u64>();
    }
    promising
}

/// df and cf of a term by the blocks that statistics are taken from; none where they are to be counted otherwise.
pub(crate) fn totals_of(searched: &Searched, term: &str) -> Result<Option<TermTotals>, IndexError> {
    if !is_bounded(searched) {
        return Ok(None);
    }
    let lists = Lists::open_all(searched, &[term])?;
    let totals = totals::totals(searched, &[term], &lists)?;
    Ok(totals.first().copied())
}

/// Are there postings by page of all that counts?
fn is_bounded(searched: &Searched) -> bool {
    let Searched { index, subset, .. } = *searched;
    subset.weights.is_none()
        && subset.titles.is_none()
        && index.layout.repeated.is_none()
        && index.segments.iter().all(|it| it.page_postings.is_some())
}

fn reading<T>(
    index: &Index,
    segment: usize,
    read: impl FnOnce() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    guard::reading(&index.segments[segment].stored.path, read)
}
