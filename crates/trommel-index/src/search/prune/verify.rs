//! The scores of candidates.

use std::ops::Range;

use super::best::Best;
use super::candidates::{Candidates, MANY};
use super::exact::Exact;
use super::list::Lists;
use super::searched::Searched;
use super::terms::Terms;
use crate::format::error::IndexError;

/// What scores are made of.
pub(super) struct Verifier<'a> {
    pub searched: &'a Searched<'a>,
    /// By segment.
    pub lists: &'a [Lists<'a>],
    pub terms: &'a Terms,
    /// By number of page.
    pub norms: &'a [f64],
}

/// Scores the candidates whose bounds are in a range and good enough, but those in `before`, which were scored before. Gives the ranks of those that were
/// scored; both are in order.
///
/// # Errors
/// Those of reading their blocks.
pub(super) fn verify(
    verifier: &Verifier,
    candidates: &Candidates,
    bounds: &Range<f64>,
    before: &[u32],
    best: &Best,
) -> Result<Vec<u32>, IndexError> {
    let Verifier {
        searched,
        lists,
        terms,
        norms,
    } = verifier;
    let segment = candidates.segment;
    let lists = &lists[segment];
    let exact = lists.lists.iter().map(|list| Exact::new(searched, list));
    let mut exact: Vec<Exact> = exact.collect();
    let layout = &searched.index.layout;
    let (base, first_page) = (layout.base(segment), layout.first_page(segment));
    let pages = layout.starts(segment);
    let mut frequencies = vec![0; exact.len()];
    let (mut scored, mut found) = (Vec::new(), Vec::new());
    'pages: for (place, &rank) in candidates.ranks.iter().enumerate() {
        let mut bound = candidates.bounds[place];
        if !bounds.contains(&bound)
            || !terms.bound_reaches(bound, best.floor())
            || before.binary_search(&rank).is_ok()
        {
            continue;
        }
        scored.push(rank);
        let page = first_page + pages.page(rank as usize);
        let documents = layout.documents(segment, rank as usize);
        let norm = norms[page as usize];
        let listed = candidates.of(place);
        let added = |term: usize, frequency: u32| terms.added(term, frequency, norm);
        frequencies.fill(0);
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
        if let Some(score) = terms.score(&frequencies, norm)
            && score >= best.floor()
        {
            found.push((page, score));
            if found.len() >= best.together() {
                best.add(&mut found);
            }
        }
    }
    best.add(&mut found);
    Ok(scored)
}
