//! Several rankings of the same topics, evaluated side by side.

use std::collections::BTreeMap;

use super::error::ExperimentError;
use crate::index::{Index, IndexError, Ranking};
use crate::measure::{self, Evaluation, Measure};
use crate::text::to_word;
use crate::trec::{Qrels, Run, ScoredDoc};

/// Searches the topics (id and text) under each ranking and evaluates the results.
///
/// All judged topics count, as with trec_eval's `-c`: a filter under which nothing is found for a topic must not leave the
/// topic out of the average.
///
/// # Errors
/// Those of the index, and measures that do not take these judgments.
pub fn evaluate_rankings(
    index: &Index,
    topics: &[(String, String)],
    qrels: &Qrels,
    rankings: &[Ranking],
    measures: &[Measure],
    k: usize,
) -> Result<Vec<Evaluation>, ExperimentError> {
    let options = measure::Options::default().with_complete(true);
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
                docid: to_word(index.docid(hit.page)).into_owned(),
                score: f64::from(hit.score),
            });
            Ok((id.clone(), documents.collect()))
        })
        .collect()
}
