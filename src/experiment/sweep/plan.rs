//! What is swept, and what of it is done.

use serde::{Deserialize, Serialize};

use super::vary::LinePlan;
use crate::index::{Model, Stats};
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
    pub run_tag: Option<String>,
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
        }
    }
}
