//! Files of topics, judgments and runs.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use pyo3::prelude::*;
use trommel::output::{Output, Reads, kinds};
use trommel::trec::run::ScoredDoc;
use trommel::trec::{Qrels, Run, RunWriter, qrels, run, topics};

use crate::error::{TrommelError, failed, warn};

/// Judgments: topic, document, grade.
pub(crate) type Judgments = BTreeMap<String, BTreeMap<String, i32>>;
/// What a system retrieved: topic, document, score.
pub(crate) type Retrieved = BTreeMap<String, Vec<(String, f64)>>;

/// Ids and texts of the topics of a file.
#[pyfunction]
pub(crate) fn read_topics(
    py: Python<'_>,
    path: PathBuf,
    field: &str,
) -> PyResult<Vec<(String, String)>> {
    let topics = topics::read_file(&path).map_err(failed)?;
    for note in &topics.notes {
        warn(py, &format!("{}: {note}", path.display()))?;
    }
    topics.queries(field).map_err(failed)
}

/// The judgments of a file.
#[pyfunction]
pub(crate) fn read_qrels(py: Python<'_>, path: PathBuf) -> PyResult<Judgments> {
    let qrels = qrels::read_file(&path).map_err(failed)?;
    if qrels.subtopics {
        let what = "judgments of subtopics; a document has the highest of its grades";
        warn(py, &format!("{}: {what}", path.display()))?;
    }
    Ok(qrels.topics)
}

/// A run file: its tag, and what was retrieved.
#[pyfunction]
pub(crate) fn read_run(path: PathBuf) -> PyResult<(String, Retrieved)> {
    let run = run::read_file(&path).map_err(failed)?;
    let topics = run.topics.into_iter().map(|(topic, docs)| {
        let docs = docs.into_iter().map(|doc| (doc.docid, doc.score));
        (topic, docs.collect())
    });
    Ok((run.tag, topics.collect()))
}

/// Writes a run file, topics in the order given, as `trommel run` does.
#[pyfunction]
pub(crate) fn write_run(
    path: PathBuf,
    topics: Vec<(String, Vec<(String, f32)>)>,
    tag: &str,
    force: bool,
    read: Option<PathBuf>,
) -> PyResult<()> {
    let mut reads = Reads::default();
    if let Some(read) = read {
        reads.add("the run that is read", &read);
    }
    let output = Output::check(&path, &kinds::RUN, force, &reads).map_err(failed)?;
    let out = output.begin().map_err(failed)?;
    let mut writer = RunWriter::new(out, tag).map_err(failed)?;
    for (topic, docs) in &topics {
        let docs = docs.iter().map(|(docid, score)| (docid.as_str(), *score));
        writer.write_topic(topic, docs).map_err(failed)?;
    }
    let out = writer.finish().map_err(failed)?;
    out.finish().map_err(failed)
}

/// Judgments as the library has them.
pub(crate) fn judgments(topics: Judgments) -> Qrels {
    Qrels {
        topics,
        ..Qrels::default()
    }
}

/// A run as the library has it.
///
/// # Errors
/// A document that stands twice under a topic, and a score that is no number.
pub(crate) fn retrieved(topics: Retrieved) -> PyResult<Run> {
    let mut run = Run::default();
    for (topic, docs) in topics {
        let mut seen = HashSet::with_capacity(docs.len());
        for (docid, score) in &docs {
            let wrong = |what: &str| {
                let text = format!("topic {topic}: document {docid} {what}");
                Err(TrommelError::new_err(text))
            };
            if score.is_nan() {
                return wrong("has a score that is no number");
            }
            if !seen.insert(docid.as_str()) {
                return wrong("was retrieved twice");
            }
        }
        let docs = docs
            .into_iter()
            .map(|(docid, score)| ScoredDoc { docid, score });
        let docs = docs.collect();
        run.topics.insert(topic, docs);
    }
    Ok(run)
}
