//! Documents of a collection in input order, numbered, for the threads that parse them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use trommel_archive as collection;
use trommel_archive::{Document, Input, Item, Reader, Reason, Skipped};

use crate::build::lines::document_line;
use crate::build::progress::Progress;
use crate::build::state::Position;
use crate::format::error::IndexError;
use crate::format::manifest::InputEntry;

/// The first error of a job of several threads; when there is one, no more documents are handed out.
#[derive(Default)]
pub(crate) struct FirstError {
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

/// A document with its number.
pub(crate) struct Work<N> {
    pub number: N,
    pub document: Document,
}

/// Whoever reads a source: what it is told, and what it decides.
pub(crate) trait Consumer: Sync {
    /// What stands for the place of a document among the others.
    type Number: Send;

    /// How files are read.
    fn options(&self) -> &collection::Options;
    /// Where to note how far reading has come.
    fn progress(&self) -> &Progress;
    /// Is no more wanted for now?
    fn stopped(&self) -> bool;
    /// What is no document, or not the first of its docid.
    fn skip(&self, skipped: &Skipped);
    /// The number of the next document.
    fn number(&self, document: &Document) -> Result<Self::Number, IndexError>;
    /// Reading ends for this reason.
    fn fail(&self, error: IndexError);
}

/// Threads for a job.
///
/// # Errors
/// [`IndexError::Threads`].
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, IndexError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .map_err(|error| IndexError::Threads(error.to_string()))
}

/// Documents of all inputs in order. What is no document, and what repeats a docid, goes to the ledger.
pub(crate) struct Source<'a> {
    inputs: &'a [Input],
    /// The input that is open, or to be opened next.
    at: usize,
    reader: Option<Reader>,
    /// Items of it that were taken.
    items: u64,
    /// Items of it that a build before took: they are read again and dropped.
    skip: u64,
    /// Stored bytes of the inputs that are done.
    bytes_before: u64,
    seen: HashSet<u128>,
    /// The files that were read, for the manifest.
    entries: Vec<InputEntry>,
    /// Where to stop in each file, in stored bytes; none to read all of it.
    pub most_bytes: Option<u64>,
}

impl<'a> Source<'a> {
    pub fn new(inputs: &'a [Input]) -> Self {
        Source::go_on(inputs, &Position::default(), Vec::new(), [].into_iter())
    }

    /// Goes on from where a build before stopped: these files are done, and these docids seen.
    pub fn go_on<'b>(
        inputs: &'a [Input],
        position: &Position,
        entries: Vec<InputEntry>,
        docids: impl Iterator<Item = &'b str>,
    ) -> Self {
        let at = position.input.min(inputs.len());
        Source {
            inputs,
            at,
            reader: None,
            items: 0,
            skip: position.items,
            bytes_before: inputs[..at].iter().filter_map(|input| input.size).sum(),
            seen: docids.map(fingerprint).collect(),
            entries,
            most_bytes: None,
        }
    }

    /// Hands documents to the threads of a pool until there are no more or the consumer pauses; all that were handed out have
    /// been worked on then.
    pub fn run<C: Consumer>(
        &mut self,
        consumer: &C,
        pool: &ThreadPool,
        each: impl Fn(Work<C::Number>) + Send + Sync,
    ) {
        let numbered = Numbered {
            source: self,
            consumer,
        };
        pool.install(|| numbered.par_bridge().for_each(each));
    }

    /// Has everything been read?
    pub fn is_done(&self) -> bool {
        self.reader.is_none() && self.at == self.inputs.len()
    }

    /// Where reading goes on.
    pub fn position(&self) -> Position {
        let read = self.reader.as_ref().and_then(Reader::digest_so_far);
        Position {
            input: self.at,
            items: if self.reader.is_some() {
                self.items
            } else {
                self.skip
            },
            bytes: read.as_ref().map_or(0, |(bytes, _)| *bytes),
            sha256: read.map(|(_, sha256)| sha256),
        }
    }

    /// The files that were read, for the manifest.
    pub fn entries(&self) -> &[InputEntry] {
        &self.entries
    }

    /// Stored bytes of the files that were read, to their end or as far as was asked for.
    pub fn bytes_before(&self) -> u64 {
        self.bytes_before
    }

    /// What the docids that were seen take, in bytes, about.
    pub fn memory(&self) -> usize {
        self.seen.capacity() * (size_of::<u128>() + 1)
    }

    /// Opens the next input that can be opened; false if there is none left.
    fn open_next(&mut self, consumer: &impl Consumer) -> bool {
        while let Some(input) = self.inputs.get(self.at) {
            self.items = 0;
            match collection::open(input, consumer.options()) {
                Ok(reader) => {
                    self.reader = Some(reader);
                    return true;
                }
                Err(error) => {
                    (self.at, self.skip) = (self.at + 1, 0);
                    self.bytes_before += input.size.unwrap_or(0);
                    consumer.skip(&Skipped {
                        file: input.name.clone(),
                        offset: 0,
                        docid: None,
                        reason: Reason::UnreadableFile,
                        records: 1,
                        detail: error.to_string(),
                    });
                }
            }
        }
        false
    }

    fn close_current(&mut self) {
        let (Some(reader), Some(input)) = (self.reader.take(), self.inputs.get(self.at)) else {
            return;
        };
        (self.at, self.skip) = (self.at + 1, 0);
        self.bytes_before += reader.bytes_read();
        self.entries.push(InputEntry {
            path: input.name.to_string(),
            relative: input.relative.clone(),
            record: input.record.clone(),
            bytes: input.size,
            sha256: reader.sha256(),
        });
    }

    fn number<C: Consumer>(&mut self, document: Document, consumer: &C) -> Option<Work<C::Number>> {
        if !self.seen.insert(fingerprint(&document.docid)) {
            let detail = "a page of this docid came before";
            consumer.skip(&document_line(&document, Reason::DuplicateDocid, detail));
            return None;
        }
        match consumer.number(&document) {
            Ok(number) => {
                consumer.progress().pages.fetch_add(1, Relaxed);
                Some(Work { number, document })
            }
            Err(error) => {
                consumer.fail(error);
                None
            }
        }
    }

    fn next<C: Consumer>(&mut self, consumer: &C) -> Option<Work<C::Number>> {
        loop {
            if consumer.progress().stop.load(Relaxed) {
                consumer.fail(IndexError::Stopped);
            }
            if consumer.stopped() {
                return None;
            }
            if self.reader.is_none() && !self.open_next(consumer) {
                return None;
            }
            let reader = self.reader.as_mut()?;
            let has_enough = self
                .most_bytes
                .is_some_and(|most| reader.bytes_read() >= most);
            let item = if has_enough { None } else { reader.next() };
            let bytes = self.bytes_before + reader.bytes_read();
            // What is read again does not count again.
            consumer.progress().bytes.fetch_max(bytes, Relaxed);
            self.items += u64::from(item.is_some());
            match item {
                None => self.close_current(),
                Some(_) if self.items <= self.skip => {}
                Some(Item::Document(document)) => {
                    if let Some(work) = self.number(document, consumer) {
                        return Some(work);
                    }
                }
                Some(Item::Skipped(skipped)) => consumer.skip(&skipped),
            }
        }
    }
}

/// Documents with their numbers, until the consumer has had enough.
struct Numbered<'a, 'b, C> {
    source: &'a mut Source<'b>,
    consumer: &'a C,
}

impl<C: Consumer> Iterator for Numbered<'_, '_, C> {
    type Item = Work<C::Number>;

    fn next(&mut self) -> Option<Work<C::Number>> {
        self.source.next(self.consumer)
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
