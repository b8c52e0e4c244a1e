//! Text for terminals.

use super::grid::{Align, Table};

/// What parts two columns.
const GAP: &str = "  ";

/// The least width that a column of text is wrapped to, if no word of it is longer.
const LEAST: usize = 8;

impl Table {
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

    /// [`Table::text`] in lines of at most so many characters. A table that is wider is changed in this order, until it fits: names of
    /// columns and cells are wrapped between words, the widest column first; then the columns stand in several tables one below the
    /// other, in their order, each with the first column. Only a single column that is wider stays so.
    pub fn fitted(&self, width: Option<usize>) -> String {
        let Some(width) = width else {
            return self.text();
        };
        let columns: Vec<usize> = (0..self.header.len()).collect();
        let widths: Vec<usize> = columns
            .iter()
            .map(|at| self.widest(*at, str::len_of))
            .collect();
        if total(&widths) <= width {
            return self.text();
        }
        let mut tables = Vec::new();
        let mut rest = &columns[1.min(columns.len())..];
        loop {
            let mut taken = rest.len();
            // As many columns as fit, wrapped as far as their words allow.
            let widths = loop {
                let own: Vec<usize> = columns[..1].iter().chain(&rest[..taken]).copied().collect();
                match self.wrapped(&own, width) {
                    Some(widths) => break widths,
                    None if taken > 1 => taken -= 1,
                    None => {
                        break own.iter().map(|at| self.least(*at)).collect();
                    }
                }
            };
            let own: Vec<usize> = columns[..1].iter().chain(&rest[..taken]).copied().collect();
            tables.push(self.lines(&own, &widths));
            rest = &rest[taken..];
            if rest.is_empty() {
                return tables.join("\n");
            }
        }
    }

    /// The greatest width of a column's cells, as a function has it of each.
    fn widest(&self, column: usize, of: fn(&str) -> usize) -> usize {
        let rows = std::iter::once(&self.header).chain(&self.rows);
        let cells = rows.filter_map(|row| row.get(column));
        cells.map(|cell| of(cell.trim_end())).max().unwrap_or(0)
    }

    /// The least width of a column: its name and texts can be wrapped between words, but not what stands to the right, which are numbers.
    fn least(&self, column: usize) -> usize {
        let name = self.header.get(column).map_or(0, |name| longest_word(name));
        let of = match self.align(column) {
            Align::Left => longest_word,
            Align::Right => |cell: &str| cell.len_of(),
        };
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| of(cell.trim_end()))
            .max()
            .unwrap_or(0)
            .max(name)
    }

    /// Widths of columns that fit together; none if their words are too long.
    fn wrapped(&self, columns: &[usize], width: usize) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = columns
            .iter()
            .map(|at| self.widest(*at, str::len_of))
            .collect();
        let least: Vec<usize> = columns
            .iter()
            .map(|at| self.least(*at))
            .zip(&widths)
            .map(|(least, whole)| least.max(LEAST.min(*whole)))
            .collect();
        while total(&widths) > width {
            let wide = (0..widths.len()).filter(|at| widths[*at] > least[*at]);
            let widest = wide.max_by_key(|at| (widths[*at], usize::MAX - at))?;
            widths[widest] -= 1;
        }
        Some(widths)
    }

    /// Some columns with cells that are wrapped to these widths.
    fn lines(&self, columns: &[usize], widths: &[usize]) -> String {
        let mut text = String::new();
        for (number, row) in std::iter::once(&self.header).chain(&self.rows).enumerate() {
            let cells: Vec<Vec<String>> = columns
                .iter()
                .zip(widths)
                .map(|(at, width)| wrap(row.get(*at).map_or("", |cell| cell.trim_end()), *width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for level in 0..height {
                let mut line = String::new();
                for (place, ((at, width), lines)) in
                    columns.iter().zip(widths).zip(&cells).enumerate()
                {
                    // Names of columns stand on the rows.
                    let from = if number == 0 { height - lines.len() } else { 0 };
                    let part = level.checked_sub(from).and_then(|level| lines.get(level));
                    let part = part.map_or("", String::as_str);
                    let gap = if place == 0 { "" } else { GAP };
                    let fill = " ".repeat(width.saturating_sub(part.len_of()));
                    line += &match self.align(*at) {
                        Align::Left => format!("{gap}{part}{fill}"),
                        Align::Right => format!("{gap}{fill}{part}"),
                    };
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        text
    }
}

/// Characters of a text.
trait LenOf {
    fn len_of(&self) -> usize;
}

impl LenOf for str {
    fn len_of(&self) -> usize {
        self.chars().count()
    }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(str::len_of).max().unwrap_or(0)
}

/// Lines of whole words, at most so wide where the words are not longer; at least one.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else {
            break;
        };
        match line.is_empty() {
            true => line.push_str(word),
            false if line.len_of() + 1 + word.len_of() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            false => lines.push(word.to_owned()),
        }
    }
    lines
}
