//! Lengths of blocks.

use trommel_page::attribute;

use crate::format::columns::{CHUNK, Columns, chunks};
use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::open::Index;

impl Index {
    /// Lengths in indexed terms of all blocks, numbered through; 0 where a number is that of no block. They are read anew each time:
    /// only what ranks single blocks wants all of them together.
    pub(crate) fn block_lengths(&self) -> Result<Vec<u32>, IndexError> {
        let mut lengths = vec![0; self.layout.end as usize];
        for (number, segment) in self.segments.iter().enumerate() {
            let of_segment = &mut lengths[self.layout.base(number) as usize..];
            let of_segment = &mut of_segment[..segment.columns.num_blocks() as usize];
            guard::reading(&segment.stored.path, || {
                segment.columns.read_num_terms(0, of_segment)
            })?;
        }
        Ok(lengths)
    }

    /// Calls `each` with every block that belongs to a page: the page, the block's number when all are numbered through, and its length
    /// in indexed terms. The blocks of a page come one after another.
    pub(crate) fn for_each_length(
        &self,
        mut each: impl FnMut(u32, u64, u32),
    ) -> Result<(), IndexError> {
        self.layout.verify()?;
        for (number, segment) in self.segments.iter().enumerate() {
            let (base, first_page) = (self.layout.base(number), self.layout.first_page(number));
            let mut ranks = self.layout.ranks(number);
            let mut lengths = [0; CHUNK];
            for (first, count) in chunks(segment.columns.num_blocks()) {
                let lengths = &mut lengths[..count];
                guard::reading(&segment.stored.path, || {
                    segment.columns.read_num_terms(first, lengths)
                })?;
                for (doc, length) in (first..).zip(lengths) {
                    if doc >= ranks.end {
                        ranks.seek(doc);
                    }
                    each(first_page + ranks.page(), base + u64::from(doc), *length);
                }
            }
        }
        Ok(())
    }

    /// Number of words of each block of a page, in order.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be read.
    pub fn page_word_counts(&self, page: u32) -> Result<Vec<u32>, IndexError> {
        let words = attribute::words_column();
        self.page_values(page, |columns, first, values| {
            columns.read(words, first, values)
        })
    }

    /// Length in indexed terms of each block of a page, in order.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be read.
    pub(crate) fn page_block_lengths(&self, page: u32) -> Result<Vec<u32>, IndexError> {
        self.page_values(page, Columns::read_num_terms)
    }

    fn page_values(
        &self,
        page: u32,
        read: impl FnOnce(&Columns, u32, &mut [u32]) -> Result<(), IndexError>,
    ) -> Result<Vec<u32>, IndexError> {
        let Some((segment, docs)) = self.page_docs(page)? else {
            return Ok(Vec::new());
        };
        let mut values = vec![0; docs.len()];
        guard::reading(&segment.stored.path, || {
            read(&segment.columns, docs.start, &mut values)
        })?;
        Ok(values)
    }
}
