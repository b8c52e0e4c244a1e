//! Renders results: tables as text, plots as SVG.

pub mod outcome;
pub mod plot;
mod table;

pub use table::{Align, Table};

/// A plot that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the plot cannot be drawn: {0}")]
pub struct ReportError(String);
