//! The fast fields of one segment.

use std::path::Path;
use std::sync::Arc;

use tantivy::SegmentReader;
use tantivy::columnar::ColumnValues;

use super::schema::column;
use super::{Index, IndexError};
use crate::page::Block;

type Column = Arc<dyn ColumnValues<u64>>;

/// The fast fields of one segment of the block index.
pub(super) struct Columns {
    pub page: Column,
    pub block: Column,
    pub num_terms: Column,
    num_words: Column,
    num_tokens: Column,
    num_linked_words: Column,
    num_words_in_full_lines: Column,
    num_lines: Column,
}

impl Columns {
    /// Opens the columns of a segment of the tantivy index in `path`. This reads the headers of all their parts, so it is done
    /// once for an open index.
    pub fn open(segment: &SegmentReader, path: &Path) -> Result<Columns, IndexError> {
        let fields = segment.fast_fields();
        let open = |name: &str| -> Result<Column, IndexError> {
            let column = fields.u64(name).map_err(IndexError::tantivy(path))?;
            Ok(column.first_or_default_col(0))
        };
        Ok(Columns {
            page: open(column::PAGE)?,
            block: open(column::BLOCK)?,
            num_terms: open(column::NUM_TERMS)?,
            num_words: open(column::NUM_WORDS)?,
            num_tokens: open(column::NUM_TOKENS)?,
            num_linked_words: open(column::NUM_LINKED_WORDS)?,
            num_words_in_full_lines: open(column::NUM_WORDS_IN_FULL_LINES)?,
            num_lines: open(column::NUM_LINES)?,
        })
    }

    /// The integers of a block; text and tag are left empty.
    pub fn counts(&self, doc: u32) -> Block {
        let get = |column: &Column| column.get_val(doc) as u32;
        Block {
            num_words: get(&self.num_words),
            num_tokens: get(&self.num_tokens),
            num_linked_words: get(&self.num_linked_words),
            num_words_in_full_lines: get(&self.num_words_in_full_lines),
            num_lines: get(&self.num_lines),
            ..Block::default()
        }
    }
}

impl Index {
    /// Lengths in indexed terms of all blocks, numbered through; read once.
    pub(super) fn block_lengths(&self) -> Result<&[u32], IndexError> {
        if let Some(lengths) = self.block_lengths.get() {
            return Ok(lengths);
        }
        let mut lengths = Vec::with_capacity(self.layout.num_blocks);
        for (reader, columns) in self.blocks.segment_readers().iter().zip(&self.columns) {
            lengths.extend((0..reader.max_doc()).map(|doc| columns.num_terms.get_val(doc) as u32));
        }
        Ok(self.block_lengths.get_or_init(|| lengths))
    }

    /// Number of words of each block of a page, in order.
    pub fn page_word_counts(&self, page: u32) -> impl Iterator<Item = u32> {
        let extent = self.layout.extent(page);
        let columns = self.columns.get(extent.segment as usize);
        (extent.first_doc..extent.first_doc + extent.count)
            .filter_map(move |doc| Some(columns?.num_words.get_val(doc) as u32))
    }

    /// The page of a block that is numbered through, and the block's number on that page.
    pub(super) fn page_and_block(&self, id: u32) -> Result<(u32, u32), IndexError> {
        let bases = &self.layout.segment_base;
        let segment = bases.partition_point(|base| *base <= id) - 1;
        let doc = id - bases[segment];
        let columns = &self.columns[segment];
        Ok((
            columns.page.get_val(doc) as u32,
            columns.block.get_val(doc) as u32,
        ))
    }
}
