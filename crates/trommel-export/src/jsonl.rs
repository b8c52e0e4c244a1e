//! JSON, one object a line.
//!
//! Of pages: `docid`, `url`, `title`, what else can be filtered by (`date`, `language`, `host`, `site`, `media_type`, `page_words`), `num_words` of what
//! passes, and `text`, which is what passes, a block a line; pages of which nothing passes are there too. `trommel index` reads it again, as other
//! tools read texts. Of blocks those that pass: `docid`, `block`, `text`, `tag`, every number of the table of attributes, and by extractor
//! `content(NAME)` and, if it gives them, `confidence(NAME)`.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use trommel_index::Index;

use crate::columns::Column;
use crate::error::ExportError;
use crate::options::{ExportOptions, Exported};
use crate::rows::for_each_batch;
use crate::table;

/// Writes what a filter leaves of an index.
///
/// # Errors
/// Those of reading and writing.
pub fn write(
    index: &Index,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    for_each_batch(index, options, |pages| {
        let columns = table::columns(index, options.unit, pages);
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        for at in 0..rows {
            let row = Row {
                columns: &columns,
                at,
            };
            let mut text = serde_json::to_vec(&row).map_err(std::io::Error::from)?;
            text.push(b'\n');
            out.write_all(&text)?;
        }
        exported.rows += rows as u64;
        Ok(())
    })?;
    Ok(exported)
}

/// A row of a table.
struct Row<'a> {
    columns: &'a [Column],
    at: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.columns.len()))?;
        for (name, column) in self.columns {
            let cell = Cell {
                column,
                at: self.at,
            };
            map.serialize_entry(name, &cell)?;
        }
        map.end()
    }
}

/// A value of a column.
struct Cell<'a> {
    column: &'a ArrayRef,
    at: usize,
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Cell { column, at } = *self;
        if column.is_null(at) {
            return serializer.serialize_none();
        }
        match column.data_type() {
            DataType::Utf8 => serializer.serialize_str(column.as_string::<i32>().value(at)),
            DataType::Boolean => serializer.serialize_bool(column.as_boolean().value(at)),
            DataType::UInt32 => {
                serializer.serialize_u32(column.as_primitive::<UInt32Type>().value(at))
            }
            DataType::UInt64 => {
                serializer.serialize_u64(column.as_primitive::<UInt64Type>().value(at))
            }
            DataType::Float64 => {
                serializer.serialize_f64(column.as_primitive::<Float64Type>().value(at))
            }
            other => Err(S::Error::custom(format!("a column of {other}"))),
        }
    }
}
