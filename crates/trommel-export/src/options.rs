//! What is written, and what was.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use trommel_index::{Index, Unit};
use trommel_page::filter::Filter;

use crate::error::ExportError;

/// What is written.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Only what passes it.
    pub filter: Filter,
    /// A row a page, with the text that passes, or a row a block; a CIFF file is of pages.
    pub unit: Unit,
    /// How far it has come, and whether it is to end: for other threads.
    pub state: Arc<State>,
}

/// How far an export has come, as other threads see it, and what they tell it.
#[derive(Debug, Default)]
pub struct State {
    /// Ends the export with [`ExportError::Stopped`] as soon as the pages, or the term, are written that are at work.
    pub stop: AtomicBool,
    /// Pages that are done; of a CIFF file terms.
    pub done: AtomicU64,
    /// Of how many; 0 where that is not known.
    pub all: AtomicU64,
}

impl State {
    /// Some more are done.
    ///
    /// # Errors
    /// [`ExportError::Stopped`] if that is wanted.
    pub(crate) fn step(&self, more: u64) -> Result<(), ExportError> {
        self.done.fetch_add(more, Relaxed);
        match self.stop.load(Relaxed) {
            true => Err(ExportError::Stopped),
            false => Ok(()),
        }
    }
}

impl ExportOptions {
    /// Sets [`ExportOptions::filter`].
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Sets [`ExportOptions::unit`].
    #[must_use]
    pub fn with_unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// Sets [`ExportOptions::state`].
    #[must_use]
    pub fn with_state(mut self, state: Arc<State>) -> Self {
        self.state = state;
        self
    }
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    /// Documents of a CIFF file, else rows.
    pub rows: u64,
    /// Postings lists of a CIFF file.
    pub lists: u64,
}

/// Writes an index to an output.
pub type ExportFn =
    fn(&Index, &ExportOptions, &mut (dyn Write + Send)) -> Result<Exported, ExportError>;
