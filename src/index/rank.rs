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

    /// The best `k` pages or blocks in order. `order` is the order of docids, if known, which spares work; `keys` is room to work
    /// in.
    fn best(
        &self,
        scores: &[(u32, f32)],
        unit: Unit,
        k: usize,
        order: Option<&DocidOrder>,
        keys: &mut Vec<u64>,
    ) -> Vec<Hit> {
        if k == 0 {
            return Vec::new();
        }
        let order = order.filter(|_| unit == Unit::Page);
        let number = |id: u32| order.map_or(id, |order| order.places[id as usize]);
        keys.clear();
        keys.extend(scores.iter().map(|&(id, score)| key(number(id), score)));
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
    let (index, unit, order) = (view.index(), view.unit(), view.docid_order());
    if let Some(least) = least {
        score(view, &postings, formula, least, scratch)?;
        let Scratch { scores, keys, .. } = scratch;
        let hits = index.best(scores, unit, k, order, keys);
        // If k are as good as that, what was left out is worse.
        if hits.len() == k {
            return Ok(hits);
        }
    }
    let all = f32::NEG_INFINITY;
    score(view, &postings, formula, all, scratch)?;
    let Scratch { scores, keys, .. } = scratch;
    Ok(index.best(scores, unit, k, order, keys))
}

/// Room that scoring needs, to be used again and again.
#[derive(Default)]
pub(super) struct Scratch {
    /// For each page or block the sum of its clauses' scores as bits, with the sign changed: 0, which is -0 then, is that of one
    /// without a clause, since no sum is -0. All are 0 between uses.
    sums: Vec<u64>,
    /// Pages or blocks with a sum; those before `num_touched`.
    touched: Vec<u32>,
    num_touched: usize,
    /// For each page or block the number of its clauses, where the formula asks for it. All are 0 between uses.
    matched: Vec<u32>,
    /// Pages or blocks with their scores.
    pub scores: Vec<(u32, f32)>,
    /// Scores as they are sorted.
    keys: Vec<u64>,
}

/// Scores the pages or blocks that have one of the clauses, into `scratch.scores`: all with a score of at least `least`.
pub(super) fn score<V: View>(
    view: &V,
    query: &[(Arc<TermPostings>, f64)],
    formula: &Formula,
    least: f32,
    scratch: &mut Scratch,
) -> Result<(), IndexError> {
    let norms = view.norms(formula)?;
    let totals = view.totals();
    if scratch.sums.len() < norms.len() {
        // Zeroed memory of the system's costs nothing until it is used.
        scratch.sums = vec![0; norms.len()];
        scratch.touched = vec![0; norms.len() + 1];
    }
    let mut query_totals = QueryTotals::default();
    let mut weighed = Vec::with_capacity(query.len());
    for (postings, boost) in query {
        let term = view.term_totals(postings);
        query_totals.add(*boost, &term, &totals);
        if let Some(weight) = formula.weigh(&term, &totals) {
            weighed.push(Weighed {
                entries: &postings.entries,
                boost: *boost,
                weight,
            });
        }
    }
    let spared = spared(&weighed, least);
    if spared.contains(&true) {
        for (clause, _) in weighed.iter().zip(&spared).filter(|(_, spared)| !**spared) {
            scratch.touch(clause.entries);
        }
    }
    for (clause, spared) in weighed.into_iter().zip(spared) {
        let Weighed {
            entries,
            boost,
            weight,
        } = clause;
        let norm = |id: u32| norms[id as usize];
        // One loop for each formula, so that none asks which one it is for every posting.
        match weight {
            TermWeight::Bm25(w) if spared => {
                scratch.add_to_touched(entries, |id, tf| boost * w.score(tf, norm(id)));
            }
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
        scratch.touched[scratch.num_touched] = id;
        scratch.num_touched += usize::from(scratch.sums[id as usize] == 0);
    }
    let touched = ..std::mem::take(&mut scratch.num_touched);
    let touched = &scratch.touched[touched];
    scratch.scores.resize(touched.len() + 1, (0, 0.0));
    let mut kept = 0;
    // Which are good enough cannot be foretold, so the loop does not branch on it.
    for &id in touched {
        let sum = sum_of(std::mem::take(&mut scratch.sums[id as usize]));
        let matched = scratch
            .matched
            .get_mut(id as usize)
            .map_or(0, std::mem::take);
        let score = formula.finish(sum, matched, norms[id as usize], &query_totals) as f32;
        // Adding zero turns -0 into 0: they tie.
        let score = score + 0.0;
        scratch.scores[kept] = (id, score);
        kept += usize::from(score >= least);
    }
    scratch.scores.truncate(kept);
    Ok(())
}

/// A clause of a query, ready to be added.
struct Weighed<'a> {
    /// As in [`TermPostings`].
    entries: &'a [(u32, u32)],
    boost: f64,
    weight: TermWeight,
}

/// Clauses that together cannot lift a page to `least`, if the formula bounds what a clause adds: only pages that have one of the
/// others need be scored (the idea of MaxScore: Turtle and Flood, IP&M 31(6), 1995).
fn spared(clauses: &[Weighed], least: f32) -> Vec<bool> {
    let mut spared = vec![false; clauses.len()];
    let bound = |clause: &Weighed| Some(clause.boost * clause.weight.bound()?);
    let bounds = clauses.iter().map(bound);
    let Some(bounds) = bounds.collect::<Option<Vec<f64>>>() else {
        return spared;
    };
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_unstable_by(|a, b| bounds[*a].total_cmp(&bounds[*b]));
    let mut sum = 0.0;
    for clause in order {
        sum += bounds[clause];
        // With room for what rounding may add.
        if sum * 1.000_01 >= f64::from(least) {
            break;
        }
        spared[clause] = true;
    }
    spared
}

const SIGN_OF_SUM: u64 = 1 << 63;

/// The sum that [`Scratch`] keeps as these bits.
fn sum_of(bits: u64) -> f64 {
    f64::from_bits(bits ^ SIGN_OF_SUM)
}

/// Whether an entry counts, and whether its page is new, cannot be foretold; so these loops do not branch on it.
impl Scratch {
    /// Adds a clause's scores.
    #[inline]
    fn add(&mut self, entries: &[(u32, u32)], score: impl Fn(u32, u32) -> f64) {
        for &(id, tf) in entries {
            let sum = &mut self.sums[id as usize];
            self.touched[self.num_touched] = id;
            self.num_touched += usize::from((*sum == 0) & (tf > 0));
            let added = (sum_of(*sum) + score(id, tf)).to_bits() ^ SIGN_OF_SUM;
            *sum = if tf > 0 { added } else { *sum };
        }
    }

    /// Adds a clause's scores to pages that were touched before.
    #[inline]
    fn add_to_touched(&mut self, entries: &[(u32, u32)], score: impl Fn(u32, u32) -> f64) {
        for &(id, tf) in entries {
            let sum = &mut self.sums[id as usize];
            let added = (sum_of(*sum) + score(id, tf)).to_bits() ^ SIGN_OF_SUM;
            let counts = (*sum != 0) & (tf > 0);
            *sum = if counts { added } else { *sum };
        }
    }

    /// Gives the pages of a clause the sum 0, if they have none.
    fn touch(&mut self, entries: &[(u32, u32)]) {
        for &(id, tf) in entries {
            let sum = &mut self.sums[id as usize];
            let counts = (*sum == 0) & (tf > 0);
            self.touched[self.num_touched] = id;
            self.num_touched += usize::from(counts);
            *sum = if counts { SIGN_OF_SUM } else { *sum };
        }
    }

    /// Counts a clause where it matches.
    fn count(&mut self, entries: &[(u32, u32)]) {
        self.matched.resize(self.sums.len(), 0);
        for &(id, tf) in entries {
            self.matched[id as usize] += u32::from(tf > 0);
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
