//! Lists that are kept in memory: which queries have them, and how they are made.

use std::sync::{Arc, PoisonError};

use trommel_text::Hundredths;

use super::list::{List as Listed, Lists, for_each_page, postings_of};
use super::parts::of_query;
use super::searched::Searched;
use super::terms::Terms;
use super::totals;
use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::filtered::WIDTH;
use crate::search::filtered::impacts::Impacts;
use crate::search::filtered::list::{Builder, List};
use crate::search::model::TermTotals;
use crate::search::subset::Subset;

/// What the lists of a query are.
pub(super) enum Found<'a> {
    /// Kept in memory, one for each term.
    Kept(Vec<Arc<List>>),
    /// Those in files, by segment.
    Opened(Vec<Lists<'a>>),
}

/// Making a list takes about so many times as long for a block as a search without it takes for an entry by page: a list is made when searches
/// without it have taken as long.
const DEAR: u64 = 3;

/// Terms whose totals are kept for a filter.
const MOST_KNOWN: usize = 100_000;

/// The lists of some terms: from memory where all are there, or have been missed for long enough to be made now, or `all` are wanted at any price.
pub(super) fn lists<'a>(
    searched: &Searched<'a>,
    terms: &[&str],
    all: bool,
) -> Result<Found<'a>, IndexError> {
    let store = &searched.index.filtered;
    let filter = searched.subset.number;
    if !store.is_used() && !all {
        return Ok(Found::Opened(Lists::open_all(searched, terms)?));
    }
    let kept = store.lists(filter, terms);
    let missing = kept.iter().enumerate().filter(|(_, list)| list.is_none());
    let missing: Vec<usize> = missing.map(|(term, _)| term).collect();
    let mut kept: Vec<Arc<List>> = kept.into_iter().map(Option::unwrap_or_default).collect();
    if missing.is_empty() {
        return Ok(Found::Kept(kept));
    }
    let opened = Lists::open_all(searched, terms)?;
    let names: Vec<&str> = missing.iter().map(|term| terms[*term]).collect();
    if !all {
        let pages = opened.iter().map(Lists::pages).sum();
        let spent = store.spend(filter, &names, pages);
        let blocks = |term: usize| -> u64 {
            let of_segment = opened.iter().map(|lists| lists.lists[term].blocks());
            of_segment.sum()
        };
        let mut dues = missing.iter().zip(spent);
        if !dues.all(|(term, spent)| spent >= DEAR * blocks(*term)) {
            return Ok(Found::Opened(opened));
        }
    }
    let made = make(searched, &missing, opened)?;
    store.put_lists(filter, &names, &made);
    for (term, list) in missing.into_iter().zip(made) {
        kept[term] = list;
    }
    Ok(Found::Kept(kept))
}

/// Makes the lists of some terms, by their numbers.
fn make(
    searched: &Searched,
    terms: &[usize],
    opened: Vec<Lists>,
) -> Result<Vec<Arc<List>>, IndexError> {
    let of_filter = Searched {
        others: None,
        ..*searched
    };
    let of_term = |term: &usize| {
        let term = *term;
        (0..opened.len()).map(move |segment| (term, segment))
    };
    let parts = terms.iter().flat_map(of_term).collect();
    let read = |(): &mut (), (term, segment): (usize, usize)| {
        let Lists { lists, inverted } = &opened[segment];
        match &lists[term] {
            Listed::Few {
                ranks, frequencies, ..
            } => {
                let pairs = ranks.iter().copied().zip(frequencies.iter().copied());
                Ok(pairs.collect())
            }
            Listed::Many { info, .. } => {
                let path = &searched.index.segments[segment].stored.path;
                let mut pairs: Vec<(u32, u32)> = Vec::new();
                guard::reading(path, || {
                    let postings = postings_of(inverted, info, path)?;
                    for_each_page(&of_filter, segment, postings, |rank, [own, _]| {
                        pairs.push((rank, own));
                    })
                })?;
                Ok(pairs)
            }
        }
    };
    let read = of_query(searched.threads, parts, || (), read)?;
    let layout = &searched.index.layout;
    let list = |(): &mut (), of_segments: &[Vec<(u32, u32)>]| {
        let mut builder = Builder::default();
        for (segment, pairs) in of_segments.iter().enumerate() {
            builder.append(layout.ranks_of(segment).start as u32, pairs);
        }
        Ok(Arc::new(builder.finish(ranges(searched))))
    };
    let of_terms = read.chunks(opened.len().max(1)).collect();
    of_query(searched.threads, of_terms, || (), list)
}

/// Pages that are on one of some lists.
pub(super) fn count<'l>(searched: &Searched, lists: impl Iterator<Item = &'l List>) -> usize {
    let mut pages = vec![0; ranges(searched)];
    lists.for_each(|list| list.add_pages(&mut pages));
    pages.iter().map(|pages| pages.count_ones() as usize).sum()
}

/// Ranges that the pages of all segments make.
pub(super) fn ranges(searched: &Searched) -> usize {
    searched.index.layout.num_ranks().div_ceil(WIDTH as usize)
}

/// df and cf of terms by the blocks that statistics are taken from.
pub(super) fn totals(
    searched: &Searched,
    terms: &[&str],
    lists: &[Arc<List>],
) -> Result<Vec<TermTotals>, IndexError> {
    if let Some(given) = searched.given {
        return terms.iter().map(|term| given.term(term)).collect();
    }
    let Some(others) = searched.others else {
        let of_list = |list: &Arc<List>| TermTotals {
            df: u64::from(list.df),
            cf: Hundredths::whole(list.cf),
        };
        return Ok(lists.iter().map(of_list).collect());
    };
    let known = |others: &Subset| -> Vec<Option<TermTotals>> {
        let known = others.totals.lock();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        terms.iter().map(|term| known.get(*term).copied()).collect()
    };
    if let Some(known) = known(others).into_iter().collect() {
        return Ok(known);
    }
    let opened = Lists::open_all(searched, terms)?;
    let found = totals::totals(searched, terms, &opened)?;
    let known = others.totals.lock();
    let mut known = known.unwrap_or_else(PoisonError::into_inner);
    if known.len() < MOST_KNOWN {
        known.extend(
            terms
                .iter()
                .map(|term| (*term).to_owned())
                .zip(found.clone()),
        );
    }
    Ok(found)
}

/// The impacts of terms, for those that the formula does not leave out; `norms` are by rank.
pub(super) fn impacts(
    searched: &Searched,
    names: &[&str],
    terms: &Terms,
    lists: &[Arc<List>],
    norms: &[f64],
) -> Result<Vec<Option<Arc<Impacts>>>, IndexError> {
    let (store, filter) = (&searched.index.filtered, searched.subset.number);
    let by: Vec<_> = (0..names.len())
        .map(|term| terms.impacts_of(term))
        .collect();
    let mut found = store.impacts(filter, names, &by);
    let missing = |term: &usize| by[*term].is_some() && found[*term].is_none();
    let missing: Vec<usize> = (0..names.len()).filter(missing).collect();
    let make = |(): &mut (), term: usize| {
        let impacts = by[term].map(|by| Arc::new(Impacts::new(&lists[term], &by.weight, norms)));
        Ok(impacts)
    };
    let made = of_query(searched.threads, missing.clone(), || (), make)?;
    for (term, impacts) in missing.into_iter().zip(made) {
        if let (Some(by), Some(impacts)) = (by[term], &impacts) {
            store.put_impacts(filter, names[term], by, impacts);
        }
        found[term] = impacts;
    }
    Ok(found)
}
