//! Renders results: tables as text, plots as SVG, pages as HTML.

pub mod chart;
pub mod density;
pub mod outcome;
pub mod plot;
pub mod sweep;
mod table;

pub use table::{Align, Table};

/// A p-value: four decimals, or that it is below them.
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "<.0001".to_owned(),
        p => format!("{p:.4}"),
    }
}
