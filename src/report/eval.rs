//! Scores of runs, as a table and as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::Table;
use crate::measure::{Evaluation, Measure};

/// A table, a row a run and a column a measure: by topic, or the means. Runs come with what they are called. `decimals` are those of
/// scores; none writes all that there are. The best mean of each measure is marked.
pub fn table(
    measures: &[Measure],
    evaluations: &[(String, &Evaluation)],
    per_topic: bool,
    decimals: Option<usize>,
) -> Table {
    // What has text for each topic and no value is left out.
    let has_value = |measure: &&Measure| measure.family().text.is_none();
    let shown: Vec<&Measure> = measures.iter().filter(has_value).collect();
    let names = shown.iter().map(ToString::to_string);
    let count_header = if per_topic { "topic" } else { "topics" };
    let header = [String::from("run"), String::from(count_header)];
    let mut table = Table::new(header.into_iter().chain(names));
    for (label, evaluation) in evaluations {
        let row =
            |topic: String, scores: &[f64]| -> Vec<String> {
                let scores = measures.iter().zip(scores);
                let cells = scores.filter(|(measure, _)| has_value(measure)).map(
                    |(measure, score)| match (measure.family().integer, decimals) {
                        (true, _) => format!("{score:.0}"),
                        (false, Some(decimals)) => format!("{score:.decimals$}"),
                        (false, None) => score.to_string(),
                    },
                );
                [label.clone(), topic].into_iter().chain(cells).collect()
            };
        let num_topics = evaluation.topics.len();
        if per_topic {
            let topics = evaluation.topics.iter();
            table
                .rows
                .extend(topics.map(|topic| row(topic.topic.clone(), &topic.scores)));
            table
                .rows
                .push(row(format!("all ({num_topics})"), &evaluation.means));
        } else {
            table
                .rows
                .push(row(num_topics.to_string(), &evaluation.means));
        }
    }
    if !per_topic {
        let is_score = |at: &usize| !shown[*at].family().integer;
        table.mark_best((0..shown.len()).filter(is_score).map(|at| at + 2));
    }
    table
}

/// The scores of a run as a line of JSON.
pub fn json(path: &Path, evaluation: &Evaluation, per_topic: bool) -> String {
    let scores = |scores: &[f64], texts: &BTreeMap<usize, String>| -> Value {
        let pairs = evaluation.measures.iter().zip(scores).enumerate();
        let pairs = pairs.filter_map(|(at, (measure, &score))| {
            let value = match (measure.family().text, texts.get(&at)) {
                (Some(_), text) => json!(text?),
                (None, _) if measure.family().integer => json!(score as u64),
                (None, _) => json!(score),
            };
            Some((measure.to_string(), value))
        });
        Value::Object(pairs.collect())
    };
    let mut object = Map::new();
    object.insert("file".into(), json!(path.display().to_string()));
    object.insert("run".into(), json!(evaluation.run_tag));
    object.insert("num_topics".into(), json!(evaluation.topics.len()));
    object.insert("missing_topics".into(), json!(evaluation.missing_topics));
    object.insert("unjudged_topics".into(), json!(evaluation.unjudged_topics));
    object.insert("scores".into(), scores(&evaluation.means, &BTreeMap::new()));
    if per_topic {
        let topics = evaluation.topics.iter();
        let topics = topics.map(|topic| (topic.topic.clone(), scores(&topic.scores, &topic.texts)));
        object.insert("topics".into(), Value::Object(topics.collect()));
    }
    format!("{}\n", Value::Object(object))
}
