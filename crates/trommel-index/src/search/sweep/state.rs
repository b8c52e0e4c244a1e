//! A series at one of its steps: what ranking reads of the index there.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::options::SweepOptions;
use super::raw::{FeedbackPostings, Raw, Reading, make_room};
use super::series::Series;
use super::sifted::{Level, Sifted};
use super::terms::TermState;
use crate::format::error::IndexError;
use crate::search::gather::TermPostings;
use crate::search::grain::Grain;
use crate::search::hit::Hit;
use crate::search::model::{Formula, Model, Totals};
use crate::search::open::Index;
use crate::search::page_terms::PageTerms;
use crate::search::query::Unit;
use crate::search::rank::rank_above;
use crate::search::score::Scratch;
use crate::search::shared::given::Given;
use crate::search::top::DocidOrder;
use crate::search::view::View;

/// A series that is being swept, at one of its steps.
pub(crate) struct Sweep<'a> {
    index: &'a Index,
    /// What is read of the postings of terms.
    read: Reading<'a>,
    /// The statistics to go by instead of the index's own.
    pub(super) given: Option<Given>,
    memory: usize,
    /// Number of the filter.
    filter: Level,
    /// Number of the last filter.
    last: Level,
    sifted: Sifted,
    /// By number of page, in grains.
    lengths: Vec<u32>,
    /// By level what leaves after it: pages with the terms of their blocks of that level.
    leaving: Vec<Vec<(u32, u32)>>,
    /// N under the filter, and |C| in grains.
    subset: (u64, u64),
    /// Terms of the topics.
    terms: HashMap<&'a str, TermState>,
    /// Terms that feedback asked for, and the number of postings of all; kept as long as they fit into `memory`.
    feedback: Mutex<(HashMap<String, TermState>, usize)>,
    feedback_postings: &'a FeedbackPostings,
    order: &'a DocidOrder,
    norms: Arc<Vec<f64>>,
    /// Terms of pages, and their number.
    page_terms: Mutex<(HashMap<u32, Arc<PageTerms>>, usize)>,
}

/// Terms of pages that are kept for feedback at later steps: those of 5,000 pages of 400 different terms.
const KEPT_TERMS: usize = 2_000_000;

impl<'a> Sweep<'a> {
    pub(super) fn new(
        index: &'a Index,
        series: &Series,
        terms: &'a HashMap<String, Raw>,
        (feedback_postings, order): (&'a FeedbackPostings, &'a DocidOrder),
        read: Reading<'a>,
        options: &SweepOptions,
    ) -> Result<Self, IndexError> {
        let last = Level::try_from(series.filters().len().saturating_sub(1))
            .ok()
            .filter(|last| *last < Level::MAX)
            .ok_or(IndexError::TooManySteps)?;
        let sifted = Sifted::new(index, series)?;
        let mut lengths = vec![0u64; index.num_pages()];
        let mut leaving: Vec<Vec<(u32, u32)>> = vec![Vec::new(); series.filters().len()];
        let mut add = |page: u32, level: Level, terms: u32| {
            if level == 0 || terms == 0 {
                return;
            }
            lengths[page as usize] += u64::from(terms);
            if level <= last {
                let of_level = &mut leaving[level as usize];
                match of_level.last_mut() {
                    Some((of, sum)) if *of == page => *sum = sum.saturating_add(terms),
                    _ => of_level.push((page, terms)),
                }
            }
        };
        index.for_each_length(|page, block, length| {
            let (level, weight) = sifted.of_block(block);
            add(page, level, length.saturating_mul(weight));
        })?;
        if let Some(titles) = sifted.titles() {
            for page in 0..index.num_pages() as u32 {
                let (level, weight) = sifted.of_title(page);
                add(
                    page,
                    level,
                    titles.lengths[page as usize].saturating_mul(weight),
                );
            }
        }
        let with_terms = lengths.iter().filter(|length| **length > 0);
        let subset = (with_terms.count() as u64, lengths.iter().sum::<u64>());
        let fitting = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
        let lengths = lengths.into_iter().map(fitting).collect();
        let terms = terms
            .par_iter()
            .map(|(term, raw)| (term.as_str(), TermState::new(raw, &sifted, 0, last)))
            .collect();
        Ok(Sweep {
            index,
            read,
            given: None,
            memory: options.memory,
            filter: 0,
            last,
            sifted,
            lengths,
            leaving,
            subset,
            terms,
            feedback: Mutex::default(),
            feedback_postings,
            order,
            norms: Arc::default(),
            page_terms: Mutex::default(),
        })
    }

    /// Goes to the next filter.
    pub(super) fn advance(&mut self) {
        self.filter += 1;
        for (page, terms) in std::mem::take(&mut self.leaving[self.filter as usize]) {
            let length = &mut self.lengths[page as usize];
            *length = length.saturating_sub(terms);
            self.subset.0 -= u64::from(*length == 0);
            self.subset.1 -= u64::from(terms);
        }
        let filter = self.filter;
        self.terms
            .par_iter_mut()
            .for_each(|(_, state)| state.advance(filter));
        let feedback = self
            .feedback
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        feedback
            .0
            .par_iter_mut()
            .for_each(|(_, state)| state.advance(filter));
    }

    /// Computes the norms of a formula at this step.
    pub fn set_formula(&mut self, formula: &Formula) {
        let totals = self.totals();
        let norms = self.lengths.par_iter().with_min_len(CHUNK);
        let grain = self.grain();
        let norm = |length: &u32| formula.norm(grain.to_f64(*length), &totals);
        self.norms = Arc::new(norms.map(norm).collect());
    }

    pub(super) fn rank<T: Send>(
        &self,
        topics: &[Vec<String>],
        model: &Model,
        k: usize,
        last_scores: &[AtomicU32],
        map: impl Fn(usize, &[Hit]) -> T + Sync,
    ) -> Result<Vec<T>, IndexError> {
        let topics = topics.par_iter().zip(last_scores).enumerate();
        topics
            .map_init(
                Scratch::default,
                |scratch, (number, (terms, last_score))| {
                    let known = f32::from_bits(last_score.load(Relaxed));
                    let least = (!known.is_nan()).then_some(known);
                    let hits = rank_above(self, terms, model, k, least, scratch)?;
                    last_score.store(guess(&hits, k).map_or(UNKNOWN, f32::to_bits), Relaxed);
                    Ok(map(number, &hits))
                },
            )
            .collect()
    }
}

/// No score is known: the bits of no number.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// A little less than the last of k scores: those of the next step are a little different. None if all were hits.
fn guess(hits: &[Hit], k: usize) -> Option<f32> {
    let (first, last) = (hits.first()?.score, hits.last()?.score);
    (hits.len() == k).then_some(last - 0.02 * (first - last))
}

/// Numbers that are worked on together.
const CHUNK: usize = 1024;

impl View for Sweep<'_> {
    fn index(&self) -> &Index {
        self.index
    }

    fn unit(&self) -> Unit {
        Unit::Page
    }

    fn has_own_statistics(&self) -> bool {
        self.read.statistics.is_none()
    }

    fn totals(&self) -> Totals {
        if let Some(given) = &self.given {
            return given.totals();
        }
        let (num, terms) = self.subset;
        let terms = self.grain().hundredths(terms);
        let own = Totals { num, terms };
        (self.read.statistics).map_or(own, |other| other.totals(Unit::Page))
    }

    fn given(&self) -> Option<&Given> {
        self.given.as_ref()
    }

    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError> {
        if let Some(state) = self.terms.get(term) {
            return Ok(Arc::clone(&state.postings));
        }
        let known = || self.feedback.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = known().0.get(term) {
            return Ok(Arc::clone(&state.postings));
        }
        let raw = self
            .feedback_postings
            .get(self.index, term, self.read, self.memory)?;
        let state = TermState::new(&raw, &self.sifted, self.filter, self.last);
        let postings = Arc::clone(&state.postings);
        let (terms, count) = &mut *known();
        if !terms.contains_key(term) {
            make_room(terms, count, raw.blocks.len(), self.memory);
            terms.insert(term.to_owned(), state);
        }
        Ok(postings)
    }

    fn docid_order(&self) -> Option<&DocidOrder> {
        Some(self.order)
    }

    fn norms(&self, _: &Formula) -> Result<Arc<Vec<f64>>, IndexError> {
        Ok(Arc::clone(&self.norms))
    }

    fn has_titles(&self) -> bool {
        self.sifted.titles().is_some()
    }

    fn page_terms(&self, page: u32) -> Result<Arc<PageTerms>, IndexError> {
        let known = || {
            self.page_terms
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(terms) = known().0.get(&page) {
            return Ok(Arc::clone(terms));
        }
        let terms = Arc::new(self.index.page_terms(page, self.has_titles())?);
        let (pages, count) = &mut *known();
        if *count + terms.len() > KEPT_TERMS {
            pages.clear();
            *count = 0;
        }
        if let Entry::Vacant(vacant) = pages.entry(page) {
            *count += terms.len();
            vacant.insert(Arc::clone(&terms));
        }
        Ok(terms)
    }

    fn grain(&self) -> Grain {
        self.sifted.grain()
    }

    fn weights(&self, hit: &Hit) -> Result<Vec<u32>, IndexError> {
        let weight = |(level, weight): (Level, u32)| match level > self.filter {
            true => weight,
            false => 0,
        };
        let blocks = self.index.layout.blocks(hit.page);
        let title = self.sifted.of_title(hit.page);
        let blocks = blocks.map(|block| self.sifted.of_block(block));
        Ok(blocks.chain([title]).map(weight).collect())
    }
}
