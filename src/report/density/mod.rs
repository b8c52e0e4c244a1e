//! The densitometric analysis: tables as text, diagrams as SVG, all of it as one HTML page.

mod diagram;
mod page;
mod section;
mod table;

use crate::experiment::density::Analysis;

pub use diagram::{Diagram, diagrams};
pub use page::html;

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
