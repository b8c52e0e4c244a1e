//! Tables.

use std::fmt::Write;

use crate::text::escape_markup;

/// A table of cells that are text already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Where the cells of each column stand; columns without a word here stand to the right.
    pub align: Vec<Align>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// The side on which the cells of a column stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// Left: names.
    Left,
    /// Right: numbers.
    #[default]
    Right,
}

impl Table {
    /// A table of these columns, the first to the left, the others to the right.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Table {
        Table {
            header: header.into_iter().map(Into::into).collect(),
            align: vec![Align::Left],
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    fn align(&self, column: usize) -> Align {
        self.align.get(column).copied().unwrap_or_default()
    }

    /// Columns parted by two spaces, for terminals.
    pub fn text(&self) -> String {
        let rows = || std::iter::once(&self.header).chain(&self.rows);
        let width = |column: usize| {
            let cells = rows().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let mut text = String::new();
        for row in rows() {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                let fill = " ".repeat(width - cell.chars().count());
                line += &match self.align(column) {
                    Align::Left => format!("{gap}{cell}{fill}"),
                    Align::Right => format!("{gap}{fill}{cell}"),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

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
        for row in &self.rows {
            line(&mut text, row);
        }
        text
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_forms() {
        let mut table = Table::new(["name", "F1"]);
        table.push(["a|b", "9.5"]);
        table.push(["longer", "10.5"]);
        assert_eq!(table.text(), "name      F1\na|b      9.5\nlonger  10.5\n");
        assert_eq!(
            table.markdown(),
            "| name | F1 |\n| --- | ---: |\n| a\\|b | 9.5 |\n| longer | 10.5 |\n"
        );
        table.rows.truncate(1);
        table.push(["a<b", ""]);
        assert_eq!(
            table.html().replace('\n', ""),
            "<table><thead><tr><th>name</th><th class=\"n\">F1</th></tr></thead><tbody>\
             <tr><td data-of=\"name\">a|b</td><td class=\"n\" data-of=\"F1\">9.5</td></tr>\
             <tr><td data-of=\"name\">a&lt;b</td><td class=\"n\" data-of=\"F1\"></td></tr></tbody></table>"
        );
    }
}
