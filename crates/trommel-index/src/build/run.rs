//! Collection to index: read, parse, segment, analyse, write.
//!
//! One reader hands out documents in input order, under a lock, to as many threads as there are; each parses and analyses
//! the page that it took and writes its blocks to a segment of its own. No more pages are held than there are threads, and page
//! numbers follow the input whatever thread is first.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use trommel_archive::{Input, Reason};

use crate::build::job::Job;
use crate::build::label_sets::new_labels;
use crate::build::lines::document_line;
use crate::build::options::BuildOptions;
use crate::build::progress::Progress;
use crate::build::source::{self, Consumer, FirstError, Source, Work};
use crate::build::state::{Plan, State, check_finished};
use crate::build::verdicts::{Judged, judge, parse};
use crate::build::writer::{
    PageNumber, Provenance, Writer, WriterOptions, Written, clean_up, clear_parts, open_directory,
    prepare,
};
use crate::format::docids::DocidFile;
use crate::format::error::IndexError;
use crate::format::ledger::{Ledger, Totals};
use crate::format::lock::{hold, lock};
use crate::format::manifest::{Counts, MANIFEST, Manifest, STATE};
use crate::format::page_record::PageRecord;
use crate::format::part::{self, PartEntry};
use crate::format::sum::Verify;

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildReport {
    /// The manifest that was written.
    pub manifest: Manifest,
    /// Records that failed.
    pub failures: u64,
}

/// Pages of so many bytes are worked on one at a time.
const GIANT: usize = 4 << 20;

/// Builds an index of the inputs in a directory that is empty or does not exist, or goes on with a build that was interrupted
/// ([`BuildOptions::resume`]). Damaged records are skipped and go to the ledger.
///
/// Whenever [`BuildOptions::memory`] is used up, the pages so far are finished as a part of the index and noted in the directory
/// with how far the inputs were read: an interrupted build loses what came after.
///
/// # Errors
/// [`IndexError::Exists`], [`IndexError::Unfinished`], [`IndexError::NotEmpty`] and [`IndexError::Busy`] for the directory,
/// [`IndexError::Changed`] if a build cannot go on, [`IndexError::Empty`] if no page was found, [`IndexError::TooManyBad`] past
/// `max_bad`, [`IndexError::Stopped`] if [`Progress::stop`] was set, and what the operating system or tantivy report.
pub fn build(
    directory: &Path,
    inputs: &[Input],
    options: &BuildOptions,
    progress: &Progress,
) -> Result<BuildReport, IndexError> {
    let plan = Plan::of(options)?;
    if options.resume && directory.join(MANIFEST).exists() {
        return finished(directory, inputs, &plan);
    }
    let lock = open_directory(directory)?;
    build_locked(directory, inputs, options, progress, &lock, None)
}

/// Builds in a directory that is locked already. With `most_bytes` only the beginning of each file is read, up to about so many stored
/// bytes.
pub(crate) fn build_locked(
    directory: &Path,
    inputs: &[Input],
    options: &BuildOptions,
    progress: &Progress,
    lock: &File,
    most_bytes: Option<u64>,
) -> Result<BuildReport, IndexError> {
    let plan = Plan::of(options)?;
    if options.resume && directory.join(MANIFEST).exists() {
        return finished(directory, inputs, &plan);
    }
    let state = begin(directory, inputs, options, plan)?;
    let threads = options.threads_within_memory();
    let mut writer = Writer::go_on(
        directory,
        &WriterOptions {
            segmenter: options.segmenter,
            analyzer: options.analyzer,
            page_postings: options.page_postings,
            threads,
            labels: new_labels(&options.extractors)?,
        },
        hold(lock, directory)?,
        Written {
            parts: state.parts.clone(),
            content_blocks: state.content_blocks.clone(),
            counts: state.counts,
        },
    )?;
    let ledger = Ledger::go_on(directory, state.ledger_bytes)?;
    let payload_bytes = AtomicU64::new(state.counts.payload_bytes);
    let pages_over_parse_limits = AtomicU64::new(state.counts.pages_over_parse_limits);
    let counts = |writer: &Writer| Counts {
        payload_bytes: payload_bytes.load(Relaxed),
        pages_over_parse_limits: pages_over_parse_limits.load(Relaxed),
        ..writer.counts()
    };
    let docids = open_docids(directory, &state.parts)?;
    let docids = docids.iter().flat_map(DocidFile::iter);
    let mut source = Source::go_on(inputs, &state.position, state.done.clone(), docids);
    source.most_bytes = most_bytes;
    progress.pages.store(state.counts.pages, Relaxed);
    progress.blocks.store(state.counts.blocks, Relaxed);
    progress.failures.store(ledger.failures(), Relaxed);
    let parts_before = state.parts.len() as u64;
    progress.parts_before.store(parts_before, Relaxed);
    progress.parts.store(parts_before, Relaxed);
    let bytes_before = source.bytes_before() + state.position.bytes;
    progress.bytes_before.store(bytes_before, Relaxed);
    progress.bytes.store(bytes_before, Relaxed);
    let pool = source::pool(threads)?;
    let giant = Mutex::new(());
    loop {
        let error = FirstError::default();
        let job = Job {
            options,
            writer: &writer,
            budget: options.budget(source.memory()),
            progress,
            ledger: &ledger,
            payload_bytes: &payload_bytes,
            pages_over_parse_limits: &pages_over_parse_limits,
            error: &error,
            giant: &giant,
        };
        source.run(&job, &pool, |work| index(&job, work));
        if let Some(error) = error.take() {
            return Err(error);
        }
        if source.is_done() {
            break;
        }
        writer = pool.install(|| writer.flush())?;
        let state = State {
            done: source.entries().to_vec(),
            position: source.position(),
            parts: writer.parts().to_vec(),
            content_blocks: writer.content_blocks().to_vec(),
            counts: counts(&writer),
            ledger_bytes: ledger.sync()?,
            ..state.clone()
        };
        state.write(directory)?;
        progress.parts.store(state.parts.len() as u64, Relaxed);
    }
    writer = pool.install(|| writer.flush())?;
    let counts = counts(&writer);
    progress.parts.store(writer.parts().len() as u64, Relaxed);
    progress.blocks.store(counts.blocks, Relaxed);
    let totals = ledger.finish()?;
    if counts.blocks == 0 && !options.allow_empty {
        writer.abandon()?;
        return Err(IndexError::Empty(why_empty(inputs.len(), &counts, &totals)));
    }
    let provenance = Provenance {
        options: options.describe(),
        inputs: source.entries().to_vec(),
        ledger: totals.by_name(),
        payload_bytes: counts.payload_bytes,
        pages_over_parse_limits: counts.pages_over_parse_limits,
    };
    Ok(BuildReport {
        manifest: writer.finish(provenance)?,
        failures: totals.failures,
    })
}

/// The report of an index that is finished, if it is the one of these inputs and options. Nothing is written, unless a build was
/// killed when the index was finished and the directory not yet tidy.
fn finished(directory: &Path, inputs: &[Input], plan: &Plan) -> Result<BuildReport, IndexError> {
    let mut manifest = Manifest::read(directory)?;
    check_finished(directory, &manifest, plan, inputs)?;
    if directory.join(STATE).exists()
        && let Ok(_lock) = lock(directory)
    {
        // Labels may have been added in between.
        manifest = Manifest::read(directory)?;
        clean_up(directory, &manifest)?;
    }
    Ok(BuildReport {
        manifest,
        failures: Ledger::totals(directory)?.failures,
    })
}

/// Looks at the directory, clears it of all that came after the last note of an interrupted build, and notes that a build has begun.
fn begin(
    directory: &Path,
    inputs: &[Input],
    options: &BuildOptions,
    plan: Plan,
) -> Result<State, IndexError> {
    if options.resume
        && let Some(state) = State::read(directory)?
    {
        state.check(directory, &plan, inputs)?;
        for part in &state.parts {
            part::verify(directory, part, Verify::Ends)?;
        }
        clear_parts(directory, &state.parts)?;
        return Ok(state);
    }
    // A build that was interrupted before it could note anything has left nothing that would count.
    match prepare(directory) {
        Err(IndexError::Unfinished(path)) if options.resume => {
            return Err(IndexError::Changed {
                path,
                why: format!("{STATE} is missing"),
            });
        }
        prepared => prepared?,
    }
    let state = State::new(plan, inputs);
    state.write(directory)?;
    Ok(state)
}

fn open_docids(directory: &Path, parts: &[PartEntry]) -> Result<Vec<DocidFile>, IndexError> {
    let open = |part: &PartEntry| DocidFile::open(&part.directory(directory));
    parts.iter().map(open).collect()
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
        .records
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
fn index(job: &Job, work: Work<PageNumber>) {
    let Work { number, document } = work;
    let options = job.options;
    job.payload_bytes
        .fetch_add(document.bytes.len() as u64, Relaxed);
    // The worst page takes some hundred MB while it is parsed, so only one of the large ones is at a time.
    let giant = document.bytes.len() >= GIANT;
    let giant = giant.then(|| job.giant.lock().unwrap_or_else(PoisonError::into_inner));
    // The HTML parser asserts things of itself; should one not hold, that costs this page and not the build.
    let parsed = catch_unwind(AssertUnwindSafe(|| {
        let page = parse(&document, &options.reading);
        let judged = judge(&page, &document, &options.segmenter, &options.extractors);
        let language = page.language_or(document.language.as_deref());
        ((page.title, language), page.limit, judged)
    }));
    let ((title, language), limit, judged) = parsed.unwrap_or_else(|_| {
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
    for name in &judged.failed {
        let detail = format!("{name} gave up");
        job.skip(&document_line(&document, Reason::ExtractorFailed, &detail));
    }
    let record = PageRecord {
        docid: document.docid,
        url: document.url,
        title,
        date: document.date,
        media_type: document.media_type.unwrap_or_default(),
        language: language.to_owned(),
        file: document.file.to_string(),
        offset: document.offset,
    };
    let Judged {
        blocks, verdicts, ..
    } = &judged;
    if let Err(error) = job.writer.add(number, &record, blocks, verdicts) {
        job.fail(error);
    }
    drop(giant);
}
