//! Renders results: tables as text, plots as SVG.

pub mod chart;
pub mod markup;
pub mod outcome;
pub mod plot;
pub mod sweep;
mod table;

pub use table::{Align, Table};

/// A plot that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the plot cannot be drawn: {0}")]
pub struct ReportError(String);

/// A p-value: four decimals, or that it is below them.
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "<.0001".to_owned(),
        p => format!("{p:.4}"),
    }
}
