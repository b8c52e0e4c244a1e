//! What is swept, and what of it is done.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::SweepError;
use super::vary::LinePlan;
use crate::experiment::run_tag;
use crate::index::{Model, Series, SharedStatistics, Stats};
use crate::measure::{Measure, Options};
use crate::weight::Sieve;

/// The name of the search without filter among the references.
pub const UNFILTERED: &str = "unfiltered";

/// What is swept: by default the unfiltered search alone, with BM25 and nothing to measure by.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Plan {
    /// The series of thresholds.
    pub lines: Vec<LinePlan>,
    /// Whether the lines are those of a grid, so that one may choose among the steps of all.
    pub grid: bool,
    /// What lines are compared with, besides the unfiltered search.
    pub references: Vec<(String, Sieve)>,
    /// Each ranks every step.
    pub models: Vec<Model>,
    /// Where N, df, cf and the average length come from.
    pub stats: Stats,
    /// Pages for each topic.
    pub k: usize,
    /// Measures whose values for a run are means over topics.
    pub measures: Vec<Measure>,
    /// How topics are scored. All judged topics count, whatever [`Options::complete`] says.
    pub options: Options,
    /// Folds of the cross-validated choice of a threshold.
    pub folds: usize,
    /// Memory for postings, in bytes.
    pub memory: usize,
    /// The tag of run files, if steps are to be written as such.
    pub run_tag: Option<RunTag>,
    /// Statistics of a collection that the index is a part of.
    pub shared: Option<Arc<SharedStatistics>>,
}

impl Plan {
    /// What lines are compared with: the unfiltered search, and the others.
    pub fn all_references(&self) -> Vec<(String, Sieve)> {
        let unfiltered = (UNFILTERED.to_owned(), Sieve::default());
        let others = self.references.iter().cloned();
        [unfiltered].into_iter().chain(others).collect()
    }

    /// The steps that are wanted, each once, as series of nested filters.
    ///
    /// # Errors
    /// Filters that are not nested.
    pub fn series(&self, wanted: impl Fn(&Sieve) -> bool) -> Result<Vec<Series>, SweepError> {
        let mut begun: HashSet<Sieve> = HashSet::new();
        let mut wanted = |sieve: &Sieve| wanted(sieve) && begun.insert(sieve.clone());
        let mut series = Vec::new();
        for (_, sieve) in self.all_references() {
            if wanted(&sieve) {
                let one = Series::new(vec![sieve.filter.clone()]);
                let one = one.map_err(|error| SweepError::Vary(error.to_string()))?;
                series.push(one.with_weights(sieve.weights.clone()));
            }
        }
        for line in &self.lines {
            series.extend(line.series(&mut wanted)?);
        }
        series.retain(|one| !one.filters().is_empty());
        Ok(series)
    }
}

/// The last column of run files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RunTag {
    /// That of each step says its filter and model: [`run_tag`].
    OfStep,
    /// The same in all.
    Fixed(String),
}

impl RunTag {
    /// The tag of a step.
    pub fn of<'a>(&'a self, sieve: &Sieve, model: &Model, stats: &Stats) -> Cow<'a, str> {
        match self {
            RunTag::OfStep => Cow::Owned(run_tag(sieve, model, stats)),
            RunTag::Fixed(tag) => Cow::Borrowed(tag),
        }
    }
}

/// A step that is done: one filter, with weights, under one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FinishedStep {
    /// The filter and weights.
    #[serde(flatten)]
    pub sieve: Sieve,
    /// The model, as it prints.
    pub model: String,
    /// For each measure a score for each judged topic.
    pub scores: Vec<Vec<f64>>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            lines: Vec::new(),
            grid: false,
            references: Vec::new(),
            models: vec![Model::default()],
            stats: Stats::default(),
            k: 1000,
            measures: Vec::new(),
            options: Options::default(),
            folds: 5,
            memory: 2 << 30,
            run_tag: None,
            shared: None,
        }
    }
}
