//! What the threads of a build have in common.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use trommel_archive as collection;
use trommel_archive::{Document, Skipped};

use crate::build::options::BuildOptions;
use crate::build::progress::Progress;
use crate::build::source::{Consumer, FirstError};
use crate::build::writer::{PageNumber, Writer};
use crate::format::error::IndexError;
use crate::format::ledger::Ledger;

/// What the reader and the workers have in common.
pub(crate) struct Job<'a> {
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
    type Number = PageNumber;

    fn options(&self) -> &collection::Options {
        &self.options.reading.collection
    }

    fn progress(&self) -> &Progress {
        self.progress
    }

    fn stopped(&self) -> bool {
        self.error.is_set() || self.writer.memory() >= self.budget
    }

    fn number(&self, _: &Document) -> Result<PageNumber, IndexError> {
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
