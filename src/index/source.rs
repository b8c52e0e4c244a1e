//! Documents of a collection in input order, numbered, for the threads that parse them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};

use super::IndexError;
use super::job::{Progress, document_line};
use super::manifest::InputEntry;
use crate::collection::{self, Document, Input, Item, Reader, Reason, Skipped};

/// The first error of a job of several threads; when there is one, no more documents are handed out.
#[derive(Default)]
pub(super) struct FirstError {
    set: AtomicBool,
    error: Mutex<Option<IndexError>>,
}

impl FirstError {
    /// Keeps the error, if it is the first.
    pub fn set(&self, error: IndexError) {
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
        self.set.store(true, Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.set.load(Relaxed)
    }

    pub fn take(&self) -> Option<IndexError> {
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take()
    }
}

/// Hands the documents of all inputs to as many threads. Gives the files that were read, for the manifest.
///
/// # Errors
/// [`IndexError::Threads`]. What goes wrong with documents is the consumer's to know.
pub(super) fn for_each(
    inputs: &[Input],
    consumer: &dyn Consumer,
    threads: usize,
    each: impl Fn(Work) + Send + Sync,
) -> Result<Vec<InputEntry>, IndexError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .map_err(|error| IndexError::Threads(error.to_string()))?;
    let mut source = Source::new(inputs, consumer);
    pool.install(|| source.by_ref().par_bridge().for_each(each));
    Ok(source.entries)
}

/// A document with its number.
pub(super) struct Work {
    pub number: u32,
    pub document: Document,
}

/// Whoever reads a source: what it is told, and what it decides.
pub(super) trait Consumer: Sync {
    /// How files are read.
    fn options(&self) -> &collection::Options;
    /// Where to note how far reading has come.
    fn progress(&self) -> &Progress;
    /// Is no more wanted?
    fn stopped(&self) -> bool;
    /// What is no document, or not the first of its docid.
    fn skip(&self, skipped: &Skipped);
    /// The number of the next document.
    fn number(&self, document: &Document) -> Result<u32, IndexError>;
    /// Reading ends for this reason.
    fn fail(&self, error: IndexError);
}

/// Documents of all inputs in order, each with the next number. What is no document, and what repeats a docid, goes to
/// the ledger.
struct Source<'a> {
    consumer: &'a dyn Consumer,
    inputs: std::slice::Iter<'a, Input>,
    current: Option<(Reader, &'a Input)>,
    /// Stored bytes of the inputs that are done.
    bytes_before: u64,
    seen: HashSet<u128>,
    /// The files that were read, for the manifest.
    entries: Vec<InputEntry>,
}

impl<'a> Source<'a> {
    fn new(inputs: &'a [Input], consumer: &'a dyn Consumer) -> Self {
        Source {
            consumer,
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
            match collection::open(input, self.consumer.options()) {
                Ok(reader) => {
                    self.current = Some((reader, input));
                    return true;
                }
                Err(error) => {
                    self.consumer.skip(&Skipped {
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
            relative: input.relative.clone(),
            record: input.record.clone(),
            bytes: input.size,
            sha256: reader.sha256(),
        });
    }

    fn number(&mut self, document: Document) -> Option<Work> {
        if !self.seen.insert(fingerprint(&document.docid)) {
            let detail = "a page of this docid came before";
            self.consumer
                .skip(&document_line(&document, Reason::DuplicateDocid, detail));
            return None;
        }
        match self.consumer.number(&document) {
            Ok(number) => {
                self.consumer.progress().pages.fetch_add(1, Relaxed);
                Some(Work { number, document })
            }
            Err(error) => {
                self.consumer.fail(error);
                None
            }
        }
    }
}

impl Iterator for Source<'_> {
    type Item = Work;

    fn next(&mut self) -> Option<Work> {
        loop {
            if self.consumer.stopped() {
                return None;
            }
            if self.current.is_none() && !self.open_next() {
                return None;
            }
            let (reader, _) = self.current.as_mut()?;
            let item = reader.next();
            self.consumer
                .progress()
                .bytes
                .store(self.bytes_before + reader.bytes_read(), Relaxed);
            match item {
                Some(Item::Document(document)) => {
                    if let Some(work) = self.number(document) {
                        return Some(work);
                    }
                }
                Some(Item::Skipped(skipped)) => self.consumer.skip(&skipped),
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
