//! Collection to index: read, parse, segment, analyse, write.
//!
//! One reader hands out documents in input order, under a lock, to as many threads as there are; each parses and analyses
//! the page that it took and gives it to the writer. No more pages are held than there are threads, and page numbers
//! follow the input whatever thread is first.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::iter::{ParallelBridge, ParallelIterator};

use super::job::{BuildOptions, Job, Progress, document_line};
use super::ledger::{Ledger, Totals};
use super::manifest::Manifest;
use super::source::{Source, Work};
use super::{Counts, IndexError, PageRecord, Writer, WriterOptions};
use crate::collection::{Input, Reason};
use crate::html::{self, Charset};

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildReport {
    /// The manifest that was written.
    pub manifest: Manifest,
    /// Ledger lines that are failures.
    pub failures: u64,
}

/// Builds an index of the inputs in a directory that is empty or does not exist. Damaged records are skipped and go to the
/// ledger.
///
/// # Errors
/// [`IndexError::Exists`] and [`IndexError::NotEmpty`] for the directory, [`IndexError::Empty`] if no page was found,
/// [`IndexError::TooManyBad`] past `max_bad`, and what the operating system or tantivy report.
pub fn build(
    directory: &Path,
    inputs: &[Input],
    options: &BuildOptions,
    progress: &Progress,
) -> Result<BuildReport, IndexError> {
    let writer_options = WriterOptions {
        analyzer: options.analyzer,
        // Parsing takes most of the time; a segment-building thread keeps up with several parsing ones.
        threads: options.threads.div_ceil(2),
        memory: options.memory,
    };
    let writer = Writer::create(directory, &writer_options)?;
    let job = Job {
        options,
        writer: &writer,
        progress,
        ledger: Ledger::create(directory)?,
        payload_bytes: AtomicU64::new(0),
        pages_over_parse_limits: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        error: Mutex::new(None),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.max(1))
        .build()
        .map_err(|error| IndexError::Threads(error.to_string()))?;
    let mut source = Source::new(inputs, &job);
    pool.install(|| {
        source
            .by_ref()
            .par_bridge()
            .for_each(|work| index(&job, work))
    });
    let entries = std::mem::take(&mut source.entries);
    drop(source);
    if let Some(error) = job.take_error() {
        return Err(error);
    }
    let counts = Counts {
        payload_bytes: job.payload_bytes.load(Relaxed),
        pages_over_parse_limits: job.pages_over_parse_limits.load(Relaxed),
        ..writer.counts()
    };
    let totals = job.ledger.finish()?;
    if counts.blocks == 0 {
        writer.abandon()?;
        return Err(IndexError::Empty(why_empty(inputs.len(), &counts, &totals)));
    }
    let by_reason = totals.lines.iter();
    let manifest = Manifest {
        options: described(options),
        inputs: entries,
        ledger: by_reason
            .map(|(reason, n)| (reason.to_string(), *n))
            .collect(),
        ..Manifest::new(options.segmenter.name, options.analyzer, counts)
    };
    writer.finish(&manifest)?;
    Ok(BuildReport {
        manifest,
        failures: totals.failures,
    })
}

/// The options that bear on what is in the index, for the manifest.
fn described(options: &BuildOptions) -> BTreeMap<String, String> {
    let charset = match options.charset {
        Charset::Auto => "auto",
        Charset::Fixed(encoding) => encoding.name(),
    };
    let collection = &options.collection;
    let limits = &options.limits;
    [
        ("format", collection.format.to_string()),
        ("docid", collection.docid.to_string()),
        (
            "status",
            format!("{}-{}", collection.status.start(), collection.status.end()),
        ),
        ("max-record-bytes", collection.max_record_bytes.to_string()),
        ("charset", charset.to_owned()),
        ("max-page-bytes", limits.bytes.to_string()),
        ("max-depth", limits.depth.to_string()),
        ("max-attributes", limits.attributes.to_string()),
        ("max-nodes", limits.nodes.to_string()),
        ("max-work", limits.work.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn why_empty(inputs: usize, counts: &Counts, totals: &Totals) -> String {
    let files = match inputs {
        1 => "1 file".to_owned(),
        n => format!("{n} files"),
    };
    let found = match counts.pages {
        0 => format!("none found in {files}"),
        n => format!("no text in any of {n} pages in {files}"),
    };
    let skipped: Vec<String> = totals
        .lines
        .iter()
        .map(|(reason, n)| format!("{n} {reason}"))
        .collect();
    let skipped = match skipped.as_slice() {
        [] => String::new(),
        some => format!("; skipped: {}", some.join(", ")),
    };
    let failure = totals.first_failure.as_ref();
    let failure = failure.map_or(String::new(), |failure| {
        format!("; first failure: {failure}")
    });
    format!("{found}{skipped}{failure}")
}

/// Parses, segments and adds one page.
fn index(job: &Job, work: Work) {
    let Work { number, document } = work;
    let options = job.options;
    job.payload_bytes
        .fetch_add(document.bytes.len() as u64, Relaxed);
    // The HTML parser asserts things of itself; should one not hold, that costs this page and not the build.
    let parsed = catch_unwind(AssertUnwindSafe(|| {
        let page = html::parse(
            &document.bytes,
            options.charset,
            document.charset.as_deref(),
            &options.limits,
        );
        let blocks = (options.segmenter.segment)(&page).blocks;
        (page.title, page.limit, blocks)
    }));
    let (title, limit, blocks) = parsed.unwrap_or_else(|_| {
        job.skip(&document_line(
            &document,
            Reason::ParserFailed,
            "the HTML parser gave up",
        ));
        Default::default()
    });
    if let Some(limit) = limit {
        job.pages_over_parse_limits.fetch_add(1, Relaxed);
        job.skip(&document_line(
            &document,
            Reason::ParseLimit,
            limit.describe(),
        ));
    }
    let record = PageRecord {
        docid: document.docid,
        url: document.url,
        title,
        date: document.date,
        file: document.file.to_string(),
        offset: document.offset,
    };
    if let Err(error) = job.writer.add(number, &record, &blocks) {
        job.fail(error);
    }
}
