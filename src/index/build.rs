//! Collection to index: read, parse, segment, analyse, write.
//!
//! One reader hands out documents in input order, under a lock, to as many threads as there are; each parses and analyses
//! the page that it took and gives it to the writer. No more pages are held than there are threads, and page numbers
//! follow the input whatever thread is first.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};

use super::manifest::{InputEntry, Manifest};
use super::{Counts, IndexError, PageRecord, Writer, WriterOptions};
use crate::collection::{self, Document, Input, Item, Reader, Reason, Skipped};
use crate::html::segment::Segmenter;
use crate::html::{self, Charset, Limits};
use crate::page::ParseLimit;
use crate::text::Analyzer;

/// Name of the ledger in an index directory: one JSON object a line for each record that gave no page, or no whole one.
pub const LEDGER: &str = "ledger.jsonl";

/// How to build an index.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// How files are read.
    pub collection: collection::Options,
    /// How bytes become text.
    pub charset: Charset,
    /// Bounds on a single page.
    pub limits: Limits,
    /// How pages are cut into blocks.
    pub segmenter: Segmenter,
    /// How text becomes terms.
    pub analyzer: Analyzer,
    /// Threads that parse pages.
    pub threads: usize,
    /// Memory for the segments that are being built, in bytes.
    pub memory: usize,
    /// Stop when more records than this have failed.
    pub max_bad: Option<u64>,
}

/// How far a build has come; other threads may look at it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Stored bytes that were read.
    pub bytes: AtomicU64,
    /// Pages that were handed out.
    pub pages: AtomicU64,
    /// Records that failed.
    pub failures: AtomicU64,
}

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
    let shared = Shared {
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
    let mut source = Source::new(inputs, &shared);
    pool.install(|| {
        source
            .by_ref()
            .par_bridge()
            .for_each(|work| shared.index(work))
    });
    let entries = std::mem::take(&mut source.entries);
    drop(source);
    if let Some(error) = shared
        .error
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
    {
        return Err(error);
    }
    let counts = Counts {
        payload_bytes: shared.payload_bytes.load(Relaxed),
        pages_over_parse_limits: shared.pages_over_parse_limits.load(Relaxed),
        ..writer.counts()
    };
    let totals = shared.ledger.finish()?;
    if counts.blocks == 0 {
        return Err(IndexError::Empty(why_empty(inputs.len(), &counts, &totals)));
    }
    let failures = totals
        .iter()
        .filter(|(reason, _)| reason.is_failure())
        .map(|(_, n)| n)
        .sum();
    let manifest = Manifest {
        options: described(options),
        inputs: entries,
        ledger: totals
            .iter()
            .map(|(reason, n)| (reason.to_string(), *n))
            .collect(),
        ..Manifest::new(options.segmenter.name, options.analyzer, counts)
    };
    writer.finish(&manifest)?;
    Ok(BuildReport { manifest, failures })
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
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn why_empty(inputs: usize, counts: &Counts, totals: &BTreeMap<Reason, u64>) -> String {
    let files = if inputs == 1 {
        "1 file".to_owned()
    } else {
        format!("{inputs} files")
    };
    let skipped: Vec<String> = totals
        .iter()
        .map(|(reason, n)| format!("{n} {reason}"))
        .collect();
    let skipped = if skipped.is_empty() {
        "nothing was skipped".to_owned()
    } else {
        format!("skipped: {}", skipped.join(", "))
    };
    if counts.pages > 0 {
        return format!(
            "{} pages in {files}, but no text in any of them; {skipped}",
            counts.pages
        );
    }
    format!("none found in {files}; {skipped}")
}

/// A document with its number.
struct Work {
    number: u32,
    document: Document,
}

/// What the reader and the workers have in common.
struct Shared<'a> {
    options: &'a BuildOptions,
    writer: &'a Writer,
    progress: &'a Progress,
    ledger: Ledger,
    payload_bytes: AtomicU64,
    pages_over_parse_limits: AtomicU64,
    /// Set when there is an error: no more documents are handed out.
    stop: AtomicBool,
    error: Mutex<Option<IndexError>>,
}

impl Shared<'_> {
    /// Keeps the first error and stops the build.
    fn fail(&self, error: IndexError) {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
        self.stop.store(true, Relaxed);
    }

    fn skip(&self, skipped: &Skipped) {
        if let Err(error) = self.ledger.write(skipped) {
            self.fail(error);
        }
        if skipped.reason.is_failure() {
            let failures = self.progress.failures.fetch_add(1, Relaxed) + 1;
            if self.options.max_bad.is_some_and(|most| failures > most) {
                self.fail(IndexError::TooManyBad(failures));
            }
        }
    }

    fn index(&self, work: Work) {
        let Work { number, document } = work;
        let options = self.options;
        self.payload_bytes
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
            self.skip(&document_line(
                &document,
                Reason::ParserFailed,
                "the HTML parser gave up",
            ));
            Default::default()
        });
        if let Some(limit) = limit {
            self.pages_over_parse_limits.fetch_add(1, Relaxed);
            self.skip(&document_line(
                &document,
                Reason::ParseLimit,
                name_of(limit),
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
        if let Err(error) = self.writer.add(number, &record, &blocks) {
            self.fail(error);
        }
    }
}

fn document_line(document: &Document, reason: Reason, detail: &str) -> Skipped {
    Skipped {
        file: document.file.clone(),
        offset: document.offset,
        docid: Some(document.docid.clone()),
        reason,
        detail: detail.to_owned(),
    }
}

fn name_of(limit: ParseLimit) -> &'static str {
    match limit {
        ParseLimit::Bytes => "longer than the limit; its beginning is indexed",
        ParseLimit::Depth => "nested deeper than the limit; deeper elements are flattened",
        ParseLimit::Attributes => "more attributes than the limit in an element",
        ParseLimit::Nodes => "more nodes than the limit; its beginning is indexed",
    }
}

/// Documents of all inputs in order, each with the next number. What is no document, and what repeats a docid, goes to
/// the ledger.
struct Source<'a> {
    shared: &'a Shared<'a>,
    inputs: std::slice::Iter<'a, Input>,
    current: Option<(Reader, &'a Input)>,
    /// Stored bytes of the inputs that are done.
    bytes_before: u64,
    seen: HashSet<u128>,
    entries: Vec<InputEntry>,
}

impl<'a> Source<'a> {
    fn new(inputs: &'a [Input], shared: &'a Shared<'a>) -> Self {
        Source {
            shared,
            inputs: inputs.iter(),
            current: None,
            bytes_before: 0,
            seen: HashSet::new(),
            entries: Vec::new(),
        }
    }

    /// Opens the next input that can be opened; false if there is none left.
    fn open_next(&mut self) -> bool {
        for input in self.inputs.by_ref() {
            match collection::open(input, &self.shared.options.collection) {
                Ok(reader) => {
                    self.current = Some((reader, input));
                    return true;
                }
                Err(error) => {
                    self.shared.skip(&Skipped {
                        file: input.name.clone(),
                        offset: 0,
                        docid: None,
                        reason: Reason::UnreadableFile,
                        detail: error.to_string(),
                    });
                    self.bytes_before += input.size.unwrap_or(0);
                }
            }
        }
        false
    }

    fn close_current(&mut self) {
        let Some((reader, input)) = self.current.take() else {
            return;
        };
        self.bytes_before += reader.bytes_read();
        self.entries.push(InputEntry {
            path: input.name.to_string(),
            bytes: input.size,
            sha256: reader.sha256(),
        });
    }

    fn number(&mut self, document: Document) -> Option<Work> {
        if !self.seen.insert(fingerprint(&document.docid)) {
            let detail = "a page of this docid came before";
            self.shared
                .skip(&document_line(&document, Reason::DuplicateDocid, detail));
            return None;
        }
        match self.shared.writer.number(&document.docid) {
            Ok(number) => {
                self.shared.progress.pages.fetch_add(1, Relaxed);
                Some(Work { number, document })
            }
            Err(error) => {
                self.shared.fail(error);
                None
            }
        }
    }
}

impl Iterator for Source<'_> {
    type Item = Work;

    fn next(&mut self) -> Option<Work> {
        loop {
            if self.shared.stop.load(Relaxed) {
                return None;
            }
            if self.current.is_none() && !self.open_next() {
                return None;
            }
            let (reader, _) = self.current.as_mut()?;
            let item = reader.next();
            self.shared
                .progress
                .bytes
                .store(self.bytes_before + reader.bytes_read(), Relaxed);
            match item {
                Some(Item::Document(document)) => {
                    if let Some(work) = self.number(document) {
                        return Some(work);
                    }
                }
                Some(Item::Skipped(skipped)) => self.shared.skip(&skipped),
                None => self.close_current(),
            }
        }
    }
}

/// 128 bits of a docid, so that a set of millions stays small; two docids share them once in 10^38.
fn fingerprint(docid: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        docid.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

/// Writes the ledger and counts its lines.
struct Ledger {
    path: PathBuf,
    state: Mutex<(BufWriter<File>, BTreeMap<Reason, u64>)>,
}

impl Ledger {
    fn create(directory: &Path) -> Result<Ledger, IndexError> {
        let path = directory.join(LEDGER);
        let file = File::create(&path).map_err(IndexError::io(&path))?;
        Ok(Ledger {
            state: Mutex::new((BufWriter::new(file), BTreeMap::new())),
            path,
        })
    }

    fn write(&self, skipped: &Skipped) -> Result<(), IndexError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state.1.entry(skipped.reason).or_default() += 1;
        serde_json::to_writer(&mut state.0, skipped)
            .map_err(std::io::Error::from)
            .and_then(|()| state.0.write_all(b"\n"))
            .map_err(IndexError::io(&self.path))
    }

    fn finish(self) -> Result<BTreeMap<Reason, u64>, IndexError> {
        let (file, totals) = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let file = file.into_inner().map_err(|error| IndexError::Io {
            path: self.path.clone(),
            source: error.into_error(),
        })?;
        file.sync_all().map_err(IndexError::io(&self.path))?;
        Ok(totals)
    }
}
