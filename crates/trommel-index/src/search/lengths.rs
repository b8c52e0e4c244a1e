//! Lengths of blocks.

use trommel_page::attribute;

use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::open::Index;

impl Index {
    /// Lengths in indexed terms of all blocks, numbered through; read once.
    pub(crate) fn block_lengths(&self) -> Result<&[u32], IndexError> {
        if let Some(lengths) = self.block_lengths.get() {
            return Ok(lengths);
        }
        let mut lengths = vec![0; self.layout.num_blocks];
        let mut rest = lengths.as_mut_slice();
        for segment in &self.segments {
            let (of_segment, after) = rest.split_at_mut(segment.columns.num_blocks() as usize);
            let read = || {
                segment.columns.read_num_terms(0, of_segment);
                Ok(())
            };
            guard::reading(&segment.stored.path, read)?;
            rest = after;
        }
        Ok(self.block_lengths.get_or_init(|| lengths))
    }

    /// Number of words of each block of a page, in order.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be read.
    pub fn page_word_counts(&self, page: u32) -> Result<Vec<u32>, IndexError> {
        let extent = self.layout.extent(page);
        let mut words = vec![0; extent.count as usize];
        let Some(segment) = self.segments.get(extent.segment as usize) else {
            return Ok(words);
        };
        guard::reading(&segment.stored.path, || {
            let column = attribute::words_column();
            segment.columns.read(column, extent.first_doc, &mut words);
            Ok(())
        })?;
        Ok(words)
    }
}
