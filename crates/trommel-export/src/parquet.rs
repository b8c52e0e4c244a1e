//! Parquet, compressed by zstd: the columns are the keys of [`crate::jsonl`]; of blocks `content(NAME)` and `confidence(NAME)` are columns of each
//! extractor.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use trommel_extract::Verdicts;
use trommel_index::{Index, Unit};
use trommel_page::Block;

use crate::columns::{Column, of_blocks, of_verdicts};
use crate::error::ExportError;
use crate::options::{ExportOptions, Exported};
use crate::rows::{PageRow, extractors, for_each_batch};

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
    let columns = |pages: &[PageRow]| match options.unit {
        Unit::Page => page_columns(pages),
        Unit::Block => block_columns(index, pages),
    };
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

fn page_columns(pages: &[PageRow]) -> Vec<Column> {
    let strings = |of: &dyn Fn(&PageRow) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(pages.iter().map(of)))
    };
    let words = pages.iter().map(PageRow::num_words);
    let columns: [(&str, ArrayRef); 7] = [
        ("docid", strings(&|page| page.record.docid.clone())),
        ("url", strings(&|page| page.record.url.clone())),
        ("title", strings(&|page| page.record.title.clone())),
        ("date", strings(&|page| page.record.date.clone())),
        ("language", strings(&|page| page.record.language.clone())),
        ("num_words", Arc::new(UInt64Array::from_iter_values(words))),
        ("text", strings(&PageRow::text)),
    ];
    let named = columns.into_iter();
    named
        .map(|(name, column)| (name.to_owned(), column))
        .collect()
}

fn block_columns(index: &Index, pages: &[PageRow]) -> Vec<Column> {
    let of_page =
        |page| PageRow::kept_blocks(page).map(move |(number, block)| (page, number, block));
    let kept: Vec<(&PageRow, usize, &Block)> = pages.iter().flat_map(of_page).collect();
    let docids = kept.iter().map(|(page, ..)| page.record.docid.as_str());
    let docids = StringArray::from_iter_values(docids);
    let mut columns: Vec<Column> = vec![("docid".to_owned(), Arc::new(docids))];
    let blocks: Vec<(usize, &Block)> = kept.iter().map(|(_, at, block)| (*at, *block)).collect();
    columns.extend(of_blocks(&blocks, index.density_unit()));
    for (number, set) in extractors(index, Unit::Block).iter().enumerate() {
        let said = kept
            .iter()
            .map(|(page, at, _)| (&page.verdicts[number], *at));
        let said: Vec<(&Verdicts, usize)> = said.collect();
        columns.extend(of_verdicts(&set.name, set.confidences, &said));
    }
    columns
}
