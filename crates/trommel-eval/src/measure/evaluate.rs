//! Scoring a run, topic by topic.

use std::collections::BTreeMap;

use super::error::MeasureError;
use super::family::{Aggregate, Needs, f1, pairs, precision, recall};
use super::groups::groups_of;
use super::measured::Measure;
use super::options::Options;
use super::preferences::{in_order, preferred};
use super::ranking::{Ranking, ranked};
use crate::trec::{Qrels, Run};

/// trec_eval's floor for geometric means (`MIN_GEO_MEAN`).
const GEOMETRIC_FLOOR: f64 = 0.00001;

/// The scores of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The run's tag.
    pub run_tag: String,
    /// The measures, as given. All scores are in this order.
    pub measures: Vec<Measure>,
    /// Scores of the topics that were averaged over, by topic id in byte order.
    pub topics: Vec<TopicScores>,
    /// One value a measure for the run: mean, sum or whatever the family's [`Aggregate`] says; 0 if no
    /// topic was averaged over.
    pub means: Vec<f64>,
    /// Judged topics that are not in the run: left out, or counted as empty with [`Options::complete`].
    pub missing_topics: Vec<String>,
    /// Topics of the run without judgments: left out.
    pub unjudged_topics: Vec<String>,
}

/// The scores of one topic. For the families of geometric means it is the plain value, whose logarithm
/// is averaged.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicScores {
    /// Topic id.
    pub topic: String,
    /// One value a measure; 0 for measures that have none.
    pub scores: Vec<f64>,
    /// By place of the measure, what is printed instead of a value.
    pub texts: BTreeMap<usize, String>,
}

/// Scores `run` against `qrels`. Documents must not repeat within a topic, as files read with
/// [`crate::trec::run::parse`] guarantee; their order plays no part.
/// Judgments may name a document as the collection does: see [`Qrels::in_words`].
///
/// A topic whose qrels have no relevant document counts, with 0 for most measures, as in trec_eval.
/// (gdeval leaves such topics out of its own averages.)
///
/// Where trec_eval divides 0 by 0 (interpolated precision of a ranking that `judged_only` emptied), the
/// value here is 0.
///
/// # Errors
/// [`MeasureError::GradeTooHigh`] where a grade is above the highest that a measure is defined for;
/// [`MeasureError::Preferences`] where preferences contradict each other or are too many.
pub fn evaluate(
    qrels: &Qrels,
    run: &Run,
    measures: &[Measure],
    options: &Options,
) -> Result<Evaluation, MeasureError> {
    let docids = || {
        let documents = run.topics.values().flatten();
        documents.map(|doc| doc.docid.as_str().into()).collect()
    };
    let qrels = &*qrels.in_words(docids);
    refuse_high_grades(qrels, measures)?;
    let mut evaluation = Evaluation {
        run_tag: run.tag.clone(),
        measures: measures.to_vec(),
        topics: Vec::new(),
        means: Vec::new(),
        missing_topics: Vec::new(),
        unjudged_topics: run
            .topics
            .keys()
            .filter(|topic| !qrels.topics.contains_key(*topic))
            .cloned()
            .collect(),
    };
    let needs = |what: Needs| measures.iter().any(|it| it.family().needs == what);
    let mut sums = vec![Accumulator::default(); measures.len()];
    for (topic, judgments) in &qrels.topics {
        let docs = run.topics.get(topic);
        if docs.is_none() {
            evaluation.missing_topics.push(topic.clone());
            if !options.complete {
                continue;
            }
        }
        let docs = docs.map_or(&[][..], Vec::as_slice);
        let docids = ranked(docs, options);
        let mut ranking = Ranking::of_docids(judgments, &docids, options);
        if needs(Needs::Groups) {
            let (level, num_docs) = (options.relevance_level, options.num_docs);
            let groups = qrels.groups.get(topic);
            let groups = groups.map(|it| groups_of(it, &docids, level, num_docs));
            ranking.groups = groups.map(Box::new);
        }
        if needs(Needs::Preferences) {
            ranking.preferences =
                Some(Box::new(preferred(qrels, topic, &in_order(docs, options))?));
        }
        let mut scores = Vec::with_capacity(measures.len());
        let mut texts = BTreeMap::new();
        for (at, (measure, sum)) in measures.iter().zip(&mut sums).enumerate() {
            let score = measure.score(&ranking);
            sum.add(measure, score, &ranking);
            scores.push(score);
            if let Some(text) = measure.text(&ranking) {
                texts.insert(at, text);
            }
        }
        let topic = topic.clone();
        evaluation.topics.push(TopicScores {
            topic,
            scores,
            texts,
        });
    }
    let num_topics = evaluation.topics.len();
    let means = measures.iter().zip(&sums);
    evaluation.means = means
        .map(|(measure, sum)| match measure.family().aggregate {
            // With a level of its own it is a plain sum.
            Aggregate::SumOfRelevant
                if options.complete && measure.parameters().grade("rel").is_none() =>
            {
                count_above_zero(qrels)
            }
            aggregate => sum.finish(aggregate, num_topics),
        })
        .collect();
    Ok(evaluation)
}

#[derive(Debug, Clone, Default)]
struct Accumulator {
    sum: f64,
    /// Second sum of [`Aggregate::F1OfMeans`]: recall, while `sum` is precision.
    recall: f64,
    /// Topics that count, of [`Aggregate::MeanOfPairs`].
    topics: usize,
}

impl Accumulator {
    fn add(&mut self, measure: &Measure, score: f64, ranking: &Ranking) {
        match measure.family().aggregate {
            Aggregate::Mean | Aggregate::Sum | Aggregate::SumOfRelevant => self.sum += score,
            Aggregate::GeometricMean => self.sum += score.max(GEOMETRIC_FLOOR).ln(),
            Aggregate::F1OfMeans => {
                let ranking = measure.seen(ranking);
                self.sum += precision::score(&ranking, measure.parameters());
                self.recall += recall::score(&ranking, measure.parameters());
            }
            Aggregate::MeanOfPairs => {
                let (_, pairs) = pairs(&measure.seen(ranking), measure.parameters());
                if pairs > 0 {
                    self.sum += score;
                    self.topics += 1;
                }
            }
            Aggregate::Text => {}
        }
    }

    fn finish(&self, aggregate: Aggregate, num_topics: usize) -> f64 {
        if num_topics == 0 {
            return 0.0;
        }
        let mean = |sum: f64| sum / num_topics as f64;
        match aggregate {
            Aggregate::Mean => mean(self.sum),
            Aggregate::Sum | Aggregate::SumOfRelevant => self.sum,
            Aggregate::GeometricMean => mean(self.sum).exp(),
            Aggregate::MeanOfPairs => self.sum / self.topics.max(1) as f64,
            Aggregate::Text => 0.0,
            Aggregate::F1OfMeans => f1::harmonic_mean(mean(self.sum), mean(self.recall)),
        }
    }
}

fn count_above_zero(qrels: &Qrels) -> f64 {
    let grades = qrels
        .topics
        .values()
        .flat_map(|judgments| judgments.values());
    grades.filter(|&&grade| grade > 0).count() as f64
}

fn refuse_high_grades(qrels: &Qrels, measures: &[Measure]) -> Result<(), MeasureError> {
    let strictest = measures
        .iter()
        .filter_map(|measure| Some((measure.family().max_grade?, measure)))
        .min_by_key(|(max, _)| *max);
    let Some((max, measure)) = strictest else {
        return Ok(());
    };
    for (topic, judgments) in &qrels.topics {
        if let Some((docid, &grade)) = judgments.iter().find(|(_, grade)| **grade > max) {
            return Err(MeasureError::GradeTooHigh {
                measure: measure.to_string(),
                max,
                topic: topic.clone(),
                docid: docid.clone(),
                grade,
            });
        }
    }
    Ok(())
}
