//! Kind `retrieval`: a judged collection searched without a filter, under thresholds, and with each extractor, every ranking
//! compared with the unfiltered one topic by topic.

use serde::Deserialize;

use super::judged::Judged;
use super::{Context, Definition, ExperimentError, Figures, Kind, Outcome, evaluate_rankings};
use crate::index::{Filter, Index, Model, Ranking, Stats, Unit};
use crate::measure::significance::{self, Test};
use crate::measure::{Evaluation, Measure, Selection};

pub(super) const KIND: Kind = Kind {
    name: "retrieval",
    summary: "extractors as filters of a search, with paired tests (inputs collection, topics, qrels)",
    run,
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
}

fn thousand() -> usize {
    1000
}

fn title() -> String {
    "title".to_owned()
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| ExperimentError::Definition(text);
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
    let measures = Selection::parse(names.map(String::as_str))?.measures;
    let field = &settings.topic_field;
    let Judged {
        index,
        topics: queries,
        qrels,
        labels,
    } = Judged::open(
        definition,
        field,
        &settings.extractors,
        &settings.learn,
        context,
    )?;
    let mut filters = vec![Filter::default()];
    filters.extend(settings.filters.iter().cloned());
    filters.extend(labels.into_iter().map(|name| Filter {
        extractor: Some(name),
        ..Filter::default()
    }));
    let ranking = |filter: &Filter| Ranking {
        filter: filter.clone(),
        model,
        stats: settings.stats,
        unit: Unit::Page,
    };
    let rankings: Vec<Ranking> = filters.iter().map(ranking).collect();
    let evaluations =
        evaluate_rankings(&index, &queries, &qrels, &rankings, &measures, settings.k)?;
    let p_values = corrected_p_values(&evaluations, settings.measures.len(), test);
    let mut rows = Vec::new();
    for (filter, evaluation) in filters.iter().zip(&evaluations) {
        let mut figures = vec![Some(100.0 * kept_words(&index, filter)?)];
        figures.extend(evaluation.means.iter().copied().map(Some));
        rows.push((row_name(filter), figures));
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
    }];
    for (at, (measure, p_values)) in measures.iter().zip(&p_values).enumerate() {
        let name = format!(
            "{measure} against the unfiltered search, {} test",
            test.name
        );
        tables.push(compared(
            name,
            (at, measure),
            &filters,
            &evaluations,
            p_values,
        ));
    }
    Ok(Outcome {
        tables,
        ..Outcome::default()
    })
}

/// All filters against the first by one measure, which has a number and a name.
fn compared(
    name: String,
    (at, measure): (usize, &Measure),
    filters: &[Filter],
    evaluations: &[Evaluation],
    p_values: &[f64],
) -> Figures {
    let first = &evaluations[0];
    let others = filters.iter().zip(evaluations).skip(1).zip(p_values);
    let rows = others.map(|((filter, other), p)| {
        let (wins, losses) = wins_and_losses(first, other, at);
        let figures = [
            other.means[at],
            other.means[at] - first.means[at],
            wins as f64,
            losses as f64,
            *p,
        ];
        (row_name(filter), figures.map(Some).to_vec())
    });
    let columns = [&measure.to_string(), "Δ", "topics up", "down", "p (Holm)"];
    Figures {
        name,
        of: "filter".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        decimals: vec![3, 3, 0, 0, 3],
    }
}

fn row_name(filter: &Filter) -> String {
    match &filter.extractor {
        Some(name) if !filter.has_bounds() => name.clone(),
        _ => filter.to_string(),
    }
}

/// The share of the collection's words that stand in blocks that pass.
fn kept_words(index: &Index, filter: &Filter) -> Result<f64, ExperimentError> {
    let (mut kept, mut all) = (0u64, 0u64);
    for page in 0..index.num_pages() as u32 {
        let passing = index.passing(page, filter)?;
        for (words, passes) in index.page_word_counts(page).zip(passing) {
            all += u64::from(words);
            kept += if passes { u64::from(words) } else { 0 };
        }
    }
    Ok(kept as f64 / all.max(1) as f64)
}

/// Topics on which a ranking is better than the first, and on which it is worse.
fn wins_and_losses(first: &Evaluation, other: &Evaluation, measure: usize) -> (usize, usize) {
    let differences = differences(first, other, measure);
    let count = |test: fn(&f64) -> bool| differences.iter().filter(|d| test(d)).count();
    (count(|d| *d > 0.0), count(|d| *d < 0.0))
}

/// The topics are the same and in the same order: all judged ones count.
fn differences(first: &Evaluation, other: &Evaluation, measure: usize) -> Vec<f64> {
    let pairs = other.topics.iter().zip(&first.topics);
    pairs
        .map(|(other, first)| other.scores[measure] - first.scores[measure])
        .collect()
}

/// For each measure the p-values of all rankings but the first against the first, after Holm's correction for their number.
fn corrected_p_values(evaluations: &[Evaluation], measures: usize, test: &Test) -> Vec<Vec<f64>> {
    let of_measure = |measure: usize| {
        let p = |other: &Evaluation| {
            (test.p_value)(&differences(&evaluations[0], other, measure), SEED)
        };
        let p_values: Vec<f64> = evaluations[1..].iter().map(p).collect();
        significance::holm(&p_values)
    };
    (0..measures).map(of_measure).collect()
}
