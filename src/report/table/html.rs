//! HTML.

use super::grid::{Align, Table};
use crate::text::escape_markup;

impl Table {
    /// A table of HTML. Cells that stand to the right have the class `n`, all but the header's the name of their column as
    /// `data-of`.
    pub fn html(&self) -> String {
        let row = |cells: &[String], tag: &str| {
            let mut text = "<tr>".to_owned();
            for (column, cell) in cells.iter().enumerate() {
                let class = match self.align(column) {
                    Align::Left => "",
                    Align::Right => " class=\"n\"",
                };
                let of = match self.header.get(column).filter(|_| tag == "td") {
                    Some(name) => format!(" data-of=\"{}\"", escape_markup(name.trim())),
                    None => String::new(),
                };
                text += &format!("<{tag}{class}{of}>{}</{tag}>", escape_markup(cell));
            }
            text + "</tr>\n"
        };
        let rows: String = self.rows.iter().map(|cells| row(cells, "td")).collect();
        let header = row(&self.header, "th");
        format!("<table>\n<thead>\n{header}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
    }
}
