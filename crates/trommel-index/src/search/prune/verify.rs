//! The scores of candidates.

use std::ops::Range;

use super::best::Best;
use super::candidates::{Candidates, MANY};
use super::exact::Exact;
use super::list::Lists;
use super::parts::of_query;
use super::searched::Searched;
use super::terms::Terms;
use crate::format::error::IndexError;
use crate::format::guard;

/// What scores are made of.
pub(super) struct Verifier<'a> {
    pub searched: &'a Searched<'a>,
    /// By segment.
    pub lists: &'a [Lists<'a>],
    pub terms: &'a Terms,
    /// By number of page.
    pub norms: &'a [f64],
}

/// Scores the candidates whose bounds are in a range and good enough, but those in `before`, which were scored before. Gives those that were
/// scored; both are in order.
///
/// # Errors
/// Those of reading their blocks.
pub(super) fn verify(
    verifier: &Verifier,
    candidates: &Candidates,
    bounds: &Range<f64>,
    before: &[(u32, u32)],
    best: &mut Best,
) -> Result<Vec<(u32, u32)>, IndexError> {
    let mut first = 0;
    let mut parts = Vec::new();
    for of_segment in candidates.pages.chunk_by(|a, b| a.0 == b.0) {
        let segment = of_segment[0].0 as usize;
        let places = first..first + of_segment.len();
        first = places.end;
        let of_part = match verifier.searched.threads {
            1 => places.len(),
            threads => places.len().div_ceil(4 * threads).max(LEAST),
        };
        let starts = places.clone().step_by(of_part);
        parts.extend(starts.map(|start| (segment, start..places.end.min(start + of_part))));
    }
    let verify_part = |(segment, places): (usize, Range<usize>), best: &mut Best| {
        let mut scored = Vec::new();
        let path = &verifier.searched.index.segments[segment].stored.path;
        guard::reading(path, || {
            let wanted = places.filter(|place| {
                let is_wanted = bounds.contains(&candidates.bounds[*place]);
                is_wanted && before.binary_search(&candidates.pages[*place]).is_err()
            });
            verify_segment(verifier, segment, candidates, wanted, best, &mut scored)
        })?;
        Ok(scored)
    };
    let mut scored = Vec::new();
    if verifier.searched.threads == 1 {
        for part in parts {
            scored.extend(verify_part(part, best)?);
        }
        return Ok(scored);
    }
    let verify_part = |(): &mut (), part| {
        let mut found = best.another();
        Ok((verify_part(part, &mut found)?, found))
    };
    let found = of_query(verifier.searched.threads, parts, || (), verify_part)?;
    for (of_part, found) in found {
        scored.extend(of_part);
        best.add_all(found);
    }
    Ok(scored)
}

/// Candidates that are worth a task of their own.
const LEAST: usize = if cfg!(test) { 4 } else { 256 };

/// [`verify`] for candidates of one segment, which have these places.
fn verify_segment(
    verifier: &Verifier,
    segment: usize,
    candidates: &Candidates,
    places: impl Iterator<Item = usize>,
    best: &mut Best,
    scored: &mut Vec<(u32, u32)>,
) -> Result<(), IndexError> {
    let Verifier {
        searched,
        lists,
        terms,
        norms,
    } = verifier;
    let lists = &lists[segment];
    let mut exact = Vec::with_capacity(lists.lists.len());
    for list in &lists.lists {
        exact.push(Exact::new(searched, list));
    }
    let layout = &searched.index.layout;
    let (base, first_page) = (layout.base(segment), layout.first_page(segment));
    let pages = layout.starts(segment);
    let mut frequencies = vec![0; exact.len()];
    'pages: for place in places {
        if !terms.bound_reaches(candidates.bounds[place], best.floor()) {
            continue;
        }
        scored.push(candidates.pages[place]);
        let rank = candidates.pages[place].1;
        let page = first_page + pages.page(rank as usize);
        let documents = layout.documents(segment, rank as usize);
        let norm = norms[page as usize];
        let listed = candidates.of(place);
        let added = |term: usize, frequency: u32| terms.added(term, frequency, norm);
        frequencies.fill(0);
        let mut bound = candidates.bounds[place];
        for &term in terms.order() {
            let exact = &mut exact[term];
            let frequency = match (listed[term], exact.is_listed()) {
                (0, _) => continue,
                (listed, true) if listed != MANY => u32::from(listed),
                _ => exact.frequency(searched, (segment, lists), rank, &documents, base)?,
            };
            frequencies[term] = frequency;
            // What stands in blocks that do not pass adds nothing: often that is all.
            if listed[term] != MANY && frequency < u32::from(listed[term]) {
                bound -= terms.scale(added(term, u32::from(listed[term])) - added(term, frequency));
                if !terms.bound_reaches(bound, best.floor()) {
                    continue 'pages;
                }
            }
        }
        if let Some(score) = terms.score(&frequencies, norm) {
            best.add(page, score);
        }
    }
    Ok(())
}
