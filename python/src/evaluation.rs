//! Runs are evaluated and compared.

use pyo3::prelude::*;
use trommel::measure::significance::{self, corrected};
use trommel::measure::{
    Aggregate, Evaluation, Measure, Options, Selection, documents_agree, topics_agree,
};
use trommel::report::notes::topic_notes;
use trommel::trec::{Qrels, Run};

use crate::error::{failed, unknown, unreadable};
use crate::trec::{Judgments, Retrieved, judgments, retrieved};

/// Names of measures, as trec_eval or ir_measures have them. What has text for each topic and no value is left out.
pub(crate) fn measures(names: &[String]) -> PyResult<Vec<Measure>> {
    let selection = Selection::parse(names.iter().map(String::as_str)).map_err(unreadable)?;
    let mut measures = selection.measures;
    measures.retain(|measure| measure.family().text.is_none());
    Ok(measures)
}

/// Of a run what there is to say of it: warnings, and why no document of it is judged, if that is so.
type Notes = (Vec<String>, Option<String>);
/// The measures by their own names, their values for the run, the topics with theirs, and notes.
type Evaluated = (Vec<String>, Vec<f64>, Vec<(String, Vec<f64>)>, Notes);

/// Evaluates a run, which is called `name` in what is said of it.
#[pyfunction]
#[pyo3(signature = (qrels, run, measures, *, name, complete, relevance_level, max_docs, judged_only))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn evaluate(
    py: Python<'_>,
    qrels: Judgments,
    run: Retrieved,
    measures: Vec<String>,
    name: &str,
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
    let (evaluation, notes) = py.detach(|| {
        let evaluated = trommel::measure::evaluate(&qrels, &run, &measures, &options);
        let evaluation = evaluated.map_err(failed)?;
        let notes = notes(&qrels, &run, &evaluation, name, complete);
        Ok::<_, PyErr>((evaluation, notes))
    })?;
    let topics = evaluation.topics.into_iter();
    Ok((
        measures.iter().map(Measure::to_string).collect(),
        evaluation.means,
        topics.map(|topic| (topic.topic, topic.scores)).collect(),
        notes,
    ))
}

fn notes(qrels: &Qrels, run: &Run, evaluation: &Evaluation, name: &str, complete: bool) -> Notes {
    let ids = run.topics.keys().map(String::as_str);
    let mut notes = match topics_agree(ids, qrels, name) {
        Ok(note) => Vec::from_iter(note),
        Err(mismatch) => return (Vec::new(), Some(mismatch.to_string())),
    };
    let unknown = match documents_agree(run, qrels, name) {
        Ok(note) => {
            notes.extend(note);
            None
        }
        Err(mismatch) => Some(mismatch.to_string()),
    };
    let fate = match complete {
        true => "counted as empty",
        false => "left out (complete=True counts them as empty)",
    };
    notes.extend(topic_notes(name, evaluation, fate));
    (notes, unknown)
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
