//! Parquet, compressed by zstd: the columns are the keys of [`crate::jsonl`]; of blocks `content(NAME)` and `confidence(NAME)` are columns of each
//! extractor.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use trommel_index::{Index, Unit};
use trommel_page::Block;

use crate::error::ExportError;
use crate::options::{ExportOptions, Exported};
use crate::rows::{PageRow, extractors, for_each_batch};

/// Rows of a group: readers take one at a time.
const GROUP: usize = 1 << 17;

type Column = (String, ArrayRef);

/// Writes what a filter leaves of an index.
///
/// # Errors
/// Those of reading and writing.
pub fn write(
    index: &Index,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<Exported, ExportError> {
    let names = match options.unit {
        Unit::Page => Vec::new(),
        Unit::Block => extractors(index),
    };
    let columns = |pages: &[PageRow]| match options.unit {
        Unit::Page => page_columns(pages),
        Unit::Block => block_columns(index, pages, &names),
    };
    // Of no page there are the same columns.
    let empty = columns(&[]);
    let field = |(name, column): &Column| {
        let nullable = matches!(column.data_type(), DataType::Float64) && name.ends_with(')');
        Field::new(name, column.data_type().clone(), nullable)
    };
    let schema = Arc::new(Schema::new(empty.iter().map(field).collect::<Vec<_>>()));
    let level = ZstdLevel::try_new(3)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(GROUP))
        .set_created_by(format!("trommel {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
    let mut exported = Exported::default();
    for_each_batch(index, options, &names, |pages| {
        let columns = columns(pages).into_iter().map(|(_, column)| column);
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect())?;
        exported.rows += batch.num_rows() as u64;
        Ok(writer.write(&batch)?)
    })?;
    writer.close()?;
    Ok(exported)
}

fn page_columns(pages: &[PageRow]) -> Vec<Column> {
    let words = |page: &PageRow| -> u64 {
        let words = page
            .kept_blocks()
            .map(|block| u64::from(page.blocks[block].num_words));
        words.sum()
    };
    let strings = |of: &dyn Fn(&PageRow) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(pages.iter().map(of)))
    };
    vec![
        (
            "docid".to_owned(),
            strings(&|page| page.record.docid.clone()),
        ),
        ("url".to_owned(), strings(&|page| page.record.url.clone())),
        (
            "title".to_owned(),
            strings(&|page| page.record.title.clone()),
        ),
        ("date".to_owned(), strings(&|page| page.record.date.clone())),
        (
            "language".to_owned(),
            strings(&|page| page.record.language.clone()),
        ),
        (
            "num_words".to_owned(),
            Arc::new(UInt64Array::from_iter_values(pages.iter().map(words))),
        ),
        ("text".to_owned(), strings(&PageRow::text)),
    ]
}

fn block_columns(index: &Index, pages: &[PageRow], names: &[String]) -> Vec<Column> {
    let unit = index.density_unit();
    // Arrow wants to know how many there are.
    let places: Vec<(&PageRow, usize)> = pages
        .iter()
        .flat_map(|page| page.kept_blocks().map(move |at| (page, at)))
        .collect();
    let places = || places.iter().copied();
    let blocks = || places().map(|(page, at)| &page.blocks[at]);
    let numbers = |of: fn(&Block) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(blocks().map(of)))
    };
    let quotients = |of: &dyn Fn(&Block) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(blocks().map(of)))
    };
    let docids = places().map(|(page, _)| page.record.docid.as_str());
    let mut columns: Vec<Column> = vec![
        (
            "docid".to_owned(),
            Arc::new(StringArray::from_iter_values(docids)),
        ),
        (
            "block".to_owned(),
            Arc::new(UInt32Array::from_iter_values(
                places().map(|(_, at)| at as u32),
            )),
        ),
        (
            "text".to_owned(),
            Arc::new(StringArray::from_iter_values(
                blocks().map(|block| &block.text),
            )),
        ),
        (
            "tag".to_owned(),
            Arc::new(StringArray::from_iter_values(
                blocks().map(|block| block.tag.name()),
            )),
        ),
        ("num_words".to_owned(), numbers(|block| block.num_words)),
        ("num_tokens".to_owned(), numbers(|block| block.num_tokens)),
        (
            "num_linked_words".to_owned(),
            numbers(|block| block.num_linked_words),
        ),
        (
            "num_words_in_full_lines".to_owned(),
            numbers(|block| block.num_words_in_full_lines),
        ),
        ("num_lines".to_owned(), numbers(|block| block.num_lines)),
        ("text_density".to_owned(), quotients(&Block::text_density)),
        (
            "link_density".to_owned(),
            quotients(&|block| block.link_density(unit)),
        ),
    ];
    for (extractor, name) in names.iter().enumerate() {
        let verdicts = || places().map(|(page, at)| page.verdicts[extractor][at]);
        let content: BooleanArray = verdicts().map(|(content, _)| Some(content)).collect();
        columns.push((format!("content({name})"), Arc::new(content)));
        let set = index
            .manifest
            .extractors
            .iter()
            .find(|set| set.name == *name);
        if set.is_some_and(|set| set.confidences) {
            let confidences: Float64Array = verdicts().map(|(_, confidence)| confidence).collect();
            columns.push((format!("confidence({name})"), Arc::new(confidences)));
        }
    }
    columns
}
