//! A table as plain data, and what a format of tables is.

use std::collections::BTreeMap;

/// A table of cells that are text already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Where the cells of each column stand; columns without a word here stand to the right.
    pub align: Vec<Align>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// What is said of cells, by row and column.
    pub marks: BTreeMap<(usize, usize), Mark>,
    /// What it shows; above it, or its caption.
    pub caption: String,
    /// What has to be known to read it, a sentence each.
    pub notes: Vec<String>,
}

/// What is said of a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// The best of its column: bold, where a format has that.
    pub best: bool,
    /// How sure it is that the value is not the baseline's.
    pub sure: Sure,
}

/// How sure a difference is, as papers mark it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sure {
    /// It may be chance, or was not tested.
    #[default]
    No,
    /// p below .05: a dagger.
    Dagger,
    /// p below .01: a double dagger.
    Double,
}

impl Sure {
    /// How sure a p-value makes one.
    pub fn of(p: f64) -> Sure {
        match p {
            p if p < 0.01 => Sure::Double,
            p if p < 0.05 => Sure::Dagger,
            _ => Sure::No,
        }
    }

    /// The sign of text formats.
    pub fn sign(self) -> &'static str {
        match self {
            Sure::No => "",
            Sure::Dagger => "†",
            Sure::Double => "‡",
        }
    }

    /// What the signs mean; `test` and `family` say by which test and corrected for what.
    pub fn note(test: &str, family: &str) -> String {
        format!("† p < .05, ‡ p < .01: {test}, two-sided, with Holm's correction for {family}.")
    }
}

/// A format that tables are written in.
#[derive(Debug, Clone, Copy)]
pub struct TableFormat {
    /// Its name in flags.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Is one table of plain values wanted, without marks, rather than tables for people?
    pub is_data: bool,
    /// Writes a table.
    pub write: fn(&Table) -> String,
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
            ..Table::default()
        }
    }

    /// Marks the highest value of each of these columns as the best, wherever it stands; values are compared as they are shown. Without
    /// at least two different values nothing is best.
    pub fn mark_best(&mut self, columns: impl IntoIterator<Item = usize>) {
        for column in columns {
            let value = |row: &Vec<String>| row.get(column)?.trim().parse::<f64>().ok();
            let values: Vec<Option<f64>> = self.rows.iter().map(value).collect();
            let known = || values.iter().flatten().copied();
            let Some(best) = known().max_by(f64::total_cmp) else {
                continue;
            };
            if known().all(|value| value == best) {
                continue;
            }
            for row in (0..values.len()).filter(|row| values[*row] == Some(best)) {
                self.marks.entry((row, column)).or_default().best = true;
            }
        }
    }

    /// What is said of a cell.
    pub(super) fn mark(&self, row: usize, column: usize) -> Mark {
        self.marks.get(&(row, column)).copied().unwrap_or_default()
    }

    /// Adds a row.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// The side on which the cells of a column stand.
    pub(super) fn align(&self, column: usize) -> Align {
        self.align.get(column).copied().unwrap_or_default()
    }
}
