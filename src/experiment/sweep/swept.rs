//! What a sweep gives.

use serde::Serialize;

/// The results of a sweep.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Swept {
    /// Heading.
    pub title: String,
    /// What a reader should know first.
    pub about: String,
    /// How it was made, name and value: program version, index, topics, qrels, statistics, depth of the rankings.
    pub facts: Vec<(String, String)>,
    /// Names of the measures, as [`crate::measure::Measure`] prints them. All scores are in this order. Empty without qrels.
    pub measures: Vec<String>,
    /// The topics that count: all judged ones, in the order of all scores.
    pub topics: Vec<SweptTopic>,
    /// One line for each series of thresholds and each model.
    pub lines: Vec<SweptLine>,
    /// For each model what choosing among the steps of all lines of a grid gives; empty if the lines are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grid: Vec<GridChoice>,
    /// What the lines stand against: for each model the unfiltered search, the first with `name` `unfiltered`, then extractors.
    pub references: Vec<Reference>,
}

/// A topic.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SweptTopic {
    /// Its id.
    pub id: String,
    /// What was searched for.
    pub query: String,
}

/// A series of thresholds under one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SweptLine {
    /// What varies: a threshold (`min-words`), or a parameter of the weights.
    pub dimension: String,
    /// The rest of the filter and weights, as [`super::Base`] prints it; empty if there is none.
    pub base: String,
    /// The model, as it prints.
    pub model: String,
    /// By ascending threshold.
    pub points: Vec<Point>,
    /// For each measure what choosing the threshold by cross-validation gives; empty for Judged@k, which is nothing to choose by.
    pub chosen: Vec<Chosen>,
}

/// What is chosen among all steps of a grid under one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GridChoice {
    /// The model, as it prints.
    pub model: String,
    /// Steps that there are.
    pub settings: usize,
    /// For each measure what choosing by cross-validation gives; empty for Judged@k. The thresholds name all that varies.
    pub chosen: Vec<Chosen>,
}

/// One step of a series.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Point {
    /// The threshold, as a flag has it.
    pub threshold: String,
    /// The threshold as a number.
    pub x: f64,
    /// Its measures.
    pub result: Measured,
}

/// A filter that lines are compared with.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Reference {
    /// `unfiltered`, or the extractor.
    pub name: String,
    /// The model, as it prints.
    pub model: String,
    /// Its measures.
    pub result: Measured,
}

/// The measures of one ranking.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Measured {
    /// The whole filter, as it prints.
    pub filter: String,
    /// The weights, as they print; empty where all blocks count alike.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub weights: String,
    /// For each measure a score for each topic.
    pub scores: Vec<Vec<f64>>,
    /// For each measure the mean.
    pub means: Vec<f64>,
    /// For each measure the ends of the mean's 95 % bootstrap interval over topics.
    pub intervals: Vec<[f64; 2]>,
}

/// What a threshold chosen on some topics gives on the others (the best point of a line is no estimate: it was chosen on the
/// topics on which it is best).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Chosen {
    /// The threshold chosen without the topics of each fold.
    pub thresholds: Vec<String>,
    /// Mean over the topics, each measured under the threshold that was chosen without it.
    pub mean: f64,
    /// Mean difference to the unfiltered search.
    pub difference: f64,
    /// Two-sided p of that difference by randomization of choice and comparison together
    /// ([`crate::measure::cross_validated_p`]), uncorrected.
    pub p: f64,
    /// The scores behind the mean, by topic.
    pub scores: Vec<f64>,
}
