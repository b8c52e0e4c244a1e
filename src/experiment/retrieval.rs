//! Kind `retrieval`: a judged collection searched without a filter, under thresholds, and with each extractor, every ranking
//! compared with the unfiltered one topic by topic.

use std::collections::HashSet;

use serde::Deserialize;
use trommel_lab::experiment as lab;
use trommel_lab::experiment::{Context, Definition, Figures};

use super::error::ExperimentError;
use super::judged::{JudgedCollection, topic_ids};
use super::kind::{Kind, Runner};
use super::outcome::Outcome;
use super::rankings::evaluate_rankings;
use crate::filter::Filter;
use crate::index::{Index, Model, Ranking, Stats, Unit};
use crate::measure::significance::{self, Comparison, Corrected, Test};
use crate::measure::{Evaluation, Measure, Selection};
use crate::weight::{Sieve, Weights};

pub(super) const KIND: Kind = Kind {
    name: "retrieval",
    summary: "extractors as filters of a search, with paired tests (inputs collection, topics, qrels)",
    run: Runner::Search(run),
};

/// Seed of the tests that draw random numbers.
const SEED: u64 = 2010;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// Extractors by name; `all` stands for those that need nothing but the page.
    extractors: Vec<String>,
    /// Learners; each learns from the collection itself, and its model is used as an extractor.
    #[serde(default)]
    learn: Vec<String>,
    /// Filters besides.
    #[serde(default)]
    filters: Vec<Filter>,
    /// Weights besides, with which all blocks count.
    #[serde(default)]
    weights: Vec<Weights>,
    /// The ranking model.
    #[serde(default)]
    model: Option<String>,
    /// Where N, df, cf and the average length come from.
    #[serde(default)]
    stats: Stats,
    /// Pages for each topic.
    #[serde(default = "thousand")]
    k: usize,
    /// Measures of the table.
    measures: Vec<String>,
    /// Measures of the table for which nothing is tested.
    #[serde(default)]
    untested: Vec<String>,
    /// The paired test.
    #[serde(default)]
    test: Option<String>,
    /// The topics' field.
    #[serde(default = "title")]
    topic_field: String,
    /// How topic ids are compared: `exact`, or `loose`.
    #[serde(default)]
    topic_ids: Option<String>,
}

fn thousand() -> usize {
    1000
}

fn title() -> String {
    "title".to_owned()
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| ExperimentError::definition(text);
    let test = match &settings.test {
        None => &significance::all()[0],
        Some(name) => significance::by_name(name)
            .ok_or_else(|| wrong(format!("there is no test '{name}'")))?,
    };
    let model: Model = match &settings.model {
        None => Model::default(),
        Some(text) => text
            .parse()
            .map_err(|error| wrong(format!("model: {error}")))?,
    };
    let names = settings.measures.iter().chain(&settings.untested);
    let mut measures = Selection::parse(names.map(String::as_str))?.measures;
    // What has text for each topic and no value is no column.
    measures.retain(|measure| measure.family().text.is_none());
    let field = &settings.topic_field;
    let JudgedCollection {
        index,
        topics: queries,
        qrels,
        labels,
        warnings,
    } = JudgedCollection::open(
        definition,
        field,
        topic_ids(&settings.topic_ids)?,
        &settings.extractors,
        &settings.learn,
        context,
    )?;
    let mut sieves = vec![Sieve::default()];
    sieves.extend(settings.filters.iter().cloned().map(Sieve::from));
    let by_extractor = labels.iter().map(|name| Filter::content(name));
    sieves.extend(by_extractor.map(Sieve::from));
    let weighed = settings.weights.iter().map(|weights| Sieve {
        weights: weights.clone(),
        ..Sieve::default()
    });
    sieves.extend(weighed);
    // The same search twice would stand as two in the correction of p-values.
    let mut seen = HashSet::new();
    sieves.retain(|sieve| seen.insert(sieve.clone()));
    let ranking = |sieve: &Sieve| Ranking {
        filter: sieve.filter.clone(),
        weights: sieve.weights.clone(),
        model,
        stats: settings.stats.clone(),
        unit: Unit::Page,
        shared: None,
    };
    let rankings: Vec<Ranking> = sieves.iter().map(ranking).collect();
    let evaluations =
        evaluate_rankings(&index, &queries, &qrels, &rankings, &measures, settings.k)?;
    let mut rows = Vec::new();
    for (sieve, evaluation) in sieves.iter().zip(&evaluations) {
        let mut figures = vec![Some(100.0 * kept_words(&index, &ranking(sieve))?)];
        figures.extend(evaluation.means.iter().copied().map(Some));
        rows.push((row_name(sieve), figures));
    }
    let names = measures.iter().map(ToString::to_string);
    let mut tables = vec![Figures {
        name: format!("{} topics, {model}", queries.len()),
        of: "filter".to_owned(),
        columns: std::iter::once("words kept, %".to_owned())
            .chain(names)
            .collect(),
        rows,
        decimals: std::iter::once(1)
            .chain(measures.iter().map(|_| 3))
            .collect(),
        ..Figures::default()
    }];
    let comparisons = comparisons(&evaluations, settings.measures.len(), test);
    let tested: Vec<(usize, f64)> = comparisons
        .iter()
        .enumerate()
        .flat_map(|(measure, of_measure)| of_measure.iter().map(move |it| (measure, it.p)))
        .collect();
    let mut corrected = significance::corrected(&tested).into_iter();
    for (measure, comparisons) in measures.iter().zip(&comparisons) {
        let corrected: Vec<Corrected> = corrected.by_ref().take(comparisons.len()).collect();
        tables.push(compared(measure, test, &sieves, comparisons, &corrected));
    }
    Ok(Outcome::from(lab::Outcome {
        warnings,
        tables,
        ..lab::Outcome::default()
    }))
}

/// All but the first against the first by one measure.
fn compared(
    measure: &Measure,
    test: &Test,
    sieves: &[Sieve],
    comparisons: &[Comparison],
    corrected: &[Corrected],
) -> Figures {
    let others = sieves.iter().skip(1).zip(comparisons).zip(corrected);
    let rows = others.map(|((sieve, compared), corrected)| {
        let figures = [
            compared.mean,
            compared.difference,
            compared.wins as f64,
            compared.losses as f64,
            corrected.p,
        ];
        (row_name(sieve), figures.map(Some).to_vec())
    });
    let family = significance::family(comparisons.len(), "filter", &measure.to_string());
    let columns = [&measure.to_string(), "Δ", "topics up", "down", "p (Holm)"];
    Figures {
        name: format!(
            "{measure} against the unfiltered search, {} test",
            test.name
        ),
        note: format!("p (Holm) is corrected for {family}."),
        of: "filter".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        decimals: vec![3, 3, 0, 0, 3],
    }
}

fn row_name(sieve: &Sieve) -> String {
    let Sieve { filter, weights } = sieve;
    match (
        filter.extractor(),
        filter.conjunction().map(|tests| tests.len()),
    ) {
        (Some(name), Some(1)) if weights.is_one() => name.to_owned(),
        _ => sieve.to_string(),
    }
}

/// The share of the collection's words that stand in blocks that count.
fn kept_words(index: &Index, ranking: &Ranking) -> Result<f64, ExperimentError> {
    let (mut kept, mut all) = (0u64, 0u64);
    for page in index.pages() {
        let weights = index.block_weights(page, ranking)?;
        for (words, weight) in index.page_word_counts(page)?.into_iter().zip(weights) {
            all += u64::from(words);
            kept += if weight > 0 { u64::from(words) } else { 0 };
        }
    }
    Ok(kept as f64 / all.max(1) as f64)
}

/// By each of the first measures all rankings but the first against the first. The topics are the same and in the same order:
/// all judged ones count.
fn comparisons(evaluations: &[Evaluation], measures: usize, test: &Test) -> Vec<Vec<Comparison>> {
    let scores = |evaluation: &Evaluation, measure: usize| -> Vec<f64> {
        let topics = evaluation.topics.iter();
        topics.map(|topic| topic.scores[measure]).collect()
    };
    let of_measure = |measure: usize| {
        let first = scores(&evaluations[0], measure);
        let others = evaluations[1..].iter();
        let compare = |other| significance::compare(&first, &scores(other, measure), test, SEED);
        others.map(compare).collect()
    };
    (0..measures).map(of_measure).collect()
}
