//! One-pass sweeps: many filters, many models, each posting read once.
//!
//! Thresholds nest: what passes a stricter one passes a looser one. So the filters of a [`Series`] give each block a level, the
//! number of leading filters that it passes, and going from one step to the next only takes out the blocks of one level. The
//! postings of all terms are read once and kept; what a step changes is subtracted from page lengths, term frequencies, df and cf.
//! Every step is ranked by the code that ranks a single search, on the same integers.

pub(crate) mod options;
mod raw;
pub(crate) mod series;
mod sifted;
mod state;
mod terms;

use std::sync::atomic::AtomicU32;

use self::options::SweepOptions;
use self::raw::{FeedbackPostings, Reading};
use self::series::Series;
use self::state::{Sweep, UNKNOWN};
use crate::format::error::IndexError;
use crate::search::hit::Hit;
use crate::search::open::Index;
use crate::search::query::Unit;
use crate::search::top::DocidOrder;

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
                titles: series.iter().any(|one| one.weights().weigh_titles()),
            };
            let (terms, count) = self.read_batch(&topics[first_topic..], options.memory, read)?;
            let batch = &topics[first_topic..first_topic + count];
            for (number, one) in series.iter().enumerate() {
                let shared = (&feedback, &order);
                let mut swept = Sweep::new(self, one, &terms, shared, read, options)?;
                for filter in 0..one.filters().len() {
                    if filter > 0 {
                        swept.advance();
                    }
                    swept.given = options.given(&self.manifest, &one.sieve(filter))?;
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
}
