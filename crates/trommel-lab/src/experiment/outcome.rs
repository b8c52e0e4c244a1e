//! What an experiment gives: tables and curves as plain data, and how they compare with published figures.

use serde::Serialize;

use super::definition::Definition;
use crate::LabError;

/// The results of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Heading.
    pub title: String,
    /// What a reader should know first.
    pub about: String,
    /// What is not wrong, but should be known before the figures are believed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Tables of figures.
    pub tables: Vec<Figures>,
    /// Learnt rules, each with a heading: lines of text.
    pub rules: Vec<(String, String)>,
    /// Curves.
    pub curves: Vec<Curves>,
    /// The figures for which there are published ones.
    pub checks: Vec<Check>,
    /// Texts to be kept beside the report, by the names of their files.
    #[serde(skip)]
    pub files: Vec<(String, String)>,
}

/// A table of figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Its name.
    pub name: String,
    /// What a reader must know of the columns, for instance what p-values are corrected for; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Heads the column of the rows' names.
    pub of: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows with their figures; none where a figure does not apply.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// Digits after the point, for each column.
    pub decimals: Vec<usize>,
}

/// Curves of one diagram: pages by their value.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Curves {
    /// Name of the diagram, fit for a file.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// What the values are, 0..=1.
    pub unit: String,
    /// Names of the curves with a value for each page.
    pub curves: Vec<(String, Vec<f64>)>,
}

/// A figure and its published counterpart.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Check {
    /// Name of the table.
    pub table: String,
    /// Name of the row.
    pub row: String,
    /// Name of the column.
    pub column: String,
    /// What was measured.
    pub measured: f64,
    /// What was published.
    pub paper: f64,
    /// How far the two lie apart: in the figure's unit, or in percent of the published one.
    pub difference: f64,
    /// How far they may.
    pub tolerance: f64,
    /// Why they may lie apart further than the table's tolerance.
    pub why: Option<String>,
    /// Do they lie as close as that?
    pub met: bool,
}

impl Outcome {
    /// Compares the tables with the published ones.
    ///
    /// # Errors
    /// A published figure for which there is no figure, and rows of another length than the table has columns.
    pub fn check(&mut self, definition: &Definition) -> Result<(), LabError> {
        let wrong = |text: String| LabError::Definition(text);
        for paper in &definition.table {
            let own = self
                .tables
                .iter()
                .find(|table| table.name == paper.name)
                .ok_or_else(|| wrong(format!("there is no table '{}'", paper.name)))?;
            for (row, published) in &paper.rows {
                if published.len() != paper.columns.len() {
                    return Err(wrong(format!(
                        "'{}': {row} has {} figures for {} columns",
                        paper.name,
                        published.len(),
                        paper.columns.len()
                    )));
                }
                for (column, published) in paper.columns.iter().zip(published) {
                    let measured = own.figure(row, column).ok_or_else(|| {
                        wrong(format!("'{}' has no figure {row}, {column}", paper.name))
                    })?;
                    let deviation = definition.deviation.iter().find(|deviation| {
                        let fits = |name: &Option<String>, own: &str| {
                            name.as_deref().is_none_or(|name| name == own)
                        };
                        paper.name.starts_with(&deviation.table)
                            && fits(&deviation.row, row)
                            && fits(&deviation.column, column)
                    });
                    let scale = if paper.relative {
                        100.0 / published
                    } else {
                        1.0
                    };
                    let difference = (measured - published) * scale;
                    let tolerance = deviation.map_or(paper.tolerance, |deviation| deviation.within);
                    self.checks.push(Check {
                        table: paper.name.clone(),
                        row: row.clone(),
                        column: column.clone(),
                        measured,
                        paper: *published,
                        difference,
                        tolerance,
                        why: deviation
                            .filter(|_| difference.abs() > paper.tolerance)
                            .map(|deviation| deviation.why.clone()),
                        met: difference.abs() <= tolerance,
                    });
                }
            }
        }
        Ok(())
    }

    /// The check of a figure, if it has a published counterpart.
    pub fn check_of(&self, table: &str, row: &str, column: &str) -> Option<&Check> {
        self.checks
            .iter()
            .find(|check| check.table == table && check.row == row && check.column == column)
    }
}

impl Check {
    /// Digits after the point that show a difference of the size of the tolerance.
    pub fn decimals(&self) -> usize {
        if self.tolerance < 0.5 { 3 } else { 1 }
    }
}

impl Figures {
    /// A figure by the names of its row and column.
    pub fn figure(&self, row: &str, column: &str) -> Option<f64> {
        let (_, figures) = self.rows.iter().find(|(name, _)| name == row)?;
        let place = self.columns.iter().position(|name| name == column)?;
        figures.get(place).copied().flatten()
    }
}
