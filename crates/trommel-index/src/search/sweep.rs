//! One-pass sweeps: many filters, many models, each posting read once.
//!
//! Thresholds nest: what passes a stricter one passes a looser one. So the filters of a [`Series`] give each block a level, the
//! number of leading filters that it passes, and going from one step to the next only takes out the blocks of one level. The
//! postings of all terms are read once and kept; what a step changes is subtracted from page lengths, term frequencies, df and cf.
//! Every step is ranked by the code that ranks a single search, on the same integers.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use trommel_page::filter::Filter;
use trommel_page::weight::{Sieve, Weights};

use crate::format::columns;
use crate::format::error::IndexError;
use crate::format::layout::aligned;
use crate::format::part::Segment;
use crate::search::gather::TermPostings;
use crate::search::grain::Grain;
use crate::search::hit::Hit;
use crate::search::judge::{Chunk, Judge, Wanted};
use crate::search::model::{Formula, Model, TermTotals, Totals};
use crate::search::open::Index;
use crate::search::page_terms::PageTerms;
use crate::search::query::Unit;
use crate::search::rank::rank_above;
use crate::search::score::Scratch;
use crate::search::shared::data::SharedStatistics;
use crate::search::shared::given::Given;
use crate::search::stats::Stats;
use crate::search::subset::{Subset, Titles};
use crate::search::top::DocidOrder;
use crate::search::view::View;

/// Filters, each within the one before: the thresholds of one dimension from the loosest to the strictest; and how much the
/// blocks count that pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    filters: Vec<Filter>,
    weights: Weights,
}

/// Filters that do not nest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the filter '{inner}' is not within '{outer}'")]
pub struct NotNested {
    inner: String,
    outer: String,
}

impl Series {
    /// A series of these filters, the loosest first.
    ///
    /// # Errors
    /// A filter that is not within the one before ([`Filter::is_within`]).
    pub fn new(filters: Vec<Filter>) -> Result<Series, NotNested> {
        match filters.windows(2).find(|pair| !pair[1].is_within(&pair[0])) {
            None => Ok(Series {
                filters,
                weights: Weights::default(),
            }),
            Some(pair) => Err(NotNested {
                inner: pair[1].to_string(),
                outer: pair[0].to_string(),
            }),
        }
    }

    /// The series with these weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The filters.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// A filter with the weights.
    pub(crate) fn sieve(&self, filter: usize) -> Sieve {
        Sieve {
            filter: self.filters[filter].clone(),
            weights: self.weights.clone(),
        }
    }

    /// The statistics that a search under a filter is to go by, if they are not the index's own.
    fn given(
        &self,
        filter: usize,
        index: &Index,
        options: &SweepOptions,
    ) -> Result<Option<Given>, IndexError> {
        let given =
            |shared| Given::new(shared, &index.manifest, &self.sieve(filter), &options.stats);
        options.shared.as_ref().map(given).transpose()
    }
}

/// How to sweep.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SweepOptions {
    /// Each ranks every step.
    pub models: Vec<Model>,
    /// Where N, df, cf and the average length come from.
    pub stats: Stats,
    /// Pages for each topic.
    pub k: usize,
    /// Memory for postings, in bytes. Topics whose postings do not fit together are swept one batch after another; a single
    /// topic may take more.
    pub memory: usize,
    /// Statistics of a collection that this index is a part of, instead of its own; as in [`Ranking::shared`](crate::Ranking::shared).
    pub shared: Option<Arc<SharedStatistics>>,
}

/// One model, BM25; statistics of the filter itself; 1,000 pages for each topic; 1 GiB for postings.
impl Default for SweepOptions {
    fn default() -> Self {
        SweepOptions {
            models: vec![Model::default()],
            stats: Stats::default(),
            k: 1000,
            memory: 1 << 30,
            shared: None,
        }
    }
}

impl SweepOptions {
    /// Sets [`SweepOptions::models`].
    #[must_use]
    pub fn with_models(mut self, models: Vec<Model>) -> Self {
        self.models = models;
        self
    }

    /// Sets [`SweepOptions::stats`].
    #[must_use]
    pub fn with_stats(mut self, stats: Stats) -> Self {
        self.stats = stats;
        self
    }

    /// Sets [`SweepOptions::k`].
    #[must_use]
    pub fn with_k(mut self, k: usize) -> Self {
        self.k = k;
        self
    }

    /// Sets [`SweepOptions::shared`].
    #[must_use]
    pub fn with_shared(mut self, shared: Option<Arc<SharedStatistics>>) -> Self {
        self.shared = shared;
        self
    }

    /// Sets [`SweepOptions::memory`].
    #[must_use]
    pub fn with_memory(mut self, memory: usize) -> Self {
        self.memory = memory;
        self
    }
}

/// The results of some topics at one step of a series.
#[derive(Debug)]
pub struct SweepStep<T> {
    /// Number of the series.
    pub series: usize,
    /// Number of its filter.
    pub filter: usize,
    /// Number of the model.
    pub model: usize,
    /// Number of the first topic. All topics of a batch come together, and batches in order.
    pub first_topic: usize,
    /// What was made of each topic's hits.
    pub results: Vec<T>,
}

/// The level of a block: the number of leading filters of a series that it passes.
type Level = u16;

impl Index {
    /// Ranks the topics (terms that were analysed before) under every filter of every series and every model, on the threads of
    /// the current rayon pool. `map` turns the hits of a topic, which is given by its number, into what is wanted of them, on
    /// any thread; `each` gets the results step by step in order.
    ///
    /// # Errors
    /// Of the index, and those of `each`, which end the sweep.
    pub fn sweep<T: Send, E: From<IndexError>>(
        &self,
        topics: &[Vec<String>],
        series: &[Series],
        options: &SweepOptions,
        map: impl Fn(usize, &[Hit]) -> T + Sync,
        mut each: impl FnMut(SweepStep<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        if options.shared.is_none()
            && let Some(statistics) = self.statistics(&options.stats)?
        {
            options.stats.check(&statistics.totals(Unit::Page))?;
        }
        // The last score of each topic under each model at the step before, as bits: a guess at that of this step.
        let mut last_scores: Vec<Vec<AtomicU32>> = Vec::new();
        self.for_each_step(topics, series, options, |step, swept| {
            let StepOf {
                series,
                filter,
                first_topic,
                batch,
            } = step;
            if filter == 0 {
                let unknown = || batch.iter().map(|_| AtomicU32::new(UNKNOWN)).collect();
                last_scores = options.models.iter().map(|_| unknown()).collect();
            }
            for (number, model) in options.models.iter().enumerate() {
                swept.set_formula(&model.formula);
                let of_topic = |topic, hits: &[Hit]| map(first_topic + topic, hits);
                let results =
                    swept.rank(batch, model, options.k, &last_scores[number], of_topic)?;
                each(SweepStep {
                    series,
                    filter,
                    model: number,
                    first_topic,
                    results,
                })?;
            }
            Ok(())
        })
    }

    /// Calls `each` with every filter of every series, for one batch of topics after another.
    pub(crate) fn for_each_step<E: From<IndexError>>(
        &self,
        topics: &[Vec<String>],
        series: &[Series],
        options: &SweepOptions,
        mut each: impl FnMut(StepOf, &mut Sweep) -> Result<(), E>,
    ) -> Result<(), E> {
        let feedback = FeedbackPostings::default();
        let order = DocidOrder::new(self);
        let statistics = match options.shared {
            Some(_) => None,
            None => self.statistics(&options.stats)?,
        };
        let mut first_topic = 0;
        while first_topic < topics.len() {
            let read = Reading {
                statistics: statistics.as_deref(),
                titles: series.iter().any(|one| one.weights.weigh_titles()),
            };
            let (terms, count) = self.read_batch(&topics[first_topic..], options.memory, read)?;
            let batch = &topics[first_topic..first_topic + count];
            for (number, one) in series.iter().enumerate() {
                let shared = (&feedback, &order);
                let mut swept = Sweep::new(self, one, &terms, shared, read, options)?;
                for filter in 0..one.filters.len() {
                    if filter > 0 {
                        swept.advance();
                    }
                    swept.given = one.given(filter, self, options)?;
                    let step = StepOf {
                        series: number,
                        filter,
                        first_topic,
                        batch,
                    };
                    each(step, &mut swept)?;
                }
            }
            first_topic += count;
        }
        Ok(())
    }

    /// Reads the postings of the first topics, as many as fit; says how many topics these are.
    fn read_batch(
        &self,
        topics: &[Vec<String>],
        memory: usize,
        read: Reading,
    ) -> Result<(HashMap<String, Raw>, usize), IndexError> {
        let mut terms: HashMap<String, Raw> = HashMap::new();
        let mut used = 0;
        for (count, topic) in topics.iter().enumerate() {
            let new: BTreeSet<&String> = topic.iter().filter(|t| !terms.contains_key(*t)).collect();
            let mut wanted = 0;
            for term in &new {
                wanted += self.num_blocks_with(term)? as usize * BYTES_PER_POSTING;
            }
            if count > 0 && used + wanted > memory {
                return Ok((terms, count));
            }
            used += wanted;
            let raw: Vec<(String, Raw)> = new
                .into_par_iter()
                .map(|term| Ok((term.clone(), self.read_raw(term, read)?)))
                .collect::<Result<_, IndexError>>()?;
            terms.extend(raw);
        }
        Ok((terms, topics.len()))
    }

    /// The levels of all blocks, numbered through.
    fn levels(&self, series: &Series) -> Result<Vec<Level>, IndexError> {
        let mut wanted = Wanted::default();
        let judges = series
            .filters
            .iter()
            .map(|filter| Judge::new(self, filter, &mut wanted));
        let judges = judges.collect::<Result<Vec<_>, _>>()?;
        if judges.iter().all(Judge::passes_all) {
            return Ok(vec![judges.len() as Level; self.layout.end as usize]);
        }
        self.layout.verify()?;
        let mut levels = vec![0; self.layout.end as usize];
        let mut rest = levels.as_mut_slice();
        for (segment, Segment { columns, .. }) in self.segments.iter().enumerate() {
            let (of_segment, after) = rest.split_at_mut(aligned(columns.num_blocks()) as usize);
            rest = after;
            let of_segment = &mut of_segment[..columns.num_blocks() as usize];
            let chunks = of_segment.par_chunks_mut(columns::CHUNK).enumerate();
            chunks.try_for_each_init(Chunk::default, |chunk, (number, levels)| {
                let blocks = ((number * columns::CHUNK) as u32, levels.len());
                self.read_chunk(&wanted, segment, blocks, chunk)?;
                for (at, level) in levels.iter_mut().enumerate() {
                    *level = judges.partition_point(|judge| judge.passes(chunk, at)) as Level;
                }
                Ok(())
            })?;
        }
        Ok(levels)
    }

    /// All postings of a term.
    fn read_raw(&self, term: &str, read: Reading) -> Result<Raw, IndexError> {
        let mut raw = Raw::default();
        let mut counted = None;
        let mut others = (0, 0);
        self.for_each_posting(term, Unit::Page, |posting| {
            if posting.first {
                raw.pages.push((posting.id, 0));
            }
            if let Some((_, count)) = raw.pages.last_mut() {
                *count += 1;
            }
            raw.blocks.push((posting.doc, posting.tf));
            let base = posting.block - u64::from(posting.doc);
            if raw.bases.last().is_none_or(|(_, last)| *last != base) {
                raw.bases.push((raw.pages.len() - 1, base));
            }
            if (read.statistics).is_some_and(|others| others.passes(posting.block)) {
                others.0 += u64::from(counted != Some(posting.id));
                others.1 += u64::from(posting.tf);
                counted = Some(posting.id);
            }
        })?;
        raw.others = TermTotals::whole(others.0, others.1);
        if read.titles {
            raw.titles = self.titles_with(term)?.into_iter().collect();
        }
        Ok(raw)
    }
}

/// A step that is swept.
#[derive(Clone, Copy)]
pub(crate) struct StepOf<'t> {
    /// Number of the series.
    pub series: usize,
    /// Number of its filter.
    pub filter: usize,
    /// Number of the first topic of the batch.
    pub first_topic: usize,
    /// The terms of each topic of the batch.
    pub batch: &'t [Vec<String>],
}

/// What is read of the postings of terms, besides the blocks.
#[derive(Clone, Copy)]
struct Reading<'a> {
    /// What other blocks statistics are taken from.
    statistics: Option<&'a Subset>,
    /// The titles, too.
    titles: bool,
}

/// What a posting takes, about: as it is read, and again in the series that is being swept.
const BYTES_PER_POSTING: usize = 40;

/// The postings of a term.
#[derive(Debug, Default)]
struct Raw {
    /// Blocks, numbered as in their segments, with the term's frequency.
    blocks: Vec<(u32, u32)>,
    /// From which of `pages` on the blocks are of another segment, and the number of its first one.
    bases: Vec<(usize, u64)>,
    /// Pages with the number of their blocks in `blocks`.
    pages: Vec<(u32, u32)>,
    /// Pages that have it in their titles, with its frequency there.
    titles: HashMap<u32, u32>,
    /// Totals over the blocks that statistics are taken from, where these are others.
    others: TermTotals,
}

/// Postings of terms that feedback asked for, which other series will ask for too.
#[derive(Default)]
struct FeedbackPostings {
    /// By term, and the number of postings of all.
    known: Mutex<(HashMap<String, Arc<Raw>>, usize)>,
}

impl FeedbackPostings {
    /// The postings of a term, kept as long as all take no more than the sweep's memory.
    fn get(&self, sweep: &Sweep, term: &str) -> Result<Arc<Raw>, IndexError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(raw) = known().0.get(term) {
            return Ok(Arc::clone(raw));
        }
        let read = Reading {
            statistics: sweep.statistics,
            titles: sweep.reads_titles,
        };
        let raw = Arc::new(sweep.index.read_raw(term, read)?);
        let (terms, postings) = &mut *known();
        if !terms.contains_key(term) {
            make_room(terms, postings, raw.blocks.len(), sweep.memory);
            terms.insert(term.to_owned(), Arc::clone(&raw));
        }
        Ok(raw)
    }
}

/// Counts the postings of one more term, and forgets all others if they do not fit into `memory` bytes together.
fn make_room<T>(terms: &mut HashMap<String, T>, postings: &mut usize, more: usize, memory: usize) {
    if (*postings + more).saturating_mul(BYTES_PER_POSTING) > memory {
        terms.clear();
        *postings = 0;
    }
    *postings += more;
}

/// What a series does with each block and title.
struct Sifted {
    /// By number of block.
    levels: Vec<Level>,
    /// By number of block, in hundredths; none where all count 1.
    weights: Option<Arc<Subset>>,
    /// By page the level of its title, where there is more than one filter and titles count.
    title_levels: Option<Vec<Level>>,
}

impl Sifted {
    fn new(index: &Index, series: &Series) -> Result<Sifted, IndexError> {
        let levels = index.levels(series)?;
        let (Some(loosest), false) = (series.filters.first(), series.weights.is_one()) else {
            return Ok(Sifted {
                levels,
                weights: None,
                title_levels: None,
            });
        };
        let several = series.filters.len() > 1 && series.weights.weigh_titles();
        Ok(Sifted {
            levels,
            // What does not pass the loosest filter is not weighed, as in a search.
            weights: Some(index.subset(loosest, &series.weights)?),
            title_levels: several
                .then(|| index.title_levels(&series.filters))
                .transpose()?,
        })
    }

    /// The titles, where they count.
    fn titles(&self) -> Option<&Titles> {
        self.weights.as_ref()?.titles.as_ref()
    }

    /// As [`Sifted::of_block`] of a page's title.
    fn of_title(&self, page: u32) -> (Level, u32) {
        match self
            .titles()
            .map_or(0, |titles| titles.weights[page as usize])
        {
            0 => (0, 0),
            weight => {
                let levels = self.title_levels.as_ref();
                // It passes the only filter, or it would weigh nothing.
                let level = levels.map_or(1, |levels| levels[page as usize]);
                (level, u32::from(weight))
            }
        }
    }

    fn grain(&self) -> Grain {
        match self.weights {
            None => Grain::One,
            Some(_) => Grain::Hundredth,
        }
    }

    /// The level of a block, and how much it counts while it passes, in grains. One that counts nothing never passes.
    #[inline]
    fn of_block(&self, block: u64) -> (Level, u32) {
        let level = self.levels[block as usize];
        match &self.weights {
            None => (level, 1),
            Some(weights) => match weights.weight(block) {
                0 => (0, 0),
                weight => (level, weight),
            },
        }
    }
}

/// A term at a step of a series.
struct TermState {
    postings: Arc<TermPostings>,
    /// The occurrences in passing blocks, in grains.
    cf: u64,
    grain: Grain,
    /// What later steps take out: level, number of the entry, frequency; by level.
    leaving: Vec<(Level, u32, u32)>,
    /// How many of `leaving` have left.
    left: usize,
    /// Entries with frequency 0.
    dead: usize,
}

impl TermState {
    /// The term at the step whose filter number is given.
    fn new(raw: &Raw, sifted: &Sifted, filter: Level, last: Level) -> TermState {
        let mut postings = TermPostings {
            others: raw.others,
            ..TermPostings::default()
        };
        let (mut cf, mut leaving) = (0, Vec::new());
        let mut close = |page: u32, passing: u32| {
            if passing > 0 {
                postings.entries.push((page, passing));
                postings.subset.df += 1;
                cf += u64::from(passing);
            }
            postings.entries.len() as u32
        };
        let mut titles = match sifted.titles() {
            Some(_) => raw.titles.clone(),
            None => HashMap::new(),
        };
        // What passes of some occurrences, as one of a level; a block of the highest level never leaves.
        let mut passing = |level: Level, entry: u32, tf: u32| {
            if level <= filter || tf == 0 {
                return 0;
            }
            if level <= last {
                leaving.push((level, entry, tf));
            }
            tf
        };
        let mut entry = 0;
        let mut blocks = raw.blocks.iter();
        let mut bases = raw.bases.iter().peekable();
        let mut base = 0;
        for (number, &(page, count)) in raw.pages.iter().enumerate() {
            while let Some((_, next)) = bases.next_if(|(first, _)| *first <= number) {
                base = *next;
            }
            let mut sum = 0u32;
            for &(doc, tf) in blocks.by_ref().take(count as usize) {
                let (level, weight) = sifted.of_block(base + u64::from(doc));
                sum = sum.saturating_add(passing(level, entry, tf.saturating_mul(weight)));
            }
            if !titles.is_empty()
                && let Some(tf) = titles.remove(&page)
            {
                let (level, weight) = sifted.of_title(page);
                sum = sum.saturating_add(passing(level, entry, tf.saturating_mul(weight)));
            }
            entry = close(page, sum);
        }
        // In the order of pages, so that nothing depends on the map's.
        let mut rest: Vec<(u32, u32)> = titles.into_iter().collect();
        rest.sort_unstable();
        for (page, tf) in rest {
            let (level, weight) = sifted.of_title(page);
            let sum = passing(level, entry, tf.saturating_mul(weight));
            entry = close(page, sum);
        }
        postings.subset.cf = sifted.grain().hundredths(cf);
        TermState {
            postings: Arc::new(postings),
            cf,
            grain: sifted.grain(),
            leaving: by_level(&leaving, last),
            left: 0,
            dead: 0,
        }
    }

    /// Takes out the blocks that pass the filters before a number, but not the one of that number.
    fn advance(&mut self, filter: Level) {
        // Nobody else holds the postings between steps, so that nothing is copied.
        let postings = Arc::make_mut(&mut self.postings);
        while let Some(&(level, entry, tf)) = self.leaving.get(self.left)
            && level <= filter
        {
            let (_, passing) = &mut postings.entries[entry as usize];
            *passing -= tf;
            self.cf -= u64::from(tf);
            if *passing == 0 {
                postings.subset.df -= 1;
                self.dead += 1;
            }
            self.left += 1;
        }
        postings.subset.cf = self.grain.hundredths(self.cf);
        if self.dead * 4 > postings.entries.len() {
            self.bury();
        }
    }

    /// Removes entries with frequency 0.
    fn bury(&mut self) {
        let postings = Arc::make_mut(&mut self.postings);
        let mut kept = 0;
        let mut numbers = Vec::with_capacity(postings.entries.len());
        for (_, tf) in &postings.entries {
            numbers.push(kept);
            kept += u32::from(*tf > 0);
        }
        postings.entries.retain(|(_, tf)| *tf > 0);
        self.leaving.drain(..self.left);
        self.left = 0;
        for (_, entry, _) in &mut self.leaving {
            *entry = numbers[*entry as usize];
        }
        self.dead = 0;
    }
}

/// Blocks by level, which is at most `last`: a counting sort (Knuth, TAOCP 3, §5.2, Algorithm D).
fn by_level(blocks: &[(Level, u32, u32)], last: Level) -> Vec<(Level, u32, u32)> {
    let mut places = vec![0usize; usize::from(last) + 2];
    for (level, ..) in blocks {
        places[usize::from(*level) + 1] += 1;
    }
    for level in 1..places.len() {
        places[level] += places[level - 1];
    }
    let mut sorted = vec![(0, 0, 0); blocks.len()];
    for block in blocks {
        let place = &mut places[usize::from(block.0)];
        sorted[*place] = *block;
        *place += 1;
    }
    sorted
}

/// A series that is being swept, at one of its steps.
pub(crate) struct Sweep<'a> {
    index: &'a Index,
    /// What statistics are taken from, where it is not the subset itself.
    statistics: Option<&'a Subset>,
    /// What they are instead of either.
    given: Option<Given>,
    memory: usize,
    /// Number of the filter.
    filter: Level,
    /// Number of the last filter.
    last: Level,
    sifted: Sifted,
    /// Are titles read with the postings of terms?
    reads_titles: bool,
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
    fn new(
        index: &'a Index,
        series: &Series,
        terms: &'a HashMap<String, Raw>,
        (feedback_postings, order): (&'a FeedbackPostings, &'a DocidOrder),
        read: Reading<'a>,
        options: &SweepOptions,
    ) -> Result<Self, IndexError> {
        let last = Level::try_from(series.filters.len().saturating_sub(1))
            .ok()
            .filter(|last| *last < Level::MAX)
            .ok_or(IndexError::TooManySteps)?;
        let sifted = Sifted::new(index, series)?;
        let mut lengths = vec![0u64; index.num_pages()];
        let mut leaving: Vec<Vec<(u32, u32)>> = vec![Vec::new(); series.filters.len()];
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
            statistics: read.statistics,
            given: None,
            memory: options.memory,
            filter: 0,
            last,
            sifted,
            reads_titles: read.titles,
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
    fn advance(&mut self) {
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

    fn rank<T: Send>(
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
const UNKNOWN: u32 = u32::MAX;

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
        self.statistics.is_none()
    }

    fn totals(&self) -> Totals {
        if let Some(given) = &self.given {
            return given.totals();
        }
        let (num, terms) = self.subset;
        let terms = self.grain().hundredths(terms);
        let own = Totals { num, terms };
        (self.statistics).map_or(own, |other| other.totals(Unit::Page))
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
        let raw = self.feedback_postings.get(self, term)?;
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
