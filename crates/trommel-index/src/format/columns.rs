//! The integers of a segment's blocks, and their tags: fast fields of tantivy.
//!
//! Every [`attribute::Column`] is a field of its name, and so is [`NUM_TERMS`], the indexed terms of a
//! block. For whoever opens the index with tantivy alone there are `text_density` and `link_density` besides, as floating-point
//! numbers; nothing here reads them.

use std::sync::Arc;

use tantivy::columnar::{ColumnValues, StrColumn};
use trommel_page::attribute::{self, Column};
use trommel_page::{Block, Tag};

use crate::format::error::IndexError;
use crate::format::guard;
use crate::format::schema::{NUM_TERMS, TAG};
use crate::format::stored::Stored;

/// Blocks whose values are read together.
pub(crate) const CHUNK: usize = 256;

/// Blocks in chunks: the first of each and how many.
pub(crate) fn chunks(num_blocks: u32) -> impl Iterator<Item = (u32, usize)> {
    let starts = (0..num_blocks).step_by(CHUNK);
    starts.map(move |first| (first, CHUNK.min((num_blocks - first) as usize)))
}

/// The fast fields of the blocks of one segment.
pub(crate) struct Columns {
    columns: Vec<(&'static Column, Arc<dyn ColumnValues<u64>>)>,
    num_terms: Arc<dyn ColumnValues<u64>>,
    tags: StrColumn,
    num_blocks: u32,
}

impl Columns {
    /// Opens the fast fields of a segment of blocks.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if one is missing or has not a value for each block.
    pub fn open(stored: &Stored) -> Result<Columns, IndexError> {
        guard::reading(&stored.path, || {
            let fields = stored.reader.fast_fields();
            let num_blocks = stored.reader.max_doc();
            let damaged = |field: &str| IndexError::Damaged {
                path: stored.path.clone(),
                why: format!("the fast field '{field}' has not a value for each block"),
            };
            let schema = stored.reader.schema();
            let values = |field: &'static str| {
                if schema.get_field(field).is_err() {
                    return Err(IndexError::Damaged {
                        path: stored.path.clone(),
                        why: format!("another version built it, without '{field}' of its blocks"),
                    });
                }
                let column = fields
                    .u64(field)
                    .map_err(IndexError::tantivy(&stored.path))?;
                match column.num_docs() == num_blocks && column.index.get_cardinality().is_full() {
                    true => Ok(column.values),
                    false => Err(damaged(field)),
                }
            };
            let columns = attribute::columns().into_iter();
            Ok(Columns {
                columns: columns
                    .map(|column| Ok((column, values(column.field)?)))
                    .collect::<Result<_, IndexError>>()?,
                num_terms: values(NUM_TERMS)?,
                tags: fields
                    .str(TAG)
                    .map_err(IndexError::tantivy(&stored.path))?
                    .ok_or_else(|| damaged(TAG))?,
                num_blocks,
            })
        })
    }

    /// Number of blocks.
    pub fn num_blocks(&self) -> u32 {
        self.num_blocks
    }

    /// The values of a column for consecutive blocks from `first` on. The blocks must be there.
    pub fn read(&self, column: &Column, first: u32, values: &mut [u32]) {
        let known = self.columns.iter().find(|(own, _)| *own == column);
        match known {
            Some((_, column)) => read(column.as_ref(), first, values),
            None => values.fill(0),
        }
    }

    /// Indexed terms of consecutive blocks from `first` on.
    pub fn read_num_terms(&self, first: u32, lengths: &mut [u32]) {
        read(self.num_terms.as_ref(), first, lengths);
    }

    /// The numbers of the tags of consecutive blocks in [`Columns::tags`], from `first` on.
    pub fn read_tags(&self, first: u32, tags: &mut [u32]) {
        for (tag, doc) in tags.iter_mut().zip(first..) {
            *tag = self.tags.term_ords(doc).next().map_or(0, |ord| ord as u32);
        }
    }

    /// The tags of the segment's blocks in the order of their numbers.
    ///
    /// # Errors
    /// Those of reading them.
    pub fn tags(&self) -> std::io::Result<Vec<String>> {
        words(&self.tags)
    }

    /// A block as it was measured; its text is left empty.
    pub fn block(&self, doc: u32) -> std::io::Result<Block> {
        let mut tag = String::new();
        if let Some(ord) = self.tags.term_ords(doc).next() {
            self.tags.ord_to_str(ord, &mut tag)?;
        }
        Ok(Block {
            tag: Tag::from_name(&tag),
            ..self.counts(doc)
        })
    }

    /// The integers of a block; text and tag are left empty.
    pub fn counts(&self, doc: u32) -> Block {
        let mut block = Block::default();
        for (column, values) in &self.columns {
            if let Some(place) = column.place {
                *place(&mut block) = u32::try_from(values.get_val(doc)).unwrap_or(u32::MAX);
            }
        }
        block
    }

    /// Indexed terms and words of all blocks.
    pub fn sums(&self) -> (u64, u64) {
        let (mut terms, mut words) = (0, 0);
        let mut values = [0; CHUNK];
        for (first, count) in chunks(self.num_blocks) {
            let values = &mut values[..count];
            self.read_num_terms(first, values);
            terms += values.iter().copied().map(u64::from).sum::<u64>();
            self.read(attribute::words_column(), first, values);
            words += values.iter().copied().map(u64::from).sum::<u64>();
        }
        (terms, words)
    }
}

pub(crate) fn read(column: &dyn ColumnValues<u64>, first: u32, values: &mut [u32]) {
    let mut wide = [0; CHUNK];
    for (values, first) in values.chunks_mut(CHUNK).zip((first..).step_by(CHUNK)) {
        let wide = &mut wide[..values.len()];
        column.get_range(u64::from(first), wide);
        for (value, wide) in values.iter_mut().zip(wide) {
            *value = u32::try_from(*wide).unwrap_or(u32::MAX);
        }
    }
}

/// The words of a column in the order of their numbers.
pub(crate) fn words(column: &StrColumn) -> std::io::Result<Vec<String>> {
    let mut words = Vec::with_capacity(column.num_terms());
    let mut word = String::new();
    for ord in 0..column.num_terms() as u64 {
        column.ord_to_str(ord, &mut word)?;
        words.push(std::mem::take(&mut word));
    }
    Ok(words)
}
