//! Indexes are built, labelled and merged.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use pyo3::prelude::*;
use trommel::collection::{self, Input, Listing};
use trommel::extractor::{Extractor, parse_all};
use trommel::html::segment;
use trommel::index::{self, BuildOptions, Existing, LabelOptions, Progress, Reading};
use trommel::report::counted;
use trommel::report::notes::label_notes;
use trommel::text::Analyzer;

use crate::error::{failed, parse, unknown, unreadable, warn};
use crate::long::{long, tell};

fn extractors(names: &[String]) -> PyResult<Vec<Arc<Extractor>>> {
    let parsed = parse_all(names.iter().map(String::as_str)).map_err(unreadable)?;
    Ok(parsed.into_iter().map(Arc::new).collect())
}

/// The segmenter of a name.
pub(crate) fn segmenter(name: &str) -> PyResult<segment::Segmenter> {
    let known = segment::all().iter().map(|row| row.name);
    let found = segment::by_name(name).copied();
    found.ok_or_else(|| unknown("segmenter", name, known.collect()))
}

fn analyzer(name: &str) -> PyResult<Analyzer> {
    let known = Analyzer::all().map(Analyzer::name);
    Analyzer::by_name(name).ok_or_else(|| unknown("analyzer", name, known.collect()))
}

/// How files are read.
pub(crate) fn collection_options(
    format: &str,
    docid: &str,
    status: &str,
    max_record_bytes: Option<u64>,
) -> PyResult<collection::Options> {
    let mut options = collection::Options::default()
        .with_format(parse(format)?)
        .with_docid(parse(docid)?)
        .with_status(collection::parse_status(status).map_err(unreadable)?);
    if let Some(most) = max_record_bytes {
        options = options.with_max_record_bytes(most);
    }
    Ok(options)
}

/// The files of paths; says which directories are left out because they are indexes.
pub(crate) fn list(py: Python<'_>, paths: &[PathBuf]) -> PyResult<Vec<Input>> {
    let Listing { inputs, indexes } = py.detach(|| collection::list(paths)).map_err(failed)?;
    for index in indexes {
        let note = format!("{}: an index, which is left out", index.display());
        warn(py, &note)?;
    }
    Ok(inputs)
}

/// Tells how far a build has come: bytes that were read, of how many in all (none if that is not known), pages, failures.
fn tick(
    py: Python<'_>,
    function: Option<&Py<PyAny>>,
    progress: &Progress,
    bytes: Option<u64>,
) -> PyResult<()> {
    let read = progress.bytes.load(Relaxed);
    let numbers = (
        progress.pages.load(Relaxed),
        progress.failures.load(Relaxed),
    );
    tell(py, function, (read, bytes, numbers.0, numbers.1))
}

/// Builds an index; gives its manifest as JSON, and the number of records that failed.
#[pyfunction(name = "index")]
#[pyo3(signature = (paths, directory, *, extractors, segmenter, analyzer, format, docid, charset, status, max_record_bytes, threads, memory, max_bad, page_postings, resume, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn build(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    directory: PathBuf,
    extractors: Vec<String>,
    segmenter: &str,
    analyzer: &str,
    format: &str,
    docid: &str,
    charset: &str,
    status: &str,
    max_record_bytes: Option<u64>,
    threads: usize,
    memory: usize,
    max_bad: Option<u64>,
    page_postings: bool,
    resume: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, u64)> {
    let collection = collection_options(format, docid, status, max_record_bytes)?;
    let reading = Reading::default()
        .with_collection(collection)
        .with_charset(parse(charset)?);
    let mut options = BuildOptions::default()
        .with_reading(reading)
        .with_segmenter(self::segmenter(segmenter)?)
        .with_analyzer(self::analyzer(analyzer)?)
        .with_extractors(self::extractors(&extractors)?)
        .with_memory(memory)
        .with_max_bad(max_bad)
        .with_page_postings(page_postings)
        .with_allow_empty(false)
        .with_resume(resume);
    if threads > 0 {
        options = options.with_threads(threads);
    }
    let inputs = list(py, &paths)?;
    let bytes = inputs.iter().map(|input| input.size).sum();
    let state = Progress::default();
    let report = long(
        py,
        &state.stop,
        |py| tick(py, progress.as_ref(), &state, bytes),
        || index::build(&directory, &inputs, &options, &state).map_err(failed),
    )?;
    tick(py, progress.as_ref(), &state, bytes)?;
    for note in label_notes(options.extractors.iter().map(Arc::as_ref), &report.manifest) {
        warn(py, &note)?;
    }
    if report.failures > 0 {
        let ledger = directory.join(index::LEDGER);
        let failed = counted(report.failures, "record");
        warn(py, &format!("{failed} failed; see {}", ledger.display()))?;
    }
    let manifest = serde_json::to_string(&report.manifest).map_err(failed)?;
    Ok((manifest, report.failures))
}

/// Adds the verdicts of extractors to an index; gives the names of those that were added.
#[pyfunction]
pub(crate) fn label(
    py: Python<'_>,
    directory: PathBuf,
    extractors: Vec<String>,
    replace: bool,
    sources: Option<PathBuf>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let options = LabelOptions::default()
        .with_extractors(self::extractors(&extractors)?)
        .with_existing(if replace {
            Existing::Replace
        } else {
            Existing::Refuse
        })
        .with_sources(sources)
        .with_threads(match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        });
    let state = Progress::default();
    let report = long(
        py,
        &state.stop,
        |py| tick(py, progress.as_ref(), &state, None),
        || index::label(&directory, &[], &options, &state).map_err(failed),
    )?;
    let labelled = options.extractors.iter().map(Arc::as_ref);
    for note in label_notes(labelled, &report.manifest) {
        warn(py, &note)?;
    }
    let failures = state.failures.load(Relaxed);
    if failures > 0 {
        let pages = counted(failures, "page");
        let note =
            format!("an extractor gave up on {pages}, whose blocks count as boilerplate for it");
        warn(py, &note)?;
    }
    Ok(report.added)
}

/// Makes one index of several; gives its manifest as JSON.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, directory: PathBuf, sources: Vec<PathBuf>) -> PyResult<String> {
    let stop = AtomicBool::new(false);
    let manifest = long(
        py,
        &stop,
        |_| Ok(()),
        || {
            let sources = index::directories(&sources).map_err(failed)?;
            index::merge_until(&directory, &sources, &stop).map_err(failed)
        },
    )?;
    serde_json::to_string(&manifest).map_err(failed)
}
