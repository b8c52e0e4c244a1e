//! RM3: the query expanded by a relevance model of the first pages that it finds (Lavrenko and Croft, SIGIR 2001, Method 1;
//! interpolated with the query as in Abdul-Jaleel et al., TREC 2004), the way Anserini's `Rm3Reranker` does it:
//!
//! 1. of each of the first `docs` pages the terms of its passing blocks with their frequencies, without terms that are not 2 to
//!    20 characters of a–z and 0–9 or stand in more than a tenth of all pages, cut to the `terms` most frequent and divided by
//!    their sum;
//! 2. added up with the pages' scores as weights (exp(score), divided by the sum, where scores are log likelihoods: that is the
//!    likelihood of the query, which the method asks for; Anserini takes the scores themselves), cut to the `terms` heaviest and
//!    divided by their sum;
//! 3. `weight` times the query's own distribution plus 1 − `weight` times that of step 2.
//!
//! Ties are cut in alphabetical order. Computed in double precision, Anserini's in single.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::model::within;
use super::rank::{Clause, View};
use super::{Hit, Index, IndexError};

/// Parameters of the feedback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rm3 {
    /// Terms that the query is expanded by at most, at least 1.
    pub terms: u32,
    /// Pages that they are taken from, at least 1.
    pub docs: u32,
    /// Weight of the query itself, in 0..=1.
    pub weight: f64,
}

impl Default for Rm3 {
    /// Anserini's defaults.
    fn default() -> Self {
        Rm3 {
            terms: 10,
            docs: 10,
            weight: 0.5,
        }
    }
}

/// Terms in more pages than one in so many are no feedback terms.
const LEAST_PAGES_PER_PAGE_WITH: u64 = 10;
/// Most that `terms` and `docs` may be.
const MOST: f64 = 1000.0;

impl Rm3 {
    pub(super) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Rm3, String> {
        let mut rm3 = Rm3::default();
        let count = |name: &str, value: f64| match within(name, value, 1.0..=MOST)? {
            whole if whole.fract() == 0.0 => Ok(whole as u32),
            _ => Err(format!("{name}={value} is not a whole number")),
        };
        for &(name, value) in parameters {
            match name {
                "terms" => rm3.terms = count(name, value)?,
                "docs" => rm3.docs = count(name, value)?,
                "weight" => rm3.weight = within(name, value, 0.0..=1.0)?,
                _ => return Err(format!("rm3 has no parameter '{name}'")),
            }
        }
        Ok(rm3)
    }
}

impl fmt::Display for Rm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rm3 {
            terms,
            docs,
            weight,
        } = self;
        write!(f, "rm3:terms={terms},docs={docs},weight={weight}")
    }
}

/// The terms of a page: for each, in alphabetical order, the blocks that have it and how often.
pub(super) type PageTerms = Vec<(String, Vec<(u32, u32)>)>;

impl Index {
    /// The terms of a page as they were indexed, made again from the stored text.
    pub(super) fn page_terms(&self, page: u32) -> Result<PageTerms, IndexError> {
        let mut terms: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        for (number, block) in (0u32..).zip(self.page_blocks(page)?) {
            self.analyzer.for_each_term(&block.text, |term| {
                let blocks = match terms.get_mut(term.term) {
                    Some(blocks) => blocks,
                    None => terms.entry(term.term.to_owned()).or_default(),
                };
                match blocks.last_mut() {
                    Some((last, tf)) if *last == number => *tf += 1,
                    _ => blocks.push((number, 1)),
                }
            });
        }
        let mut terms: PageTerms = terms.into_iter().collect();
        terms.sort_unstable();
        Ok(terms)
    }
}

/// The query expanded by what its first hits (all that are given) have in their passing blocks. Clauses of the query come
/// first, in its order, each term once; then the others by descending weight.
pub(super) fn expand<V: View>(
    view: &V,
    query: &[Clause],
    hits: &[Hit],
    rm3: &Rm3,
    scores_are_logarithms: bool,
) -> Result<Vec<Clause>, IndexError> {
    let mut model: HashMap<String, f64> = HashMap::new();
    for (hit, weight) in hits.iter().zip(page_weights(hits, scores_are_logarithms)) {
        let vector = page_vector(view, hit, rm3.terms as usize)?;
        let sum: u64 = vector.iter().map(|(_, tf)| u64::from(*tf)).sum();
        for (term, tf) in vector {
            let share = f64::from(tf) / sum as f64;
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

/// The most frequent terms of a hit's passing blocks that are fit for feedback.
fn page_vector<V: View>(
    view: &V,
    hit: &Hit,
    size: usize,
) -> Result<Vec<(String, u32)>, IndexError> {
    let terms: Arc<PageTerms> = view.page_terms(hit.page)?;
    let passing = view.passing(hit)?;
    let mut counted: Vec<(&str, u32)> = Vec::new();
    for (term, blocks) in terms.iter().filter(|(term, _)| is_plain(term)) {
        let passing = blocks.iter().filter(|(block, _)| passing[*block as usize]);
        let tf = passing.map(|(_, tf)| tf).sum();
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
    // No more pages have a term than blocks have it; this spares reading the postings of most terms.
    if view.index().num_blocks_with(term)? <= most {
        return Ok(true);
    }
    let postings = view.postings(term)?;
    Ok(view.term_totals(&postings).df <= most)
}
