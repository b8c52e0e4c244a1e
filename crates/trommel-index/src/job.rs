//! What the threads of a build have in common.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::ledger::Ledger;
use super::settings::Reading;
use super::source::{Consumer, FirstError};
use super::{IndexError, PageRecord, Writer};
use trommel_archive::{self as collection, Document, Reason, Skipped};
use trommel_extract::Labeler;
use trommel_page::html::segment::{self, Segmenter};
use trommel_text::Analyzer;

/// How to build an index.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// How files become pages.
    pub reading: Reading,
    /// How pages are cut into blocks.
    pub segmenter: Segmenter,
    /// How text becomes terms.
    pub analyzer: Analyzer,
    /// Extractors whose verdicts are stored.
    pub extractors: Vec<Arc<Labeler>>,
    /// Threads that parse pages: no more of them work than the memory has 24 MB for.
    pub threads: usize,
    /// Memory in bytes: when three quarters of it, or 24 MB if that is more, hold what is not on disk yet, a part of the
    /// index is finished; the rest is for pages that are being parsed.
    pub memory: usize,
    /// Stop when more records than this have failed.
    pub max_bad: Option<u64>,
    /// Is an index without pages one? Else it is an error.
    pub allow_empty: bool,
    /// Go on with what an interrupted build left in the directory.
    pub resume: bool,
}

/// As `trommel index` without options: the default segmenter, the analyzer `english`, no extractors, a thread a core, 512 MiB.
impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            reading: Reading::default(),
            segmenter: segment::all()[0],
            analyzer: Analyzer::English,
            extractors: Vec::new(),
            threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            memory: 512 << 20,
            max_bad: None,
            allow_empty: false,
            resume: false,
        }
    }
}

/// Memory for the part being written, in bytes and for each thread, at least: tantivy takes that much before it is full.
const LEAST_MEMORY: usize = 24_000_000;

impl BuildOptions {
    /// Threads that the memory is enough for: no more than asked for, and one at least.
    #[must_use]
    pub fn threads_within_memory(&self) -> usize {
        self.threads
            .min(self.memory_of_part() / LEAST_MEMORY)
            .max(1)
    }

    /// Memory for the part being written, in bytes; the rest is for pages that are being parsed, and for what writing a part takes.
    fn memory_of_part(&self) -> usize {
        self.memory / 4 * 3
    }

    /// Memory for the part being written, where so much is taken by what outlasts it.
    pub(super) fn budget(&self, taken: usize) -> usize {
        let least = LEAST_MEMORY * self.threads_within_memory();
        self.memory_of_part().saturating_sub(taken).max(least)
    }

    /// Memory in bytes that a build takes at most, where so much is taken by what outlasts parts.
    pub(super) fn most_memory(&self, taken: u64) -> u64 {
        let least = (LEAST_MEMORY * self.threads_within_memory()) as u64;
        (self.memory as u64).max(taken + least)
    }
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
    /// Blocks of the pages that were indexed.
    pub blocks: AtomicU64,
    /// Parts that are finished.
    pub parts: AtomicU64,
    /// Of `parts` those that an interrupted build had finished.
    pub parts_before: AtomicU64,
    /// Of `bytes` those that an interrupted build had read, which this one goes on with.
    pub bytes_before: AtomicU64,
}

/// What the reader and the workers have in common.
pub(super) struct Job<'a> {
    pub options: &'a BuildOptions,
    pub writer: &'a Writer,
    /// Memory that the part being written may take, in bytes.
    pub budget: usize,
    pub progress: &'a Progress,
    pub ledger: &'a Ledger,
    pub payload_bytes: &'a AtomicU64,
    pub pages_over_parse_limits: &'a AtomicU64,
    pub error: &'a FirstError,
    /// Held while a large page is worked on.
    pub giant: &'a Mutex<()>,
}

impl Consumer for Job<'_> {
    fn options(&self) -> &collection::Options {
        &self.options.reading.collection
    }

    fn progress(&self) -> &Progress {
        self.progress
    }

    fn stopped(&self) -> bool {
        self.error.is_set() || self.writer.memory() >= self.budget
    }

    fn number(&self, _: &Document) -> Result<u32, IndexError> {
        let blocks = self.writer.counts().blocks;
        self.progress.blocks.store(blocks, Relaxed);
        self.writer.number()
    }

    fn fail(&self, error: IndexError) {
        self.error.set(error);
    }

    /// Writes a ledger line; too many failures stop the build.
    fn skip(&self, skipped: &Skipped) {
        match self.ledger.write(skipped) {
            Ok(failures) => {
                self.progress.failures.store(failures, Relaxed);
                if self.options.max_bad.is_some_and(|most| failures > most) {
                    self.fail(IndexError::TooManyBad(failures));
                }
            }
            Err(error) => self.fail(error),
        }
    }
}

/// The ledger line of a document.
pub(super) fn document_line(document: &Document, reason: Reason, detail: &str) -> Skipped {
    Skipped {
        file: document.file.clone(),
        offset: document.offset,
        docid: Some(document.docid.clone()),
        reason,
        detail: detail.to_owned(),
    }
}

/// The ledger line of a page that is in an index.
pub(super) fn document_line_of_page(page: &PageRecord, reason: Reason, detail: &str) -> Skipped {
    Skipped {
        file: page.file.as_str().into(),
        offset: page.offset,
        docid: Some(page.docid.clone()),
        reason,
        detail: detail.to_owned(),
    }
}
