//! The fast fields of one segment.

use std::sync::Arc;

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
    pub fn open(index: &Index, segment: u32) -> Result<Columns, IndexError> {
        let fields = index.blocks.segment_reader(segment).fast_fields();
        let path = index.path.join("blocks");
        let open = |name: &str| -> Result<Column, IndexError> {
            let column = fields.u64(name).map_err(IndexError::tantivy(&path))?;
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
        let mut lengths = Vec::with_capacity(self.layout()?.num_blocks);
        for (segment, reader) in self.blocks.segment_readers().iter().enumerate() {
            let columns = Columns::open(self, segment as u32)?;
            lengths.extend((0..reader.max_doc()).map(|doc| columns.num_terms.get_val(doc) as u32));
        }
        Ok(self.block_lengths.get_or_init(|| lengths))
    }
}

/// Which page a block stands on, for blocks that are numbered through.
pub(super) struct BlockPlaces<'a> {
    bases: &'a [u32],
    segments: Vec<Columns>,
}

impl<'a> BlockPlaces<'a> {
    pub fn open(index: &'a Index) -> Result<Self, IndexError> {
        let bases = &index.layout()?.segment_base;
        let segments = (0..bases.len() as u32).map(|segment| Columns::open(index, segment));
        Ok(BlockPlaces {
            bases,
            segments: segments.collect::<Result<_, _>>()?,
        })
    }

    /// The page of a block, and the block's number on that page.
    pub fn page_and_block(&self, id: u32) -> (u32, u32) {
        let segment = self.bases.partition_point(|base| *base <= id) - 1;
        let doc = id - self.bases[segment];
        let columns = &self.segments[segment];
        (
            columns.page.get_val(doc) as u32,
            columns.block.get_val(doc) as u32,
        )
    }
}
