//! An index as a filter leaves it, in the formats of others.
//!
//! [`all`] lists them, a row and a file each: [`ciff`] is the inverted index, [`parquet`] and [`jsonl`] are pages or blocks as rows.

pub mod ciff;
pub mod columns;
mod error;
pub mod jsonl;
mod options;
pub mod parquet;
mod rows;
mod table;

pub use error::ExportError;
pub use options::{ExportFn, ExportOptions, Exported, State};

/// A format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// As users type it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Writes it.
    pub write: ExportFn,
}

/// All formats.
pub fn all() -> &'static [Format] {
    &[
        Format {
            name: "jsonl",
            summary: "JSON, an object a page or block, one a line",
            write: jsonl::write,
        },
        Format {
            name: "parquet",
            summary: "Parquet, a row a page or block",
            write: parquet::write,
        },
        Format {
            name: "ciff",
            summary: "the inverted index in the Common Index File Format",
            write: ciff::write,
        },
    ]
}

/// The format of a name.
pub fn by_name(name: &str) -> Option<&'static Format> {
    all().iter().find(|format| format.name == name)
}
