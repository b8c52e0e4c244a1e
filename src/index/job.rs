//! What the threads of a build have in common.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::ledger::Ledger;
use super::{IndexError, Writer};
use crate::collection::{self, Document, Reason, Skipped};
use crate::html::segment::Segmenter;
use crate::html::{Charset, Limits};
use crate::text::Analyzer;

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

/// What the reader and the workers have in common.
pub(super) struct Job<'a> {
    pub options: &'a BuildOptions,
    pub writer: &'a Writer,
    pub progress: &'a Progress,
    pub ledger: Ledger,
    pub payload_bytes: AtomicU64,
    pub pages_over_parse_limits: AtomicU64,
    /// Set when there is an error: no more documents are handed out.
    pub stop: AtomicBool,
    pub error: Mutex<Option<IndexError>>,
}

impl Job<'_> {
    /// Keeps the first error and stops the build.
    pub fn fail(&self, error: IndexError) {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
        self.stop.store(true, Relaxed);
    }

    /// The error that stopped the build, if one did.
    pub fn take_error(&self) -> Option<IndexError> {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        error.take()
    }

    /// Writes a ledger line; too many failures stop the build.
    pub fn skip(&self, skipped: &Skipped) {
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
