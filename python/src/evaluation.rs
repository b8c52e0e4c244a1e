//! Runs are evaluated and compared.

use pyo3::prelude::*;
use trommel::measure::significance::{self, corrected};
use trommel::measure::{Aggregate, Measure, Options, Selection};

use crate::error::{failed, unknown, unreadable};
use crate::trec::{Judgments, Retrieved, judgments, retrieved};

/// Names of measures, as trec_eval or ir_measures have them. What has text for each topic and no value is left out.
pub(crate) fn measures(names: &[String]) -> PyResult<Vec<Measure>> {
    let selection = Selection::parse(names.iter().map(String::as_str)).map_err(unreadable)?;
    let mut measures = selection.measures;
    measures.retain(|measure| measure.family().text.is_none());
    Ok(measures)
}

/// The measures by their own names, their values for the run, and the topics with theirs.
type Evaluated = (Vec<String>, Vec<f64>, Vec<(String, Vec<f64>)>);

/// Evaluates a run.
#[pyfunction]
#[pyo3(signature = (qrels, run, measures, *, complete, relevance_level, max_docs, judged_only))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate(
    py: Python<'_>,
    qrels: Judgments,
    run: Retrieved,
    measures: Vec<String>,
    complete: bool,
    relevance_level: i32,
    max_docs: Option<usize>,
    judged_only: bool,
) -> PyResult<Evaluated> {
    let measures = self::measures(&measures)?;
    let options = Options::default()
        .with_complete(complete)
        .with_relevance_level(relevance_level)
        .with_max_docs(max_docs)
        .with_judged_only(judged_only);
    let (qrels, run) = (judgments(qrels), retrieved(run)?);
    let evaluation = py
        .detach(|| trommel::measure::evaluate(&qrels, &run, &measures, &options))
        .map_err(failed)?;
    let topics = evaluation.topics.into_iter();
    Ok((
        measures.iter().map(Measure::to_string).collect(),
        evaluation.means,
        topics.map(|topic| (topic.topic, topic.scores)).collect(),
    ))
}

/// Of a system against the baseline: both means, the difference with the ends of its interval, the effect size, wins, ties, losses, p,
/// and p corrected.
type Compared = (f64, f64, f64, f64, f64, f64, usize, usize, usize, f64, f64);

/// Compares systems with a baseline, measure by measure: each has a list of scores a measure, all of the same topics. Corrected are all
/// comparisons by one measure together.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    baseline: Vec<Vec<f64>>,
    systems: Vec<Vec<Vec<f64>>>,
    test: &str,
    seed: u64,
) -> PyResult<Vec<Vec<Compared>>> {
    let known = significance::all().iter().map(|row| row.name);
    let found = significance::by_name(test).copied();
    let test = found.ok_or_else(|| unknown("test", test, known.collect()))?;
    let of_measure = |(at, baseline): (usize, &Vec<f64>)| {
        let compared = systems.iter().filter_map(|system| system.get(at));
        let compared: Vec<significance::Comparison> = compared
            .map(|scores| significance::compare(baseline, scores, &test, seed))
            .collect();
        let tested: Vec<(usize, f64)> = compared.iter().map(|it| (at, it.p)).collect();
        let with_p = compared.iter().zip(corrected(&tested));
        let row = |(it, corrected): (&significance::Comparison, significance::Corrected)| {
            let [low, high] = it.interval;
            let counts = (it.wins, it.ties, it.losses);
            (
                it.baseline,
                it.mean,
                it.difference,
                low,
                high,
                it.effect_size,
                counts.0,
                counts.1,
                counts.2,
                it.p,
                corrected.p,
            )
        };
        with_p.map(row).collect()
    };
    Ok(py.detach(|| baseline.iter().enumerate().map(of_measure).collect()))
}

/// Is the value of a measure for a run the mean over its topics?
pub(crate) fn is_mean(measure: &Measure) -> bool {
    measure.family().aggregate == Aggregate::Mean
}
