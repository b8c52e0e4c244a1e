//! Exact filtered ranking: the same result as an index of the filtered text would give.
//!
//! Every score is a function of integers (N, df, cf, lengths, term frequencies) that do not depend on how the index is divided
//! into segments, and is summed in query order: so the result is the same to the bit whatever the number of threads that built
//! the index, and equal to that of an index in which every page was cut down to its passing blocks.
//!
//! What ranking reads of the index under one filter is a [`View`]. A search has one; a sweep has one for each step. The ranking
//! itself is the same code, so that the results are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::bits::Bits;
use super::gather::{TermPostings, gather};
use super::rm3::{self, PageTerms};
use super::score::{Scratch, score};
use super::subset::Subset;
use super::top::{DocidOrder, best};
use super::{Formula, Index, IndexError, Model, Ranking, TermTotals, Totals, Unit};

/// A ranked page or block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Number of the page.
    pub page: u32,
    /// Number of the block within the page, where blocks are ranked.
    pub block: Option<u32>,
    /// Its score.
    pub score: f32,
}

/// A term of a query and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// The term, as the analyzer made it.
    pub term: String,
    /// Its weight: 1, unless feedback made it.
    pub boost: f64,
}

/// What ranking reads of the index under one filter.
pub(super) trait View {
    fn index(&self) -> &Index;
    fn unit(&self) -> Unit;
    /// Are statistics those of the filter itself, or of another one?
    fn has_own_statistics(&self) -> bool;
    /// The collection's size by its statistics.
    fn totals(&self) -> Totals;
    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError>;
    /// By number of page (or block) the formula's norm.
    fn norms(&self, formula: &Formula) -> Result<Arc<Vec<f64>>, IndexError>;
    fn page_terms(&self, page: u32) -> Result<Arc<PageTerms>, IndexError>;
    /// Which blocks of a hit's page (or is it the hit's own block) pass.
    fn passing(&self, hit: &Hit) -> Result<Vec<bool>, IndexError>;

    /// What a query with operators is answered by: pages (or blocks) besides are not in the postings, and those that no clause
    /// scores are hits as well. None where every page with a clause is a hit.
    fn answers(&self) -> Option<&Bits> {
        None
    }

    /// The order of docids, where it is known.
    fn docid_order(&self) -> Option<&DocidOrder> {
        None
    }

    /// The term's statistics.
    fn term_totals(&self, postings: &TermPostings) -> TermTotals {
        match self.has_own_statistics() {
            true => postings.subset,
            false => postings.others,
        }
    }
}

/// The view of one search.
pub(super) struct SearchView<'a> {
    index: &'a Index,
    subset: Arc<Subset>,
    unit: Unit,
    /// What statistics are taken from, where it is not the subset itself.
    statistics: Option<Arc<Subset>>,
    totals: Totals,
    postings: Mutex<HashMap<String, Arc<TermPostings>>>,
}

impl<'a> SearchView<'a> {
    pub fn new(index: &'a Index, ranking: &Ranking) -> Result<Self, IndexError> {
        let subset = index.subset(&ranking.filter)?;
        let statistics = index.statistics(&ranking.stats)?;
        let totals = statistics.as_ref().unwrap_or(&subset).totals(ranking.unit);
        Ok(SearchView {
            index,
            subset,
            unit: ranking.unit,
            statistics,
            totals,
            postings: Mutex::default(),
        })
    }
}

impl View for SearchView<'_> {
    fn index(&self) -> &Index {
        self.index
    }

    fn unit(&self) -> Unit {
        self.unit
    }

    fn has_own_statistics(&self) -> bool {
        self.statistics.is_none()
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError> {
        let mut known = self.postings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(postings) = known.get(term) {
            return Ok(Arc::clone(postings));
        }
        let postings = Arc::new(gather(
            self.index,
            &self.subset,
            self.statistics.as_deref(),
            self.unit,
            term,
        )?);
        known.insert(term.to_owned(), Arc::clone(&postings));
        Ok(postings)
    }

    fn norms(&self, formula: &Formula) -> Result<Arc<Vec<f64>>, IndexError> {
        let lengths = match self.unit {
            Unit::Page => self.subset.page_lengths.as_slice(),
            Unit::Block => self.index.block_lengths()?,
        };
        Ok(self.subset.norms(self.unit, formula, &self.totals, lengths))
    }

    fn page_terms(&self, page: u32) -> Result<Arc<PageTerms>, IndexError> {
        self.index.page_terms(page).map(Arc::new)
    }

    fn passing(&self, hit: &Hit) -> Result<Vec<bool>, IndexError> {
        let blocks = (0u32..).zip(self.index.layout.blocks(hit.page));
        let passes = |(number, block)| {
            hit.block.is_none_or(|own| own == number) && self.subset.passes(block)
        };
        Ok(blocks.map(passes).collect())
    }
}

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
pub(super) fn rank<V: View>(
    view: &V,
    terms: &[String],
    model: &Model,
    k: usize,
    scratch: &mut Scratch,
) -> Result<Vec<Hit>, IndexError> {
    rank_above(view, terms, model, k, None, scratch)
}

/// [`rank`] with a guess at the score of the last hit, or none: a good one spares work, a bad one changes nothing.
pub(super) fn rank_above<V: View>(
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
pub(super) fn expanded_clauses<V: View>(
    view: &V,
    terms: &[String],
    model: &Model,
    scratch: &mut Scratch,
) -> Result<Vec<Clause>, IndexError> {
    expanded(view, clauses(terms), model, scratch)
}

/// One clause for each term.
fn clauses(terms: &[String]) -> Vec<Clause> {
    let clause = |term: &String| Clause {
        term: term.clone(),
        boost: 1.0,
    };
    terms.iter().map(clause).collect()
}

/// The query with what feedback adds to it.
fn expanded<V: View>(
    view: &V,
    query: Vec<Clause>,
    model: &Model,
    scratch: &mut Scratch,
) -> Result<Vec<Clause>, IndexError> {
    let Some(rm3) = &model.feedback else {
        return Ok(query);
    };
    let docs = rm3.docs as usize;
    let hits = first(view, &query, &model.formula, docs, None, scratch)?;
    let logarithms = model.formula.is_log_likelihood();
    rm3::expand(view, &query, &hits, rm3, logarithms)
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
    let postings = query
        .iter()
        .map(|clause| Ok((view.postings(&clause.term)?, clause.boost)))
        .collect::<Result<Vec<_>, IndexError>>()?;
    let (index, unit, order) = (view.index(), view.unit(), view.docid_order());
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
    let Scratch { scores, keys, .. } = scratch;
    Ok(best(index, scores, unit, k, order, keys))
}
