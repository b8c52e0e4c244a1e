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
use std::sync::Arc;

use crate::format::error::IndexError;
use crate::search::hit::{Clause, Hit};
use crate::search::model::Rm3;
use crate::search::page_terms::PageTerms;
use crate::search::view::View;

/// Terms in more pages than one in so many are no feedback terms.
const LEAST_PAGES_PER_PAGE_WITH: u64 = 10;

/// The query expanded by what its first hits (all that are given) have in their passing blocks. Clauses of the query come
/// first, in its order, each term once; then the others by descending weight.
pub(crate) fn expand<V: View>(
    view: &V,
    query: &[Clause],
    hits: &[Hit],
    rm3: &Rm3,
    scores_are_logarithms: bool,
) -> Result<Vec<Clause>, IndexError> {
    let mut model: HashMap<String, f64> = HashMap::new();
    for (hit, weight) in hits.iter().zip(page_weights(hits, scores_are_logarithms)) {
        let vector = page_vector(view, hit, rm3.terms as usize)?;
        let sum: u64 = vector.iter().map(|(_, tf)| tf).sum();
        for (term, tf) in vector {
            let share = tf as f64 / sum as f64;
            *model.entry(term).or_default() += share * weight;
        }
    }
    let mut model: Vec<(String, f64)> = model.into_iter().collect();
    model.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    model.truncate(rm3.terms as usize);
    let sum: f64 = model.iter().map(|(_, weight)| weight).sum();

    let mut expanded: Vec<Clause> = Vec::new();
    // Where the clause of each term stands: a query may have as many terms as a page.
    let mut places: HashMap<String, usize> = HashMap::new();
    let own = rm3.weight / query.len() as f64;
    let feedback = if sum > 0.0 {
        (1.0 - rm3.weight) / sum
    } else {
        0.0
    };
    let own = query.iter().map(|clause| (clause.term.clone(), own));
    let model = model
        .into_iter()
        .map(|(term, weight)| (term, weight * feedback));
    for (term, boost) in own.chain(model) {
        match places.get(&term) {
            Some(&place) => expanded[place].boost += boost,
            None => {
                places.insert(term.clone(), expanded.len());
                expanded.push(Clause { term, boost });
            }
        }
    }
    expanded.retain(|clause| clause.boost > 0.0);
    Ok(expanded)
}

/// What each hit counts. The scores are those of the ranking, in single precision.
fn page_weights(hits: &[Hit], logarithms: bool) -> Vec<f64> {
    let scores: Vec<f64> = hits.iter().map(|hit| f64::from(hit.score)).collect();
    if !logarithms {
        return scores;
    }
    // Relative to the best, which keeps exp in range.
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let likelihoods: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
    let sum: f64 = likelihoods.iter().sum();
    likelihoods.iter().map(|one| one / sum).collect()
}

/// The most frequent terms of a hit's passing blocks that are fit for feedback, with their frequencies in grains.
fn page_vector<V: View>(
    view: &V,
    hit: &Hit,
    size: usize,
) -> Result<Vec<(String, u64)>, IndexError> {
    let terms: Arc<PageTerms> = view.page_terms(hit.page)?;
    let weights = view.weights(hit)?;
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
    let mut vector = Vec::new();
    for (term, tf) in counted {
        if vector.len() == size {
            break;
        }
        if is_rare_enough(view, term)? {
            vector.push((term.to_owned(), tf));
        }
    }
    Ok(vector)
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
    // No more pages have a term than blocks and titles have it; this spares reading the postings of most terms.
    let mut with = view.index().num_blocks_with(term)?;
    if view.has_titles() {
        with += view.index().num_titles_with(term)?;
    }
    if with <= most {
        return Ok(true);
    }
    Ok(view.page_frequency(term)? <= most)
}
