//! What is written, and what was.

use std::io::Write;

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
