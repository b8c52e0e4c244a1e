//! What is counted, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trommel_page::weight::Sieve;
use trommel_text::{AnalyzerDescription, Hundredths, exact};

use super::error::StatisticsError;
use crate::search::stats::Stats;

/// The version of the file's layout: goes up when files written before can no longer be read.
pub(crate) const VERSION: u32 = 1;

/// What one index, or several together, contribute to the statistics of a collection. As a file it is a JSON object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedStatistics {
    /// Version of the file's layout; the first key, by which files are known.
    #[serde(rename = "trommel-counts")]
    pub(crate) version: u32,
    /// Is all known that a search needs? If not, one more round is: [`Index::count`](crate::Index::count) with these.
    pub complete: bool,
    /// Name of the indexes' segmenter.
    pub(crate) segmenter: String,
    /// The analyzer of the indexes.
    pub(crate) analyzer: AnalyzerDescription,
    /// Which blocks were counted, where these are not those that pass each filter.
    pub(crate) stats: Stats,
    /// Pages that are searched, those without text included.
    pub pages: u64,
    /// Their blocks.
    pub blocks: u64,
    /// The indexes that were counted, in the order of their names; none in files of older programs.
    #[serde(default)]
    pub indexes: Vec<CountedIndex>,
    /// The models with feedback that are provided for.
    pub(crate) feedback_models: Vec<String>,
    /// The terms of each query.
    pub(crate) queries: Vec<Vec<String>>,
    /// For each filter with weights what was counted.
    pub(crate) steps: Vec<StepStatistics>,
}

/// An index that was counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CountedIndex {
    /// The name of its directory.
    pub name: String,
    /// What tells it from others: a hash of what it was made of, and how.
    pub id: String,
    /// Its pages.
    pub pages: u64,
}

/// What was counted under a filter with weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StepStatistics {
    #[serde(flatten)]
    pub sieve: Sieve,
    /// N: pages with an indexed term in a passing block.
    pub n: u64,
    /// |C|: indexed terms in passing blocks, each by the weight of its block.
    #[serde(with = "exact")]
    pub length: Hundredths,
    /// By term df and cf.
    pub terms: BTreeMap<String, Counted>,
    /// The pages that feedback comes from, once they are known.
    pub feedback: Vec<QueryFeedback>,
}

/// df and cf of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counted(pub u64, #[serde(with = "exact")] pub Hundredths);

/// The pages that a query's feedback comes from, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct QueryFeedback {
    pub model: String,
    /// The terms of the query.
    pub query: Vec<String>,
    pub pages: Vec<FeedbackPage>,
}

/// A page that feedback comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeedbackPage {
    pub docid: String,
    /// Its score by the query itself.
    pub score: f32,
    /// Its terms that are fit for feedback, however frequent in the collection, with their frequencies in the passing blocks: the most
    /// frequent first, then by name. In hundredths, where there are weights.
    pub terms: Vec<(String, u64)>,
}

impl SharedStatistics {
    /// Reads a file.
    ///
    /// # Errors
    /// What is no such file, or one of another version.
    pub fn from_json(bytes: &[u8]) -> Result<SharedStatistics, StatisticsError> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(rename = "trommel-counts")]
            version: u32,
        }
        let no_file = |error: serde_json::Error| StatisticsError::NoFile(error.to_string());
        let Head { version } = serde_json::from_slice(bytes).map_err(no_file)?;
        match version {
            VERSION => serde_json::from_slice(bytes).map_err(no_file),
            found => Err(StatisticsError::Version {
                found,
                expected: VERSION,
            }),
        }
    }

    /// Name of the segmenter that made the indexes' blocks.
    pub fn segmenter(&self) -> &str {
        &self.segmenter
    }

    /// The filters with weights that were counted.
    pub fn sieves(&self) -> impl Iterator<Item = &Sieve> {
        self.steps.iter().map(|step| &step.sieve)
    }

    /// The queries' terms and those of the pages that feedback comes from, under each filter, all counted?
    pub(crate) fn lacks_nothing(&self) -> bool {
        self.steps.iter().all(|step| {
            let has_feedback = |model: &String| {
                let has = |query: &Vec<String>| step.feedback(model, query).is_some();
                self.queries.iter().all(has)
            };
            let is_counted = |term: &String| step.terms.contains_key(term);
            self.feedback_models.iter().all(has_feedback)
                && self.queries.iter().flatten().all(is_counted)
                && step.feedback_terms().all(is_counted)
        })
    }
}

impl StepStatistics {
    /// The pages that a query's feedback comes from under a model.
    pub fn feedback(&self, model: &str, query: &[String]) -> Option<&[FeedbackPage]> {
        let mut known = self.feedback.iter();
        let found = known.find(|it| it.model == model && it.query == query);
        found.map(|it| it.pages.as_slice())
    }

    /// The terms of all pages that feedback comes from.
    pub fn feedback_terms(&self) -> impl Iterator<Item = &String> {
        let pages = self.feedback.iter().flat_map(|it| &it.pages);
        pages.flat_map(|page| page.terms.iter().map(|(term, _)| term))
    }
}
