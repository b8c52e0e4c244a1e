//! The fast fields of one segment.

use std::path::Path;
use std::sync::Arc;

use tantivy::SegmentReader;
use tantivy::columnar::{Cardinality, ColumnValues};

use super::part::Segment;
use super::schema::column;
use super::{Index, IndexError};
use crate::page::Block;

type Column = Arc<dyn ColumnValues<u64>>;

/// Blocks whose values are read together: reading them one by one costs several times as much.
pub(super) const CHUNK: usize = 256;

/// The blocks of a segment in chunks: the first of each and how many.
pub(super) fn chunks(max_doc: u32) -> impl Iterator<Item = (u32, usize)> {
    let starts = (0..max_doc).step_by(CHUNK);
    starts.map(move |first| (first, CHUNK.min((max_doc - first) as usize)))
}

/// The fast fields of one segment of the block index.
pub(super) struct Columns {
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
            // Every block has every value; without the layer that asks for each whether it has one, ranges read fast.
            if column.get_cardinality() != Cardinality::Full
                || column.num_docs() != segment.max_doc()
            {
                return Err(IndexError::Damaged {
                    path: path.to_owned(),
                    why: format!("its column '{name}' has not one value for each block"),
                });
            }
            Ok(column.values)
        };
        Ok(Columns {
            num_terms: open(column::NUM_TERMS)?,
            num_words: open(column::NUM_WORDS)?,
            num_tokens: open(column::NUM_TOKENS)?,
            num_linked_words: open(column::NUM_LINKED_WORDS)?,
            num_words_in_full_lines: open(column::NUM_WORDS_IN_FULL_LINES)?,
            num_lines: open(column::NUM_LINES)?,
        })
    }

    /// Number of blocks.
    pub fn num_blocks(&self) -> u32 {
        self.num_terms.num_vals()
    }

    /// The integers of consecutive blocks from `first` on, at most [`CHUNK`]; text and tag are left as they are.
    pub fn read_counts(&self, first: u32, blocks: &mut [Block]) {
        let mut values = [0; CHUNK];
        let values = &mut values[..blocks.len()];
        let mut read = |column: &Column, count: fn(&mut Block) -> &mut u32| {
            column.get_range(first.into(), values);
            for (block, value) in blocks.iter_mut().zip(&*values) {
                *count(block) = *value as u32;
            }
        };
        read(&self.num_words, |block| &mut block.num_words);
        read(&self.num_tokens, |block| &mut block.num_tokens);
        read(&self.num_linked_words, |block| &mut block.num_linked_words);
        read(&self.num_words_in_full_lines, |block| {
            &mut block.num_words_in_full_lines
        });
        read(&self.num_lines, |block| &mut block.num_lines);
    }

    /// Indexed terms and words of all blocks.
    pub fn sums(&self) -> (u64, u64) {
        let mut values = [0; CHUNK];
        let mut sum = |column: &Column| -> u64 {
            let of_chunk = |(first, count): (u32, usize)| -> u64 {
                let values = &mut values[..count];
                column.get_range(first.into(), values);
                values.iter().sum()
            };
            chunks(self.num_blocks()).map(of_chunk).sum()
        };
        (sum(&self.num_terms), sum(&self.num_words))
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
        let mut values = [0; CHUNK];
        for Segment { columns, .. } in &self.segments {
            for (first, count) in chunks(columns.num_blocks()) {
                let values = &mut values[..count];
                columns.num_terms.get_range(first.into(), values);
                lengths.extend(values.iter().map(|length| *length as u32));
            }
        }
        Ok(self.block_lengths.get_or_init(|| lengths))
    }

    /// Number of words of each block of a page, in order.
    pub fn page_word_counts(&self, page: u32) -> impl Iterator<Item = u32> {
        let extent = self.layout.extent(page);
        let segment = self.segments.get(extent.segment as usize);
        (extent.first_doc..extent.first_doc + extent.count)
            .filter_map(move |doc| Some(segment?.columns.num_words.get_val(doc) as u32))
    }
}
