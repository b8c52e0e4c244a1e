//! Counts what an index contributes.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use trommel_archive::sha256_of;

use super::data::{
    Counted, CountedIndex, QueryFeedback, SharedStatistics, StepStatistics, VERSION,
};
use super::error::StatisticsError;
use super::given::Given;
use crate::format::error::IndexError;
use crate::search::model::Model;
use crate::search::open::Index;
use crate::search::open_labels::Opening;
use crate::search::query::{Ranking, Unit};
use crate::search::rank::feedback_hits;
use crate::search::rm3::feedback_page;
use crate::search::score::Scratch;
use crate::search::sweep::options::SweepOptions;
use crate::search::sweep::series::Series;
use crate::search::view::{SearchView, View};

/// Terms of feedback that are counted together.
const TOGETHER: usize = 64;

impl Index {
    /// Counts what this index contributes to the statistics of a collection that it is a part of: for every filter of every series N
    /// and |C|, and df and cf of the terms of some queries, on the threads of the current rayon pool. Of `options` the models,
    /// `stats` and `memory` bear on it.
    ///
    /// Models with feedback take several rounds. `options.shared` is what all indexes together counted in the round before; none in the first.
    /// In the second round the pages are found that feedback comes from, in the third their terms are counted. A joined result that is
    /// [`SharedStatistics::complete`] needs no more rounds.
    ///
    /// # Errors
    /// Those of reading the index, and [`IndexError::Statistics`] for statistics of another search.
    pub fn count(
        &self,
        queries: &[Vec<String>],
        series: &[Series],
        options: &SweepOptions,
    ) -> Result<SharedStatistics, IndexError> {
        let models = || options.models.iter().filter(|it| it.feedback.is_some());
        let size = self.size()?;
        let distinct: BTreeSet<&Vec<String>> = queries.iter().collect();
        let mut counted = SharedStatistics {
            version: VERSION,
            complete: false,
            segmenter: self.manifest.segmenter.clone(),
            analyzer: self.manifest.analyzer.clone(),
            stats: options.stats.clone(),
            pages: size.pages,
            blocks: size.blocks,
            indexes: self.counted_indexes()?,
            feedback_models: models().map(Model::to_string).collect(),
            queries: distinct.into_iter().cloned().collect(),
            steps: Vec::new(),
        };
        if let Some(before) = &options.shared {
            let fits = before.check_search(&counted);
            fits.map_err(StatisticsError::of_search)?;
        }
        let counting = Counting {
            index: self,
            queries: &counted.queries,
            models: models().copied().collect(),
            options,
        };
        let mut steps = Vec::new();
        for one in series {
            match one.filters().len() {
                1 => steps.push(counting.step(one)?),
                _ => steps.extend(counting.steps(one)?),
            }
        }
        counted.steps = steps;
        counted.complete = counted.lacks_nothing();
        Ok(counted)
    }
}

impl Index {
    /// The directories of this index, each with what tells it from others.
    fn counted_indexes(&self) -> Result<Vec<CountedIndex>, IndexError> {
        let mut indexes = Vec::with_capacity(self.directories.len());
        for Opening { path, manifest, .. } in &self.directories {
            let made = (&manifest.inputs, &manifest.options, &manifest.counts);
            // What came through a pipe has no hash; then the files of the index itself are looked at.
            let parts = match manifest.inputs.iter().all(|input| input.sha256.is_some()) {
                true => &[],
                false => manifest.parts.as_slice(),
            };
            let made = serde_json::to_vec(&(made, parts));
            let made = made.map_err(|error| IndexError::io(path)(error.into()))?;
            // As it was named it may end in a point.
            let own = path.canonicalize().unwrap_or_else(|_| path.clone());
            let name = own.file_name().unwrap_or(own.as_os_str());
            indexes.push(CountedIndex {
                name: name.to_string_lossy().into_owned(),
                id: sha256_of(&made[..]).map_err(IndexError::io(path))?,
                pages: manifest.counts.pages,
            });
        }
        indexes.sort();
        Ok(indexes)
    }
}

/// What is counted.
struct Counting<'a> {
    index: &'a Index,
    /// Each once.
    queries: &'a [Vec<String>],
    /// Those with feedback.
    models: Vec<Model>,
    options: &'a SweepOptions,
}

impl Counting<'_> {
    /// What is known of a step from the round before.
    fn before(&self, series: &Series, filter: usize) -> Result<Option<Given>, IndexError> {
        self.options
            .given(&self.index.manifest, &series.sieve(filter))
    }

    /// The only step of a series: as in a single search, which reads less than a sweep.
    fn step(&self, series: &Series) -> Result<StepStatistics, IndexError> {
        let before = self.before(series, 0)?;
        let sieve = series.sieve(0);
        let ranking = |shared| Ranking {
            filter: sieve.filter.clone(),
            weights: sieve.weights.clone(),
            stats: self.options.stats.clone(),
            unit: Unit::Page,
            shared,
            ..Ranking::default()
        };
        let own = SearchView::of_part(self.index, &ranking(None))?;
        let mut wanted: BTreeSet<&String> = self.queries.iter().flatten().collect();
        wanted.extend(before.iter().flat_map(Given::feedback_terms));
        let wanted: Vec<&String> = wanted.into_iter().collect();
        let terms = wanted.into_par_iter().map(|term| {
            let totals = own.statistics_of(term)?;
            Ok((term.clone(), Counted(totals.df, totals.cf)))
        });
        let terms = terms.collect::<Result<BTreeMap<_, _>, IndexError>>()?;
        let feedback = match before.as_ref().map(|before| self.known(before)) {
            None => Vec::new(),
            Some(Some(known)) => known,
            Some(None) => {
                let view = SearchView::new(self.index, &ranking(self.options.shared.clone()))?;
                self.feedback(&view, self.queries, &self.models)?
            }
        };
        let totals = own.totals();
        Ok(StepStatistics {
            sieve,
            n: totals.num,
            length: totals.terms,
            terms,
            feedback,
        })
    }

    /// The steps of a series, in one pass over the postings.
    fn steps(&self, series: &Series) -> Result<Vec<StepStatistics>, IndexError> {
        let before = (0..series.filters().len()).map(|filter| self.before(series, filter));
        let before = before.collect::<Result<Vec<_>, _>>()?;
        let mut steps: Vec<StepStatistics> = Vec::with_capacity(before.len());
        for filter in 0..before.len() {
            steps.push(StepStatistics {
                sieve: series.sieve(filter),
                n: 0,
                length: trommel_text::Hundredths::default(),
                terms: BTreeMap::new(),
                feedback: Vec::new(),
            });
        }
        // By its own statistics.
        let own = self.options.clone().with_shared(None);
        let of_feedback = before.iter().flatten().flat_map(Given::feedback_terms);
        let of_feedback: BTreeSet<&String> = of_feedback.collect();
        let of_feedback: Vec<String> = of_feedback.into_iter().cloned().collect();
        let mut batches = self.queries.to_vec();
        batches.extend(of_feedback.chunks(TOGETHER).map(<[String]>::to_vec));
        // Of no query too there is something to count.
        if batches.is_empty() {
            batches.push(Vec::new());
        }
        let series = std::slice::from_ref(series);
        let wanted = |filter: usize| -> BTreeSet<&String> {
            let of_queries = self.queries.iter().flatten();
            let of_feedback = before[filter].iter().flat_map(Given::feedback_terms);
            of_queries.chain(of_feedback).collect()
        };
        let wanted: Vec<BTreeSet<&String>> = (0..before.len()).map(wanted).collect();
        self.index
            .for_each_step(&batches, series, &own, |step, swept| {
                let counted = &mut steps[step.filter];
                let totals = swept.totals();
                (counted.n, counted.length) = (totals.num, totals.terms);
                for term in step.batch.iter().flatten() {
                    if wanted[step.filter].contains(term) {
                        let totals = swept.statistics_of(term)?;
                        let totals = Counted(totals.df, totals.cf);
                        counted.terms.insert(term.clone(), totals);
                    }
                }
                Ok::<(), IndexError>(())
            })?;
        // By those of all.
        let known = before.iter().map(|before| self.known(before.as_ref()?));
        if let Some(known) = known.collect::<Option<Vec<_>>>() {
            for (step, known) in steps.iter_mut().zip(known) {
                step.feedback = known;
            }
            return Ok(steps);
        }
        if self.models.is_empty() || self.options.shared.is_none() {
            return Ok(steps);
        }
        self.index
            .for_each_step(self.queries, series, self.options, |step, swept| {
                for model in &self.models {
                    swept.set_formula(&model.formula);
                    let found = self.feedback(&*swept, step.batch, &[*model])?;
                    steps[step.filter].feedback.extend(found);
                }
                Ok::<(), IndexError>(())
            })?;
        Ok(steps)
    }

    /// The pages that feedback comes from, under each model, as the round before found them; none if it did not look for them.
    fn known(&self, before: &Given) -> Option<Vec<QueryFeedback>> {
        let known = pairs(&self.models, self.queries).map(|(model, query)| {
            let model = model.to_string();
            let pages = before.known_feedback(&model, query)?.to_vec();
            let query = query.clone();
            Some(QueryFeedback {
                model,
                query,
                pages,
            })
        });
        known.collect()
    }

    /// The best pages of this index, by the statistics of all.
    fn feedback<V: View + Sync>(
        &self,
        view: &V,
        queries: &[Vec<String>],
        models: &[Model],
    ) -> Result<Vec<QueryFeedback>, IndexError> {
        let pairs: Vec<(&Model, &Vec<String>)> = pairs(models, queries).collect();
        let found = pairs.into_par_iter();
        let found = found.map_init(Scratch::default, |scratch, (model, query)| {
            let hits = feedback_hits(view, query, model, scratch)?;
            let pages = hits.iter().map(|hit| feedback_page(view, hit));
            Ok(QueryFeedback {
                model: model.to_string(),
                query: query.clone(),
                pages: pages.collect::<Result<_, IndexError>>()?,
            })
        });
        found.collect()
    }
}

/// Each model with each query.
fn pairs<'q>(
    models: &'q [Model],
    queries: &'q [Vec<String>],
) -> impl Iterator<Item = (&'q Model, &'q Vec<String>)> {
    let of_model = move |model| queries.iter().map(move |query| (model, query));
    models.iter().flat_map(of_model)
}
