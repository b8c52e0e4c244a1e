//! How a table can be written in Markdown.

use super::node::{Kind, Structure};

/// How a table can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As a table of GitHub Flavored Markdown.
    Plain,
    /// As HTML: cells take up several columns or rows, or have in them what no line can hold.
    Markup,
    /// As what is in its cells, one after the other: it is there for its looks.
    Unwrapped,
}

/// What a table has in it.
#[derive(Debug, Default)]
struct Found {
    rows: usize,
    columns: usize,
    headers: usize,
    /// Most cells with text in a row.
    most_filled: usize,
    has_spans: bool,
    has_blocks: bool,
    has_tables: bool,
    is_layout: bool,
}

/// How a table can be written.
pub(super) fn way(structure: &Structure, table: usize) -> Way {
    let found = look(structure, table);
    if found.is_layout || found.has_tables || found.most_filled <= 1 {
        return Way::Unwrapped;
    }
    // One row without a header says nothing that its cells do not, unless they are words.
    if found.rows == 1 && found.headers == 0 && (found.has_blocks || found.columns == 2) {
        return Way::Unwrapped;
    }
    match found.has_spans || found.has_blocks {
        true => Way::Markup,
        false => Way::Plain,
    }
}

fn look(structure: &Structure, table: usize) -> Found {
    let mut found = Found::default();
    if let Some(node) = structure.nodes.get(table) {
        found.is_layout = node.kind == Kind::Table { layout: true };
    }
    let mut filled = 0;
    let mut columns = 0;
    for (number, node) in structure.inside(table) {
        match node.kind {
            Kind::Table { .. } => {
                found.has_tables = true;
                return found;
            }
            Kind::Row { .. } => {
                found.rows += 1;
                (filled, columns) = (0, 0);
            }
            Kind::Cell {
                header,
                columns: across,
                rows,
            } => {
                let is_empty = structure.is_empty(number);
                filled += usize::from(!is_empty);
                columns += 1;
                found.most_filled = found.most_filled.max(filled);
                found.columns = found.columns.max(columns);
                found.headers += usize::from(header);
                found.has_spans |= across > 1 || rows > 1;
            }
            Kind::List(_) | Kind::Code(_) | Kind::Quote | Kind::Terms | Kind::Rule => {
                found.has_blocks = true;
            }
            Kind::Math { display: true, .. } => found.has_blocks = true,
            _ => {}
        }
    }
    found
}
