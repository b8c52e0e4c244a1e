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
use super::model::{QueryTotals, TermWeight};
use super::rm3::{self, PageTerms};
use super::subset::Subset;
use super::{Filter, Formula, Index, IndexError, Model, Ranking, Stats, TermTotals, Totals, Unit};

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
    fn stats(&self) -> Stats;
    /// The collection's size by [`View::stats`].
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

    /// The term's statistics by [`View::stats`].
    fn term_totals(&self, postings: &TermPostings) -> TermTotals {
        match self.stats() {
            Stats::Subset => postings.subset,
            Stats::Collection => postings.collection,
        }
    }
}

/// The view of one search.
pub(super) struct SearchView<'a> {
    index: &'a Index,
    subset: Arc<Subset>,
    unit: Unit,
    stats: Stats,
    totals: Totals,
    postings: Mutex<HashMap<String, Arc<TermPostings>>>,
}

impl<'a> SearchView<'a> {
    pub fn new(index: &'a Index, ranking: &Ranking) -> Result<Self, IndexError> {
        let subset = index.subset(&ranking.filter)?;
        let totals = match ranking.stats {
            Stats::Subset => subset.totals(ranking.unit),
            Stats::Collection => index.subset(&Filter::default())?.totals(ranking.unit),
        };
        Ok(SearchView {
            index,
            subset,
            unit: ranking.unit,
            stats: ranking.stats,
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

    fn stats(&self) -> Stats {
        self.stats
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError> {
        let mut known = self.postings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(postings) = known.get(term) {
            return Ok(Arc::clone(postings));
        }
        let postings = Arc::new(gather(self.index, &self.subset, self.unit, term)?);
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

    /// The clauses that a text is searched with: its terms, or what feedback makes of them.
    pub fn clauses(&self, text: &str, ranking: &Ranking) -> Result<Vec<Clause>, IndexError> {
        let view = SearchView::new(self, ranking)?;
        let terms = self.analyzer.terms(text);
        expanded_clauses(&view, &terms, &ranking.model, &mut Scratch::default())
    }

    /// The best `k` pages or blocks in order. `keys` is room to work in. `least` is a guess at the score of the last of them,
    /// `order` the order of docids, if known: both only spare work.
    fn best(
        &self,
        scores: &[(u32, f64)],
        unit: Unit,
        k: usize,
        (least, order): (Option<f32>, Option<&DocidOrder>),
        keys: &mut Vec<u64>,
    ) -> Vec<Hit> {
        if k == 0 {
            return Vec::new();
        }
        let order = order.filter(|_| unit == Unit::Page);
        let mut choose = |least: f32| {
            keys.clear();
            // Adding zero turns -0 into 0: they tie.
            let scores = scores.iter().map(|&(id, score)| (id, score as f32 + 0.0));
            let good = scores.filter(|(_, score)| *score >= least);
            match order {
                Some(order) => {
                    keys.extend(good.map(|(id, score)| key(order.places[id as usize], score)));
                }
                None => keys.extend(good.map(|(id, score)| key(id, score))),
            }
            keys.len() >= k
        };
        if !least.is_some_and(&mut choose) {
            choose(f32::NEG_INFINITY);
        }
        if k < keys.len() {
            let last = *keys.select_nth_unstable(k - 1).1 >> 32;
            let mut kept = k;
            // What ties with the last of them may have a greater docid.
            for at in k..keys.len() {
                if order.is_none() && keys[at] >> 32 == last {
                    keys.swap(kept, at);
                    kept += 1;
                }
            }
            keys.truncate(kept);
        }
        keys.sort_unstable();
        let hit = |key: &u64| {
            let (id, score) = (*key as u32, score_of(*key));
            match unit {
                Unit::Page => Hit {
                    page: order.map_or(id, |order| order.pages[id as usize]),
                    block: None,
                    score,
                },
                Unit::Block => {
                    let (page, blocks) = self.layout.page(id);
                    Hit {
                        page,
                        block: Some(id - blocks.start),
                        score,
                    }
                }
            }
        };
        let mut hits: Vec<Hit> = keys.iter().map(hit).collect();
        if order.is_none() {
            for tied in hits.chunk_by_mut(|a, b| a.score.total_cmp(&b.score).is_eq()) {
                tied.sort_unstable_by(|a, b| {
                    let docids = self.docids.bytes(b.page).cmp(self.docids.bytes(a.page));
                    docids.then_with(|| a.block.cmp(&b.block))
                });
            }
        }
        hits.truncate(k);
        hits
    }
}

/// The pages in descending order of their docids.
pub(super) struct DocidOrder {
    /// By place in that order the page.
    pages: Vec<u32>,
    /// By page its place.
    places: Vec<u32>,
}

impl DocidOrder {
    pub fn new(index: &Index) -> DocidOrder {
        let mut pages: Vec<u32> = (0..index.num_pages() as u32).collect();
        pages.sort_unstable_by(|a, b| index.docids.bytes(*b).cmp(index.docids.bytes(*a)));
        let mut places = vec![0; pages.len()];
        for (place, page) in (0..).zip(&pages) {
            places[*page as usize] = place;
        }
        DocidOrder { pages, places }
    }
}

/// A score and a number as one integer, which is smaller for a better score (by [`f32::total_cmp`]): integers sort fast.
fn key(id: u32, score: f32) -> u64 {
    u64::from(!ordered(score.to_bits()) ^ SIGN) << 32 | u64::from(id)
}

/// The score of a [`key`].
fn score_of(key: u64) -> f32 {
    f32::from_bits(ordered(!((key >> 32) as u32) ^ SIGN))
}

const SIGN: u32 = 1 << 31;

/// The bits of a float so that they order as signed integers do: all but the sign flipped in negative numbers. Its own inverse.
fn ordered(bits: u32) -> u32 {
    bits ^ (((bits as i32) >> 31) as u32 >> 1)
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
    score(view, &postings, formula, scratch)?;
    let Scratch { scores, keys, .. } = scratch;
    let known = (least, view.docid_order());
    Ok(view.index().best(scores, view.unit(), k, known, keys))
}

/// Room that scoring needs, to be used again and again.
#[derive(Default)]
pub(super) struct Scratch {
    /// Where each page or block stands in `scores`, plus one; 0 throughout between uses.
    place: Vec<u32>,
    /// Pages or blocks with their scores.
    pub scores: Vec<(u32, f64)>,
    /// For each score the number of clauses that its page or block has, where the formula asks for it.
    matched: Vec<u32>,
    /// Scores as they are sorted.
    keys: Vec<u64>,
}

/// Scores every page or block that has one of the clauses, into `scratch.scores`.
pub(super) fn score<V: View>(
    view: &V,
    query: &[(Arc<TermPostings>, f64)],
    formula: &Formula,
    scratch: &mut Scratch,
) -> Result<(), IndexError> {
    let norms = view.norms(formula)?;
    let totals = view.totals();
    scratch.place.resize(norms.len(), 0);
    scratch.scores.clear();
    scratch.matched.clear();
    let mut query_totals = QueryTotals::default();
    for (postings, boost) in query {
        let term = view.term_totals(postings);
        query_totals.add(*boost, &term, &totals);
        let Some(weight) = formula.weigh(&term, &totals) else {
            continue;
        };
        let entries = postings.entries.as_slice();
        let norm = |id: u32| norms[id as usize];
        // One loop for each formula, so that none asks which one it is for every posting.
        match weight {
            TermWeight::Bm25(w) => scratch.add(entries, |id, tf| boost * w.score(tf, norm(id))),
            TermWeight::Qld(w) => scratch.add(entries, |_, tf| boost * w.score(tf)),
            TermWeight::Qljm(w) => scratch.add(entries, |id, tf| boost * w.score(tf, norm(id))),
            TermWeight::Tfidf(w) => {
                scratch.add(entries, |id, tf| boost * w.score(tf, norm(id)));
                scratch.count(entries);
            }
        }
    }
    for id in view.answers().into_iter().flat_map(Bits::iter) {
        if scratch.place[id as usize] == 0 {
            scratch.scores.push((id, 0.0));
        }
    }
    for (at, (id, score)) in scratch.scores.iter_mut().enumerate() {
        let matched = scratch.matched.get(at).copied().unwrap_or(0);
        *score = formula.finish(*score, matched, norms[*id as usize], &query_totals);
        scratch.place[*id as usize] = 0;
    }
    Ok(())
}

impl Scratch {
    /// Adds a clause's scores.
    #[inline]
    fn add(&mut self, entries: &[(u32, u32)], score: impl Fn(u32, u32) -> f64) {
        for &(id, tf) in entries {
            if tf == 0 {
                continue;
            }
            let score = score(id, tf);
            match self.place[id as usize] {
                0 => {
                    self.scores.push((id, score));
                    self.place[id as usize] = self.scores.len() as u32;
                }
                at => self.scores[at as usize - 1].1 += score,
            }
        }
    }

    /// Counts a clause where it matches; it was added before.
    fn count(&mut self, entries: &[(u32, u32)]) {
        self.matched.resize(self.scores.len(), 0);
        for &(id, tf) in entries {
            if tf > 0 {
                self.matched[self.place[id as usize] as usize - 1] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_scores_do() {
        let scores = [
            f32::MAX,
            2.0,
            1.5,
            f32::MIN_POSITIVE,
            0.0,
            -0.0,
            -1.0,
            -2.5,
            f32::MIN,
        ];
        for pair in scores.windows(2) {
            assert!(key(u32::MAX, pair[0]) < key(0, pair[1]), "{pair:?}");
        }
        for score in scores {
            assert_eq!(score_of(key(7, score)).to_bits(), score.to_bits());
            assert_eq!(key(7, score) as u32, 7);
        }
    }
}
