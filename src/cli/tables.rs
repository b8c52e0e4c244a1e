//! The formats of tables on the command line.

use trommel::report::{Table, table_formats, write_tables};

/// What is printed.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// Tables for the terminal
    #[default]
    Text,
    /// JSON, as --json
    Json,
    /// Comma-separated values: one table of all figures
    Csv,
    /// LaTeX tables for papers (booktabs): best values bold, daggers for significance
    Latex,
    /// Tables of Markdown, marked alike
    Markdown,
}

/// In which format results are printed.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct TableArgs {
    /// Output format
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "text|json|csv|latex|markdown"
    )]
    format: TableFormat,
    /// Print JSON, the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl TableArgs {
    /// The format asked for.
    pub fn format(&self) -> TableFormat {
        match self.json {
            true => TableFormat::Json,
            false => self.format,
        }
    }
}

/// Tables as text, JSON aside: `data` is one table of all figures, `tables` are for people, `text` is for terminals.
pub fn in_format(
    format: TableFormat,
    data: impl FnOnce() -> Table,
    tables: impl FnOnce() -> Vec<Table>,
    text: impl FnOnce() -> String,
) -> String {
    match format {
        TableFormat::Csv => written("csv", &[data()]),
        TableFormat::Latex => written("latex", &tables()),
        TableFormat::Markdown => written("markdown", &tables()),
        TableFormat::Text | TableFormat::Json => text(),
    }
}

/// Tables in the format of a name.
pub fn written(format: &str, tables: &[Table]) -> String {
    let mut formats = table_formats().iter();
    formats
        .find(|row| row.name == format)
        .map_or_else(String::new, |row| write_tables(tables, row))
}
