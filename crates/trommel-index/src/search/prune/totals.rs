//! df and cf of terms under a filter, without a look at what need not be read.

use std::sync::PoisonError;

use trommel_text::Hundredths;

use super::list::{List, Lists, for_each_page, postings_of};
use super::parts::of_query;
use super::searched::Searched;
use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::model::TermTotals;

/// Terms whose totals are kept for a filter.
const MOST_KNOWN: usize = 100_000;

/// df and cf of terms by the blocks that statistics are taken from.
pub(super) fn totals(
    searched: &Searched,
    terms: &[&str],
    lists: &[Lists],
) -> Result<Vec<TermTotals>, IndexError> {
    let of_term = |(): &mut (), (number, term): (usize, &&str)| match searched.given {
        Some(given) => given.term(term),
        None => of_term(searched, term, number, lists),
    };
    let terms = terms.iter().enumerate().collect();
    of_query(searched.threads, terms, || (), of_term)
}

fn of_term(
    searched: &Searched,
    name: &str,
    term: usize,
    lists: &[Lists],
) -> Result<TermTotals, IndexError> {
    let statistics = searched.others.unwrap_or(searched.subset);
    let known = || {
        statistics
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    };
    let (mut df, mut cf) = (0, 0);
    let mut many = Vec::new();
    for (segment, lists) in lists.iter().enumerate() {
        match &lists.lists[term] {
            List::Few { totals, .. } => (df, cf) = (df + totals.0, cf + totals.1),
            List::Many { record, info, .. } => many.push((segment, record, info)),
        }
    }
    if !many.is_empty() {
        let before = known().get(name).copied();
        let (more_df, more_cf) = match before {
            Some(totals) => totals,
            None => {
                let mut sum = (0, 0);
                for (segment, record, info) in many {
                    let path = &searched.index.segments[segment].stored.path;
                    let postings = searched.index.segments[segment].page_postings.as_ref();
                    let looked_up = match (&statistics.passing, &statistics.lookup) {
                        (None, _) => Some((u64::from(record.df), record.cf)),
                        (Some(_), Some(lookup)) if !record.histograms.is_empty() => {
                            postings.and_then(|it| lookup.count(&it.histograms, record.histograms))
                        }
                        _ => None,
                    };
                    let (df, cf) = match looked_up {
                        Some(totals) => totals,
                        None => guard::reading(path, || {
                            let postings = postings_of(&lists[segment].inverted, info, path)?;
                            let mut found = (0, 0);
                            let counted = Searched {
                                subset: statistics,
                                others: None,
                                ..*searched
                            };
                            for_each_page(&counted, segment, postings, |_, [own, _]| {
                                found.0 += 1;
                                found.1 += u64::from(own);
                            })?;
                            Ok(found)
                        })?,
                    };
                    sum = (sum.0 + df, sum.1 + cf);
                }
                let mut known = known();
                if known.len() < MOST_KNOWN {
                    known.insert(name.to_owned(), sum);
                }
                sum
            }
        };
        (df, cf) = (df + more_df, cf + more_cf);
    }
    Ok(TermTotals {
        df,
        cf: Hundredths::whole(cf),
    })
}
