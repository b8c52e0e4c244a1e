//! Indexes are built, labelled and merged.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use pyo3::prelude::*;
use trommel::collection;
use trommel::extractor::{Extractor, parse_all};
use trommel::html::segment;
use trommel::index::{self, BuildOptions, Existing, LabelOptions, Progress, Reading};
use trommel::text::Analyzer;

use crate::error::{failed, parse, unknown, unreadable};
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
#[pyo3(signature = (paths, directory, *, extractors, segmenter, analyzer, format, docid, charset, threads, memory, max_bad, page_postings, resume, progress))]
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
    threads: usize,
    memory: usize,
    max_bad: Option<u64>,
    page_postings: bool,
    resume: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, u64)> {
    let collection = collection::Options::default()
        .with_format(parse(format)?)
        .with_docid(parse(docid)?);
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
        .with_resume(resume);
    if threads > 0 {
        options = options.with_threads(threads);
    }
    let inputs = collection::inputs(&paths).map_err(failed)?;
    let bytes = inputs.iter().map(|input| input.size).sum();
    let state = Progress::default();
    let report = long(
        py,
        &state.stop,
        |py| tick(py, progress.as_ref(), &state, bytes),
        || index::build(&directory, &inputs, &options, &state).map_err(failed),
    )?;
    tick(py, progress.as_ref(), &state, bytes)?;
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
    Ok(report.added)
}

/// Makes one index of several; gives its manifest as JSON.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, directory: PathBuf, sources: Vec<PathBuf>) -> PyResult<String> {
    // A merge cannot be stopped; Ctrl-C waits for its end.
    let stop = AtomicBool::new(false);
    let manifest = long(
        py,
        &stop,
        |_| Ok(()),
        || {
            let sources = index::directories(&sources).map_err(failed)?;
            index::merge(&directory, &sources).map_err(failed)
        },
    )?;
    serde_json::to_string(&manifest).map_err(failed)
}
