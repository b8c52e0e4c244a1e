//! Comma-separated values, as RFC 4180 has them, but with plain line feeds.

use super::grid::{Table, TableFormat};

pub(super) const FORMAT: TableFormat = TableFormat {
    name: "csv",
    summary: "comma-separated values with a header, one table of all figures",
    is_data: true,
    write,
};

fn write(table: &Table) -> String {
    let mut text = line(&table.header);
    for row in &table.rows {
        text += &line(row);
    }
    text
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    cells.join(",") + "\n"
}

/// A cell, in quotation marks where it would be read otherwise.
fn quoted(cell: &str) -> String {
    let is_odd = |c: char| matches!(c, ',' | '"' | '\n' | '\r');
    match cell.contains(is_odd) || cell.starts_with(' ') || cell.ends_with(' ') {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
