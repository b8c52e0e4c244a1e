//! How to build an index.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use trommel_extract::Extractor;
use trommel_page::html::segment::{self, Segmenter};
use trommel_text::Analyzer;

use crate::build::settings::Reading;

/// How to build an index.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildOptions {
    /// How files become pages.
    pub reading: Reading,
    /// How pages are cut into blocks.
    pub segmenter: Segmenter,
    /// How text becomes terms.
    pub analyzer: Analyzer,
    /// Extractors whose verdicts are stored.
    pub extractors: Vec<Arc<Extractor>>,
    /// Are frequent terms' postings written by page, too? Searches of pages are faster by them, and a little over a tenth of the index is theirs.
    pub page_postings: bool,
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

impl BuildOptions {
    /// Sets [`BuildOptions::reading`].
    #[must_use]
    pub fn with_reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Sets [`BuildOptions::segmenter`].
    #[must_use]
    pub fn with_segmenter(mut self, segmenter: Segmenter) -> Self {
        self.segmenter = segmenter;
        self
    }

    /// Sets [`BuildOptions::analyzer`].
    #[must_use]
    pub fn with_analyzer(mut self, analyzer: Analyzer) -> Self {
        self.analyzer = analyzer;
        self
    }

    /// Sets [`BuildOptions::extractors`].
    #[must_use]
    pub fn with_extractors(mut self, extractors: Vec<Arc<Extractor>>) -> Self {
        self.extractors = extractors;
        self
    }

    /// Sets [`BuildOptions::page_postings`].
    #[must_use]
    pub fn with_page_postings(mut self, page_postings: bool) -> Self {
        self.page_postings = page_postings;
        self
    }

    /// Sets [`BuildOptions::threads`].
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`BuildOptions::memory`].
    #[must_use]
    pub fn with_memory(mut self, memory: usize) -> Self {
        self.memory = memory;
        self
    }

    /// Sets [`BuildOptions::max_bad`].
    #[must_use]
    pub fn with_max_bad(mut self, max_bad: Option<u64>) -> Self {
        self.max_bad = max_bad;
        self
    }

    /// Sets [`BuildOptions::allow_empty`].
    #[must_use]
    pub fn with_allow_empty(mut self, allow_empty: bool) -> Self {
        self.allow_empty = allow_empty;
        self
    }

    /// Sets [`BuildOptions::resume`].
    #[must_use]
    pub fn with_resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }
}

/// The default segmenter, the analyzer `english`, no extractors, a thread a core, 512 MiB.
impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            reading: Reading::default(),
            segmenter: segment::all()[0],
            analyzer: Analyzer::English,
            extractors: Vec::new(),
            page_postings: true,
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

/// The manifest's word for [`BuildOptions::page_postings`], and what it says where there are some and where there are none.
const PAGE_POSTINGS: (&str, [&str; 2]) = ("page-postings", ["yes", "no"]);

/// Were postings by page written, by a manifest's words?
pub(crate) fn has_page_postings(words: &BTreeMap<String, String>) -> bool {
    let (name, [_, no]) = PAGE_POSTINGS;
    words.get(name).is_none_or(|value| value != no)
}

impl BuildOptions {
    /// The manifest's words for what bears on what is in the index.
    pub(crate) fn describe(&self) -> BTreeMap<String, String> {
        let mut words = self.reading.describe();
        let (name, [yes, no]) = PAGE_POSTINGS;
        let value = if self.page_postings { yes } else { no };
        words.insert(name.to_owned(), value.to_owned());
        words
    }

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
    pub(crate) fn budget(&self, taken: usize) -> usize {
        let least = LEAST_MEMORY * self.threads_within_memory();
        self.memory_of_part().saturating_sub(taken).max(least)
    }

    /// Memory in bytes that a build takes at most, where so much is taken by what outlasts parts.
    pub(crate) fn most_memory(&self, taken: u64) -> u64 {
        let least = (LEAST_MEMORY * self.threads_within_memory()) as u64;
        (self.memory as u64).max(taken + least)
    }
}
