//! The integers of a segment's blocks, and their tags: fast fields of tantivy.
//!
//! Every [`attribute::Column`] is a field of its name, and so is [`NUM_TERMS`], the indexed terms of a
//! block. For whoever opens the index with tantivy alone there are `text_density` and `link_density` besides, as floating-point
//! numbers; nothing here reads them.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use tantivy::columnar::{ColumnValues, StrColumn};
use tantivy::fastfield::FastFieldReaders;
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

/// The fast fields of the blocks of one segment. Each is opened when it is first read: what tantivy makes of one grows with its length.
/// So all reading may fail as opening does, and is done under [`guard::reading`].
pub(crate) struct Columns {
    fields: FastFieldReaders,
    path: PathBuf,
    num_blocks: u32,
    columns: Vec<(&'static Column, Opened)>,
    num_terms: Opened,
    tags: OnceLock<StrColumn>,
}

/// A fast field, once it was read.
type Opened = OnceLock<Arc<dyn ColumnValues<u64>>>;

impl Columns {
    /// The fast fields of a segment of blocks.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if the segment's schema has not all of them.
    pub fn open(stored: &Stored) -> Result<Columns, IndexError> {
        let schema = stored.reader.schema();
        let columns = attribute::columns();
        let mut fields = columns.iter().map(|column| column.field);
        if let Some(missing) = fields.find(|field| schema.get_field(field).is_err()) {
            return Err(IndexError::Damaged {
                path: stored.path.clone(),
                why: format!("another version built it, without '{missing}' of its blocks"),
            });
        }
        let unread = |column| (column, OnceLock::new());
        Ok(Columns {
            fields: stored.reader.fast_fields().clone(),
            path: stored.path.clone(),
            num_blocks: stored.reader.max_doc(),
            columns: columns.into_iter().map(unread).collect(),
            num_terms: OnceLock::new(),
            tags: OnceLock::new(),
        })
    }

    /// Number of blocks.
    pub fn num_blocks(&self) -> u32 {
        self.num_blocks
    }

    /// Opens a field, unless it is open.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if it is missing or has not a value for each block.
    fn values<'c>(
        &self,
        field: &str,
        opened: &'c Opened,
    ) -> Result<&'c dyn ColumnValues<u64>, IndexError> {
        if let Some(values) = opened.get() {
            return Ok(values.as_ref());
        }
        let column = self.fields.u64(field);
        let column = column.map_err(IndexError::tantivy(&self.path))?;
        match column.num_docs() == self.num_blocks && column.index.get_cardinality().is_full() {
            true => Ok(opened.get_or_init(|| column.values).as_ref()),
            false => Err(self.incomplete(field)),
        }
    }

    fn incomplete(&self, field: &str) -> IndexError {
        IndexError::Damaged {
            path: self.path.clone(),
            why: format!("the fast field '{field}' has not a value for each block"),
        }
    }

    /// The values of a column for consecutive blocks from `first` on. The blocks must be there.
    pub fn read(&self, column: &Column, first: u32, values: &mut [u32]) -> Result<(), IndexError> {
        let known = self.columns.iter().find(|(own, _)| *own == column);
        match known {
            Some((column, opened)) => read(self.values(column.field, opened)?, first, values),
            None => values.fill(0),
        }
        Ok(())
    }

    /// Indexed terms of consecutive blocks from `first` on.
    pub fn read_num_terms(&self, first: u32, lengths: &mut [u32]) -> Result<(), IndexError> {
        read(self.values(NUM_TERMS, &self.num_terms)?, first, lengths);
        Ok(())
    }

    /// The field of tags.
    fn tag_column(&self) -> Result<&StrColumn, IndexError> {
        if let Some(tags) = self.tags.get() {
            return Ok(tags);
        }
        let tags = self.fields.str(TAG);
        let tags = tags.map_err(IndexError::tantivy(&self.path))?;
        let tags = tags.ok_or_else(|| self.incomplete(TAG))?;
        Ok(self.tags.get_or_init(|| tags))
    }

    /// The numbers of the tags of consecutive blocks in [`Columns::tags`], from `first` on.
    pub fn read_tags(&self, first: u32, tags: &mut [u32]) -> Result<(), IndexError> {
        let column = self.tag_column()?;
        for (tag, doc) in tags.iter_mut().zip(first..) {
            *tag = column.term_ords(doc).next().map_or(0, |ord| ord as u32);
        }
        Ok(())
    }

    /// The tags of the segment's blocks in the order of their numbers.
    pub fn tags(&self) -> Result<Vec<String>, IndexError> {
        words(self.tag_column()?).map_err(IndexError::io(&self.path))
    }

    /// A block as it was measured; its text is left empty.
    pub fn block(&self, doc: u32) -> Result<Block, IndexError> {
        let mut tag = String::new();
        let tags = self.tag_column()?;
        if let Some(ord) = tags.term_ords(doc).next() {
            let found = tags.ord_to_str(ord, &mut tag);
            found.map_err(IndexError::io(&self.path))?;
        }
        Ok(Block {
            tag: Tag::from_name(&tag),
            ..self.counts(doc)?
        })
    }

    /// The integers of a block; text and tag are left empty.
    pub fn counts(&self, doc: u32) -> Result<Block, IndexError> {
        let mut block = Block::default();
        for (column, opened) in &self.columns {
            if let Some(place) = column.place {
                let value = self.values(column.field, opened)?.get_val(doc);
                *place(&mut block) = u32::try_from(value).unwrap_or(u32::MAX);
            }
        }
        Ok(block)
    }

    /// Indexed terms and words of all blocks.
    pub fn sums(&self) -> Result<(u64, u64), IndexError> {
        let (mut terms, mut words) = (0, 0);
        let mut values = [0; CHUNK];
        for (first, count) in chunks(self.num_blocks) {
            let values = &mut values[..count];
            self.read_num_terms(first, values)?;
            terms += values.iter().copied().map(u64::from).sum::<u64>();
            self.read(attribute::words_column(), first, values)?;
            words += values.iter().copied().map(u64::from).sum::<u64>();
        }
        Ok((terms, words))
    }

    /// Opens all fields.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if one is missing or has not a value for each block.
    pub fn open_all(&self) -> Result<(), IndexError> {
        guard::reading(&self.path, || {
            for (column, opened) in &self.columns {
                self.values(column.field, opened)?;
            }
            self.values(NUM_TERMS, &self.num_terms)?;
            self.tag_column().map(drop)
        })
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
