//! Renders results: tables as text, plots as SVG, pages as HTML.

pub mod chart;
pub mod compare;
pub mod density;
pub mod eval;
mod facts;
pub mod metadata;
pub mod notes;
pub mod outcome;
pub mod plot;
pub mod score;
mod shown;
pub mod sweep;
mod table;

pub use facts::{Searched, SweepInputs, sweep_facts};
pub use shown::{counted, p_value, printable, printable_lines};
pub use table::{Align, Mark, Sure, Table, TableFormat, table_formats, wrap, write_tables};
