//! Kind `retrieval`: a judged collection searched without a filter, under thresholds, and with each extractor, every ranking
//! compared with the unfiltered one topic by topic.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::{Context, Definition, ExperimentError, Figures, Kind, Outcome, evaluate_rankings};
use crate::collection::{self, Input, Item};
use crate::extractor::{self, Labeler, Subject};
use crate::html::{self, segment};
use crate::index::{
    BuildOptions, Filter, Index, Model, Progress, Ranking, Reading, Stats, Unit, build,
};
use crate::measure::significance::{self, Test};
use crate::measure::{Evaluation, Measure, Selection};
use crate::text::Analyzer;
use crate::trec::{qrels, topics};

pub(super) const KIND: Kind = Kind {
    name: "retrieval",
    summary: "extractors as filters of a search, with paired tests (inputs collection, topics, qrels)",
    run,
};

/// Seed of the tests that draw random numbers.
const SEED: u64 = 2010;
/// Memory for the index segments that are being built, in bytes.
const MEMORY: usize = 256 << 20;

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
    let qrels =
        qrels::read_file(definition.input("qrels")?).map_err(|error| wrong(error.to_string()))?;
    let queries = topics::read_file(definition.input("topics")?)
        .map_err(|error| wrong(error.to_string()))?
        .iter()
        .map(|topic| {
            let text = topic.text(&settings.topic_field).ok_or_else(|| {
                let field = &settings.topic_field;
                wrong(format!("topic {} has no field '{field}'", topic.id))
            })?;
            Ok((topic.id.clone(), text.to_owned()))
        })
        .collect::<Result<Vec<_>, ExperimentError>>()?;

    let collection = definition.input("collection")?;
    let inputs =
        collection::inputs(&[collection.to_owned()]).map_err(|error| wrong(error.to_string()))?;
    let names = settings.extractors.iter().map(String::as_str);
    let mut extractors = extractor::parse_all(names)?;
    // What keeps everything is the unfiltered search.
    extractors.retain(|labeler| labeler.name != "keep-everything");
    for spec in &settings.learn {
        let model = learn(spec, &inputs, context)?;
        let name = spec.split(':').next().unwrap_or(spec);
        extractors.push(extractor::parse(&format!("{name}:{}", model.display()))?);
    }
    let extractors: Vec<Arc<Labeler>> = extractors.into_iter().map(Arc::new).collect();
    let index = build_index(&inputs, &extractors, context)?;

    let mut filters = vec![Filter::default()];
    filters.extend(settings.filters.iter().cloned());
    filters.extend(extractors.iter().map(|labeler| Filter {
        extractor: Some(labeler.name.clone()),
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

/// Learns a model from the collection and writes it to the scratch directory.
fn learn(spec: &str, inputs: &[Input], context: &Context) -> Result<PathBuf, ExperimentError> {
    let mut learner = extractor::learner(spec)?;
    let reading = Reading::default();
    for input in inputs {
        let reader = collection::open(input, &reading.collection)
            .map_err(|error| ExperimentError::Definition(error.to_string()))?;
        for item in reader {
            let Item::Document(document) = item else {
                continue;
            };
            let page = html::parse(
                &document.bytes,
                reading.charset,
                document.charset.as_deref(),
                &reading.limits,
            );
            learner.add(&Subject::new(&page, &document.docid, &document.url));
            (context.progress)();
        }
    }
    let name = spec.split(':').next().unwrap_or(spec);
    let path = context.scratch.join(format!("{name}.json"));
    std::fs::write(&path, learner.finish()?)
        .map_err(|error| ExperimentError::file(&path, error))?;
    Ok(path)
}

fn build_index(
    inputs: &[Input],
    extractors: &[Arc<Labeler>],
    context: &Context,
) -> Result<Index, ExperimentError> {
    let directory: &Path = &context.scratch.join("index");
    let options = BuildOptions {
        reading: Reading::default(),
        segmenter: segment::all()[0],
        analyzer: Analyzer::English,
        extractors: extractors.to_vec(),
        threads: rayon::current_num_threads(),
        memory: MEMORY,
        max_bad: None,
    };
    build(directory, inputs, &options, &Progress::default())?;
    Ok(Index::open(directory)?)
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
