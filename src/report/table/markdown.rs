//! GitHub's Markdown.

use std::fmt::Write;

use super::grid::{Align, Table, TableFormat};

pub(super) const FORMAT: TableFormat = TableFormat {
    name: "markdown",
    summary: "GitHub's Markdown, best values bold, daggers for significance",
    is_data: false,
    write: whole,
};

/// Caption, table and notes.
fn whole(table: &Table) -> String {
    let mut text = String::new();
    if !table.caption.is_empty() {
        text += &format!("{}\n\n", table.caption);
    }
    text += &table.markdown();
    for note in &table.notes {
        text += &format!("\n{note}\n");
    }
    text
}

impl Table {
    /// A table of GitHub's Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let line = |text: &mut String, cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        };
        line(&mut text, &self.header);
        let rules: Vec<String> = (0..self.header.len())
            .map(|column| match self.align(column) {
                Align::Left => "---".to_owned(),
                Align::Right => "---:".to_owned(),
            })
            .collect();
        line(&mut text, &rules);
        for (number, row) in self.rows.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(column, cell)| {
                let mark = self.mark(number, column);
                let sign = mark.sure.sign();
                match mark.best {
                    true => format!("**{cell}**{sign}"),
                    false => format!("{cell}{sign}"),
                }
            });
            line(&mut text, &cells.collect::<Vec<_>>());
        }
        text
    }
}
