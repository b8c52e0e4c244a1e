//! Parquet, compressed by zstd: the columns are the keys of [`crate::jsonl`].

use std::io::Write;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use trommel_index::Index;

use crate::error::ExportError;
use crate::options::{ExportOptions, Exported};
use crate::rows::{PageRow, for_each_batch};
use crate::table;

/// Rows of a group: readers take one at a time.
const GROUP: usize = 1 << 17;

/// Writes what a filter leaves of an index.
///
/// # Errors
/// Those of reading and writing.
pub fn write(
    index: &Index,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<Exported, ExportError> {
    let columns = |pages: &[PageRow]| table::columns(index, options.unit, pages);
    // Of no page there are the same columns.
    let fields = columns(&[]).into_iter();
    let fields = fields.map(|(name, column)| Field::new(name, column.data_type().clone(), false));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let level = ZstdLevel::try_new(3)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(GROUP))
        .set_created_by(format!("trommel {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
    let mut exported = Exported::default();
    for_each_batch(index, options, |pages| {
        let columns = columns(pages).into_iter().map(|(_, column)| column);
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect())?;
        exported.rows += batch.num_rows() as u64;
        Ok(writer.write(&batch)?)
    })?;
    writer.close()?;
    Ok(exported)
}
