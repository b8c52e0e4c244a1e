//! RM3: the query expanded by a relevance model of the first pages that it finds (Lavrenko and Croft, SIGIR 2001, Method 1;
//! interpolated with the query as in Abdul-Jaleel et al., TREC 2004), the way Anserini's `Rm3Reranker` does it:
//!
//! 1. of each of the first `docs` pages the terms of its passing blocks with their frequencies, by weight, without terms that are not 2 to
//!    20 characters of a–z and 0–9 or stand in more than a tenth of all pages, cut to the `terms` most frequent and divided by
//!    their sum;
//! 2. added up with the pages' scores as weights (exp(score), divided by the sum, where scores are log likelihoods: that is the
//!    likelihood of the query, which the method asks for; Anserini takes the scores themselves), cut to the `terms` heaviest and
//!    divided by their sum;
//! 3. `weight` times the query's own distribution plus 1 − `weight` times that of step 2.
//!
//! Ties are cut in alphabetical order. Computed in double precision, Anserini's in single.

use std::collections::HashMap;

use crate::format::error::IndexError;
use crate::search::hit::{Clause, Hit};
use crate::search::model::Rm3;
use crate::search::page_terms::PageTerms;
use crate::search::shared::data::FeedbackPage;
use crate::search::view::View;

/// Terms in more pages than one in so many are no feedback terms.
const LEAST_PAGES_PER_PAGE_WITH: u64 = 10;

/// What feedback takes from a page.
pub(crate) struct Vector {
    /// The page's score.
    score: f32,
    /// Its most frequent terms that are fit for feedback, with their frequencies in grains.
    terms: Vec<(String, u64)>,
}

/// The vectors of hits.
pub(crate) fn vectors<V: View>(
    view: &V,
    hits: &[Hit],
    rm3: &Rm3,
) -> Result<Vec<Vector>, IndexError> {
    let vectors = hits.iter().map(|hit| {
        let terms = view.page_terms(hit.page)?;
        let weights = view.weights(hit)?;
        vector(view, hit.score, &plain_terms(&terms, &weights), rm3)
    });
    vectors.collect()
}

/// The vectors of pages that may stand elsewhere.
pub(crate) fn given_vectors<V: View>(
    view: &V,
    pages: &[FeedbackPage],
    rm3: &Rm3,
) -> Result<Vec<Vector>, IndexError> {
    let vectors = pages.iter().map(|page| {
        let terms = page.terms.iter().map(|(term, tf)| (term.as_str(), *tf));
        vector(view, page.score, &terms.collect::<Vec<_>>(), rm3)
    });
    vectors.collect()
}

/// What [`given_vectors`] are made of, of a hit.
pub(crate) fn feedback_page<V: View>(view: &V, hit: &Hit) -> Result<FeedbackPage, IndexError> {
    let terms = view.page_terms(hit.page)?;
    let weights = view.weights(hit)?;
    let plain = plain_terms(&terms, &weights).into_iter();
    Ok(FeedbackPage {
        docid: view.index().docid(hit.page).to_owned(),
        score: hit.score,
        terms: plain.map(|(term, tf)| (term.to_owned(), tf)).collect(),
    })
}

/// The query expanded by what pages, the first that it finds, have in their passing blocks. Clauses of the query come
/// first, in its order, each term once; then the others by descending weight.
pub(crate) fn expand(
    query: &[Clause],
    pages: &[Vector],
    rm3: &Rm3,
    scores_are_logarithms: bool,
) -> Vec<Clause> {
    let mut model: HashMap<&str, f64> = HashMap::new();
    for (page, weight) in pages.iter().zip(page_weights(pages, scores_are_logarithms)) {
        let sum: u64 = page.terms.iter().map(|(_, tf)| tf).sum();
        for (term, tf) in &page.terms {
            let share = *tf as f64 / sum as f64;
            *model.entry(term).or_default() += share * weight;
        }
    }
    let mut model: Vec<(&str, f64)> = model.into_iter().collect();
    model.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    model.truncate(rm3.terms as usize);
    let sum: f64 = model.iter().map(|(_, weight)| weight).sum();

    let mut expanded: Vec<Clause> = Vec::new();
    // Where the clause of each term stands: a query may have as many terms as a page.
    let mut places: HashMap<&str, usize> = HashMap::new();
    let own = rm3.weight / query.len() as f64;
    let feedback = if sum > 0.0 {
        (1.0 - rm3.weight) / sum
    } else {
        0.0
    };
    let own = query.iter().map(|clause| (clause.term.as_str(), own));
    let model = model
        .into_iter()
        .map(|(term, weight)| (term, weight * feedback));
    for (term, boost) in own.chain(model) {
        match places.get(term) {
            Some(&place) => expanded[place].boost += boost,
            None => {
                places.insert(term, expanded.len());
                let term = term.to_owned();
                expanded.push(Clause { term, boost });
            }
        }
    }
    expanded.retain(|clause| clause.boost > 0.0);
    expanded
}

/// What each page counts. The scores are those of the ranking, in single precision.
fn page_weights(pages: &[Vector], logarithms: bool) -> Vec<f64> {
    let scores: Vec<f64> = pages.iter().map(|page| f64::from(page.score)).collect();
    if !logarithms {
        return scores;
    }
    // Relative to the best, which keeps exp in range.
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let likelihoods: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
    let sum: f64 = likelihoods.iter().sum();
    likelihoods.iter().map(|one| one / sum).collect()
}

/// The terms of a page's passing blocks that are fit for feedback, if they are rare enough, with their frequencies in grains: the most
/// frequent first, then by name.
fn plain_terms<'t>(terms: &'t PageTerms, weights: &[u32]) -> Vec<(&'t str, u64)> {
    let mut counted: Vec<(&str, u64)> = Vec::new();
    for (term, blocks) in terms.iter().filter(|(term, _)| is_plain(term)) {
        let weighed = blocks.iter().map(|(block, tf)| {
            let weight = weights.get(*block as usize).copied().unwrap_or(0);
            u64::from(*tf) * u64::from(weight)
        });
        let tf = weighed.sum();
        if tf > 0 {
            counted.push((term, tf));
        }
    }
    counted.sort_unstable_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
    counted
}

/// The first of a page's terms that are rare enough.
fn vector<V: View>(
    view: &V,
    score: f32,
    plain: &[(&str, u64)],
    rm3: &Rm3,
) -> Result<Vector, IndexError> {
    let mut terms = Vec::new();
    for (term, tf) in plain {
        if terms.len() == rm3.terms as usize {
            break;
        }
        if is_rare_enough(view, term)? {
            terms.push(((*term).to_owned(), *tf));
        }
    }
    Ok(Vector { score, terms })
}

/// 2 to 20 characters of a–z and 0–9.
fn is_plain(term: &str) -> bool {
    (2..=20).contains(&term.len())
        && term
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Does a term stand in at most a tenth of the pages?
fn is_rare_enough<V: View>(view: &V, term: &str) -> Result<bool, IndexError> {
    let most = view.totals().num / LEAST_PAGES_PER_PAGE_WITH;
    if let Some(given) = view.given() {
        return Ok(given.term(term)?.df <= most);
    }
    // No more pages have a term than blocks and titles have it; this spares reading the postings of most terms.
    let mut with = view.index().num_blocks_with(term)?;
    if view.has_titles() {
        with += view.index().num_titles_with(term)?;
    }
    if with <= most {
        return Ok(true);
    }
    Ok(view.statistics_of(term)?.df <= most)
}
