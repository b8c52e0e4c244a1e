//! Kind `sweep`: measures against thresholds on a judged collection.

use std::collections::BTreeMap;

use serde::Deserialize;
use trommel_lab::experiment::{Context, Definition, Figures};

use super::error::ExperimentError;
use super::judged::{JudgedCollection, topic_ids};
use super::kind::{Kind, Runner};
use super::outcome::Outcome;
use super::sweep::{Base, Chosen, Measured, Plan, Swept, SweptLine, Vary, lines, sweep};
use crate::filter::Filter;
use crate::index::{Model, Stats};
use crate::measure::{Options, Selection, significance};
use crate::trec::{GradeMap, Qrels};
use crate::weight::Template;

pub(super) const KIND: Kind = Kind {
    name: "sweep",
    summary: "measures against thresholds (inputs collection, topics, qrels; index, if it is to be kept)",
    run: Runner::Search(run),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// Series of thresholds, as [`Vary`] is written.
    #[serde(default)]
    vary: Vec<String>,
    /// Bounds that all steps have.
    #[serde(default)]
    filter: Filter,
    /// How much blocks count, with parameters that vary.
    #[serde(default)]
    weights: Option<String>,
    /// The first of the series at every combination of the others.
    #[serde(default)]
    grid: bool,
    /// Extractors by name, as lines to compare with.
    #[serde(default)]
    extractors: Vec<String>,
    /// Learners; each learns from the collection itself, and its model is used as an extractor.
    #[serde(default)]
    learn: Vec<String>,
    /// Ranking models.
    models: Vec<String>,
    /// Where N, df, cf and the average length come from.
    #[serde(default)]
    stats: Stats,
    /// Pages for each topic.
    #[serde(default = "thousand")]
    k: usize,
    /// Measures.
    measures: Vec<String>,
    /// Ways to take the judgments: a name, and what replaces grades.
    #[serde(default)]
    grades: BTreeMap<String, Vec<String>>,
    /// Lowest grade that is relevant.
    #[serde(default = "one")]
    level: i32,
    /// Folds of the cross-validated choice of a threshold.
    #[serde(default = "five")]
    folds: usize,
    /// Memory for postings, in bytes.
    #[serde(default = "two_gigabytes")]
    memory: usize,
    /// The topics' field.
    #[serde(default = "title")]
    topic_field: String,
    /// How topic ids are compared: `exact`, or `loose`.
    #[serde(default)]
    topic_ids: Option<String>,
}

fn one() -> i32 {
    1
}

fn five() -> usize {
    5
}

fn thousand() -> usize {
    1000
}

fn two_gigabytes() -> usize {
    2 << 30
}

fn title() -> String {
    "title".to_owned()
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| ExperimentError::definition(text);
    let varies = settings.vary.iter().map(|text| text.parse::<Vary>());
    let varies = varies.collect::<Result<Vec<_>, _>>()?;
    let models = settings.models.iter().map(|text| text.parse::<Model>());
    let models = models
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| wrong(error.to_string()))?;
    let field = &settings.topic_field;
    let (extractors, learn) = (&settings.extractors, &settings.learn);
    let ids = topic_ids(&settings.topic_ids)?;
    let mut judged = JudgedCollection::open(definition, field, ids, extractors, learn, context)?;
    let by_extractor = judged
        .labels
        .iter()
        .map(|name| (name.clone(), Filter::content(name).into()));
    let alone = (!settings.filter.is_empty())
        .then(|| (settings.filter.to_string(), settings.filter.clone().into()));
    let weights = settings.weights.as_deref().map(str::parse::<Template>);
    let weights = weights.transpose();
    let base = Base {
        filter: settings.filter.clone(),
        weights: weights
            .map_err(|error| wrong(format!("weights: {error}")))?
            .unwrap_or_default(),
        ..Base::default()
    };
    let plan = Plan {
        lines: lines(&varies, &base, settings.grid)?,
        grid: settings.grid,
        references: alone.into_iter().chain(by_extractor).collect(),
        models,
        stats: settings.stats.clone(),
        k: settings.k,
        measures: Selection::parse(settings.measures.iter().map(String::as_str))?.measures,
        options: Options::default()
            .with_complete(true)
            .with_relevance_level(settings.level),
        folds: settings.folds,
        memory: settings.memory,
        run_tag: None,
        shared: None,
    };
    let mut ways = settings.grades.clone();
    if ways.is_empty() {
        ways.insert(String::new(), Vec::new());
    }
    let mut outcome = Outcome::default();
    outcome.figures.warnings = std::mem::take(&mut judged.warnings);
    for (way, rules) in &ways {
        let rules = GradeMap::parse(rules.iter().map(String::as_str));
        let rules = rules.map_err(|error| wrong(error.to_string()))?;
        let mut qrels: Qrels = judged.qrels.clone();
        qrels.map_grades(&rules);
        let mut on_step = |_: &_, _: Option<&[u8]>| {
            (context.progress)();
            Ok(())
        };
        let (index, topics) = (&judged.index, &judged.topics);
        let mut swept = sweep(index, topics, Some(&qrels), &plan, Vec::new(), &mut on_step)?;
        let suffix = match way.as_str() {
            "" => String::new(),
            way => format!(", {way} grades"),
        };
        swept.title = format!("{}{suffix}", definition.title);
        swept.about.clone_from(&definition.about);
        swept.facts = facts(&judged, &plan)?;
        outcome
            .figures
            .tables
            .extend(tables(&swept, &plan, &suffix));
        outcome.swept.push((way.clone(), swept));
    }
    Ok(outcome)
}

fn facts(judged: &JudgedCollection, plan: &Plan) -> Result<Vec<(String, String)>, ExperimentError> {
    let size = judged.index.size()?;
    let judgments = judged.qrels.topics.values().map(BTreeMap::len);
    let models: Vec<String> = plan.models.iter().map(Model::to_string).collect();
    let facts = [
        ("pages", size.pages.to_string()),
        ("blocks", size.blocks.to_string()),
        ("topics", judged.topics.len().to_string()),
        ("judgments", judgments.sum::<usize>().to_string()),
        ("models", models.join(", ")),
        ("depth", format!("{} pages for each topic", plan.k)),
        ("program", format!("trommel {}", env!("CARGO_PKG_VERSION"))),
    ];
    Ok(facts.map(|(name, value)| (name.to_owned(), value)).into())
}

/// What varies, and on top of what other than the filter of all lines.
fn varying(line: &SweptLine, lines: &[SweptLine]) -> String {
    let of_all = |part: &&str| {
        let has = |other: &SweptLine| other.base.split("; ").any(|its| its == *part);
        lines.iter().all(has)
    };
    let values: Vec<&str> = line.base.split("; ").filter(|part| !of_all(part)).collect();
    match values.is_empty() {
        true => line.dimension.clone(),
        false => format!("{} with {}", line.dimension, values.join("; ")),
    }
}

/// For each model a table of the references, for each line one of its thresholds, and one of the chosen thresholds.
fn tables(swept: &Swept, plan: &Plan, suffix: &str) -> Vec<Figures> {
    let measured = |name: String, of: &str, rows: Vec<(String, &Measured)>| Figures {
        name,
        of: of.to_owned(),
        columns: swept.measures.clone(),
        rows: rows
            .into_iter()
            .map(|(name, result)| (name, result.means.iter().copied().map(Some).collect()))
            .collect(),
        decimals: vec![3; swept.measures.len()],
        ..Figures::default()
    };
    let mut tables = Vec::new();
    for model in plan.models.iter().map(Model::to_string) {
        let references = swept.references.iter().filter(|it| it.model == model);
        let rows = references.map(|it| (it.name.clone(), &it.result)).collect();
        tables.push(measured(
            format!("filters, {model}{suffix}"),
            "filter",
            rows,
        ));
        for line in swept.lines.iter().filter(|line| line.model == model) {
            let points = line.points.iter();
            let rows = points
                .map(|it| (it.threshold.clone(), &it.result))
                .collect();
            let name = format!("{}, {model}{suffix}", varying(line, &swept.lines));
            tables.push(measured(name, &line.dimension, rows));
        }
    }
    let is_chosen = |(_, chosen): &(usize, &Chosen)| !chosen.thresholds.is_empty();
    let chosen: Vec<(&SweptLine, usize, &Chosen)> = swept
        .lines
        .iter()
        .flat_map(|line| {
            let chosen = line.chosen.iter().enumerate().filter(is_chosen);
            chosen.map(move |(measure, chosen)| (line, measure, chosen))
        })
        .collect();
    let tested: Vec<(usize, f64)> = chosen.iter().map(|(_, at, it)| (*at, it.p)).collect();
    let rows = chosen.iter().zip(significance::corrected(&tested));
    let rows = rows.map(|((line, measure, chosen), corrected)| {
        let measure = &swept.measures[*measure];
        let name = format!("{}, {}, {measure}", varying(line, &swept.lines), line.model);
        let figures = [chosen.mean, chosen.difference, chosen.p, corrected.p];
        (name, figures.map(Some).to_vec())
    });
    if !swept.lines.is_empty() {
        let family = significance::family(swept.lines.len(), "line", "the same measure");
        tables.push(Figures {
            name: format!("thresholds chosen by cross-validation{suffix}"),
            note: format!("p (Holm) is corrected for {family}."),
            of: "what varies, model, measure".to_owned(),
            columns: ["mean", "Δ to unfiltered", "p", "p (Holm)"]
                .map(str::to_owned)
                .to_vec(),
            rows: rows.collect(),
            decimals: vec![3, 3, 3, 3],
        });
    }
    tables
}
