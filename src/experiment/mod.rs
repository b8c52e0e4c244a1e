//! Experiments: several rankings of the same topics, evaluated side by side; extractors scored against a gold standard. Gives
//! tables; renders nothing.

pub mod score;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::index::{Index, IndexError, Ranking};
use crate::measure::{self, Evaluation, Measure, MeasureError};
use crate::trec::{Qrels, Run, ScoredDoc};

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The index could not be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The measures cannot be computed on these qrels.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A file or folder cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A gold text without its page.
    #[error("{gold}: no page of the same name in {pages}")]
    NoPage {
        /// The gold text.
        gold: PathBuf,
        /// Where pages were looked for.
        pages: PathBuf,
    },
}

impl ExperimentError {
    fn file(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        ExperimentError::File { path, error }
    }
}

/// Searches the topics (id and text) under each ranking and evaluates the results.
///
/// All judged topics count, as with trec_eval's `-c`: a filter under which nothing is found for a topic must not leave the
/// topic out of the average.
pub fn evaluate_rankings(
    index: &Index,
    topics: &[(String, String)],
    qrels: &Qrels,
    rankings: &[Ranking],
    measures: &[Measure],
    k: usize,
) -> Result<Vec<Evaluation>, ExperimentError> {
    let options = measure::Options {
        complete: true,
        ..measure::Options::default()
    };
    rankings
        .iter()
        .map(|ranking| {
            let run = Run {
                tag: ranking.filter.to_string(),
                topics: search_topics(index, topics, ranking, k)?,
            };
            Ok(measure::evaluate(qrels, &run, measures, &options)?)
        })
        .collect()
}

fn search_topics(
    index: &Index,
    topics: &[(String, String)],
    ranking: &Ranking,
    k: usize,
) -> Result<BTreeMap<String, Vec<ScoredDoc>>, IndexError> {
    topics
        .iter()
        .map(|(id, text)| {
            let hits = index.search(text, ranking, k)?;
            let documents = hits.iter().map(|hit| ScoredDoc {
                docid: index.docid(hit.page).to_owned(),
                score: f64::from(hit.score),
            });
            Ok((id.clone(), documents.collect()))
        })
        .collect()
}
