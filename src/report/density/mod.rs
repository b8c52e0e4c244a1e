//! The densitometric analysis: tables as text, diagrams as SVG, all of it as one HTML page.

mod diagram;
mod page;
mod table;

pub use diagram::{Diagram, diagrams};
pub use page::html;

use crate::experiment::density::Analysis;
use crate::report::Table;

/// What is said of one of the papers' questions.
struct Section {
    /// Its name in addresses.
    id: &'static str,
    heading: String,
    note: String,
    /// Tables with what stands above them.
    tables: Vec<(String, Table)>,
}

/// All tables as text, for terminals.
pub fn text(analysis: &Analysis) -> String {
    let mut text = String::new();
    for section in table::sections(analysis) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("# {}\n", section.heading);
        if !section.note.is_empty() {
            text += &format!("{}\n", section.note);
        }
        for (caption, table) in &section.tables {
            match caption.is_empty() {
                true => text.push('\n'),
                false => text += &format!("\n{caption}\n"),
            }
            text += &table.text();
        }
    }
    text
}

/// A share in percent, with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
