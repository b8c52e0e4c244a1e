//! Sweeps of thresholds.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use pyo3::prelude::*;
use trommel::experiment::sweep::{Base, Plan, SweepError, Vary, lines};
use trommel::filter::Filter;
use trommel::index::Model;
use trommel::measure::Options;
use trommel::report::notes::unmatched_notes;
use trommel::report::{Searched, SweepInputs, sweep_facts};
use trommel::weight::{Sieve, Template};

use crate::error::{ParseError, failed, parse, unreadable, warn};
use crate::evaluation::{is_mean, measures};
use crate::index::Index;
use crate::long::{long, pool, tell};
use crate::trec::judgments;

/// Ranks topics at every step of some series of thresholds, in one pass, and evaluates them; gives what `trommel sweep --json` prints.
/// `names` are those of the topics, of the field that is searched for, and of the judgments.
#[pyfunction]
#[pyo3(signature = (index, topics, qrels, *, vary, grid, filter, weights, models, stats, extractors, measures, relevance_level, k, folds, threads, memory, title, names, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn sweep(
    py: Python<'_>,
    index: PyRef<'_, Index>,
    topics: Vec<(String, String)>,
    qrels: BTreeMap<String, BTreeMap<String, i32>>,
    vary: Vec<String>,
    grid: bool,
    filter: &str,
    weights: &str,
    models: Vec<String>,
    stats: &str,
    extractors: Vec<String>,
    measures: Vec<String>,
    relevance_level: i32,
    k: usize,
    folds: usize,
    threads: usize,
    memory: usize,
    title: &str,
    names: (String, String, String),
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let directories = index
        .directories
        .iter()
        .map(|path| path.display().to_string());
    let directories = directories.collect::<Vec<_>>().join(", ");
    let index = &index.index;
    let filter: Filter = parse(filter)?;
    let base = Base {
        filter: filter.clone(),
        weights: parse::<Template>(weights)?,
        ..Base::default()
    };
    let vary: Vec<Vary> = vary.iter().map(|it| parse(it)).collect::<PyResult<_>>()?;
    let mut plan = Plan::default();
    plan.models = models
        .iter()
        .map(|model| parse(model))
        .collect::<PyResult<Vec<Model>>>()?;
    if !filter.is_empty() {
        plan.references
            .push((filter.to_string(), Sieve::from(filter)));
    }
    for name in &extractors {
        let by_extractor = Sieve::from(Filter::content(name));
        plan.references.push((name.clone(), by_extractor));
    }
    plan.grid = grid;
    plan.lines = lines(&vary, &base, grid).map_err(unreadable)?;
    plan.stats = parse(stats)?;
    plan.measures = self::measures(&measures)?;
    if let Some(other) = plan.measures.iter().find(|measure| !is_mean(measure)) {
        return Err(ParseError::new_err(format!(
            "{other} is no mean over topics"
        )));
    }
    plan.options = Options::default()
        .with_complete(true)
        .with_relevance_level(relevance_level);
    plan.k = k;
    plan.folds = folds;
    plan.memory = memory;
    let steps = plan
        .lines
        .iter()
        .map(|line| line.steps.len())
        .sum::<usize>();
    let steps = (steps + plan.all_references().len()) * plan.models.len();
    let qrels = judgments(qrels);
    for note in unmatched_notes(&topics, &qrels) {
        warn(py, &note)?;
    }
    let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let pool = pool(threads)?;
    let mut on_step = |_: &_, _: Option<&[u8]>| {
        done.fetch_add(1, Relaxed);
        match stop.load(Relaxed) {
            true => Err(SweepError::BrokenOff),
            false => Ok(()),
        }
    };
    let mut swept = long(
        py,
        &stop,
        |py| tell(py, progress.as_ref(), (done.load(Relaxed), steps)),
        || {
            let sweep = || {
                trommel::experiment::sweep::sweep(
                    index,
                    &topics,
                    Some(&qrels),
                    &plan,
                    Vec::new(),
                    &mut on_step,
                )
            };
            pool.install(sweep).map_err(failed)
        },
    )?;
    tell(
        py,
        progress.as_ref(),
        (done.load(Relaxed), done.load(Relaxed)),
    )?;
    let size = index.size().map_err(failed)?;
    let (topics_name, field, qrels_name) = names;
    let inputs = SweepInputs {
        searched: Some(Searched {
            name: directories,
            pages: size.pages,
            blocks: size.blocks,
            segmenter: &index.manifest.segmenter,
        }),
        topics: topics_name,
        num_topics: topics.len(),
        field: &field,
        qrels: Some((qrels_name, &qrels)),
        weights: (base.weights != Template::default()).then(|| base.weights.to_string()),
    };
    swept.title = title.to_owned();
    swept.facts = sweep_facts(&inputs, &plan);
    serde_json::to_string(&swept).map_err(failed)
}
