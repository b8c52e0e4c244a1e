//! Exact filtered ranking: the same result as an index of the filtered text would give.
//!
//! Every score is a function of integers (N, df, cf, lengths, term frequencies) that do not depend on how the index is divided
//! into segments, and is summed in query order: so the result is the same to the bit whatever the number of threads that built
//! the index, and equal to that of an index in which every page was cut down to its passing blocks.
//!
//! What ranking reads of the index under one filter is a [`View`]. A search has one; a sweep has one for each step. The ranking
//! itself is the same code, so that the results are.

use crate::format::error::IndexError;
use crate::search::hit::{Clause, Hit};
use crate::search::model::{Formula, Model};
use crate::search::open::Index;
use crate::search::query::Ranking;
use crate::search::rm3;
use crate::search::score::{Scratch, score};
use crate::search::top::best;
use crate::search::view::{SearchView, View};

impl Index {
    /// Ranks pages (or blocks) for a text, best first, at most `k`. The text is a bag of words: no character of it is syntax.
    /// Terms that stand twice count twice. Ties are in descending order of docid, as trec_eval reads them; blocks of a page
    /// tie in their order on the page.
    pub fn search(&self, text: &str, ranking: &Ranking, k: usize) -> Result<Vec<Hit>, IndexError> {
        self.search_terms(&self.analyzer.terms(text), ranking, k)
    }

    /// [`Index::search`] for terms that were analysed before.
    pub fn search_terms(
        &self,
        terms: &[String],
        ranking: &Ranking,
        k: usize,
    ) -> Result<Vec<Hit>, IndexError> {
        let view = SearchView::new(self, ranking)?;
        rank(&view, terms, &ranking.model, k, &mut Scratch::default())
    }
}

/// Ranks for a bag of terms, at most `k` hits.
pub(crate) fn rank<V: View>(
    view: &V,
    terms: &[String],
    model: &Model,
    k: usize,
    scratch: &mut Scratch,
) -> Result<Vec<Hit>, IndexError> {
    rank_above(view, terms, model, k, None, scratch)
}

/// [`rank`] with a guess at the score of the last hit, or none: a good one spares work, a bad one changes nothing.
pub(crate) fn rank_above<V: View>(
    view: &V,
    terms: &[String],
    model: &Model,
    k: usize,
    least: Option<f32>,
    scratch: &mut Scratch,
) -> Result<Vec<Hit>, IndexError> {
    let query = expanded_clauses(view, terms, model, scratch)?;
    first(view, &query, &model.formula, k, least, scratch)
}

/// The clauses that a bag of terms is ranked by: themselves, or what feedback makes of them.
pub(crate) fn expanded_clauses<V: View>(
    view: &V,
    terms: &[String],
    model: &Model,
    scratch: &mut Scratch,
) -> Result<Vec<Clause>, IndexError> {
    let Some(rm3) = &model.feedback else {
        return Ok(clauses(terms));
    };
    let query = clauses(terms);
    let vectors = match view.given() {
        Some(given) => rm3::given_vectors(view, given.feedback(&model.to_string(), terms)?, rm3)?,
        None => {
            let hits = feedback_hits(view, terms, model, scratch)?;
            rm3::vectors(view, &hits, rm3)?
        }
    };
    let logarithms = model.formula.is_log_likelihood();
    Ok(rm3::expand(&query, &vectors, rm3, logarithms))
}

/// The pages that feedback comes from: the first by the query itself. None where there is no feedback.
pub(crate) fn feedback_hits<V: View>(
    view: &V,
    terms: &[String],
    model: &Model,
    scratch: &mut Scratch,
) -> Result<Vec<Hit>, IndexError> {
    let docs = model.feedback.map_or(0, |rm3| rm3.docs as usize);
    first(view, &clauses(terms), &model.formula, docs, None, scratch)
}

/// One clause for each term.
fn clauses(terms: &[String]) -> Vec<Clause> {
    let clause = |term: &String| Clause {
        term: term.clone(),
        boost: 1.0,
    };
    terms.iter().map(clause).collect()
}

/// The first `k` hits for some clauses.
fn first<V: View>(
    view: &V,
    query: &[Clause],
    formula: &Formula,
    k: usize,
    least: Option<f32>,
    scratch: &mut Scratch,
) -> Result<Vec<Hit>, IndexError> {
    let (index, unit, order) = (view.index(), view.unit(), view.docid_order());
    if least.is_none()
        && let Some(pruned) = view.pruned(query, formula, k)?
    {
        scratch.total = pruned.total.unwrap_or(pruned.hits.len());
        let keys = &mut scratch.keys;
        return Ok(best(index, &pruned.hits, unit, k, order, keys));
    }
    view.gather(query)?;
    let postings = query
        .iter()
        .map(|clause| Ok((clause, view.postings(&clause.term)?)))
        .collect::<Result<Vec<_>, IndexError>>()?;
    if let Some(least) = least {
        score(view, &postings, formula, least, scratch)?;
        let Scratch { scores, keys, .. } = scratch;
        let hits = best(index, scores, unit, k, order, keys);
        // If k are as good as that, what was left out is worse.
        if hits.len() == k {
            return Ok(hits);
        }
    }
    let all = f32::NEG_INFINITY;
    score(view, &postings, formula, all, scratch)?;
    scratch.total = scratch.scores.len();
    let Scratch { scores, keys, .. } = scratch;
    Ok(best(index, scores, unit, k, order, keys))
}
