//! Where the blocks of each page stand in the block index.

use std::ops::Range;
use std::path::Path;

use tantivy::SegmentReader;

use super::IndexError;
use super::columns::Columns;

/// The blocks of one page: consecutive documents of one segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub segment: u32,
    pub first_doc: u32,
    /// Number of blocks; 0 for a page without text.
    pub count: u32,
}

/// The extents of all pages.
pub(super) struct Layout {
    extents: Vec<Extent>,
    /// Number of the first block of each page when all blocks are numbered through in (page, block) order.
    first_number: Vec<u32>,
    /// Number of the first block of each segment when all blocks are numbered through.
    pub segment_base: Vec<u32>,
    /// Number of blocks in all segments.
    pub num_blocks: usize,
}

impl Layout {
    /// Reads the layout of the tantivy index in `path`, and checks that the blocks of each page stand side by side.
    pub fn read(
        segments: &[SegmentReader],
        columns: &[Columns],
        num_pages: usize,
        path: &Path,
    ) -> Result<Layout, IndexError> {
        let mut extents = vec![Extent::default(); num_pages];
        let mut segment_base = Vec::new();
        let mut num_blocks: u32 = 0;
        for (segment, reader) in segments.iter().enumerate() {
            segment_base.push(num_blocks);
            let max_doc = reader.max_doc();
            num_blocks = num_blocks
                .checked_add(max_doc)
                .ok_or_else(|| IndexError::Damaged {
                    path: path.to_owned(),
                    why: "it has more blocks than can be numbered".to_owned(),
                })?;
            let columns = &columns[segment];
            for doc in 0..max_doc {
                let page = columns.page.get_val(doc) as usize;
                let ordinal = columns.block.get_val(doc) as u32;
                let misplaced = || IndexError::Damaged {
                    path: path.to_owned(),
                    why: format!("the blocks of page {page} are not side by side"),
                };
                let extent = extents.get_mut(page).ok_or_else(misplaced)?;
                if ordinal == 0 {
                    *extent = Extent {
                        segment: segment as u32,
                        first_doc: doc,
                        count: 0,
                    };
                }
                if extent.segment != segment as u32
                    || extent.first_doc + extent.count != doc
                    || extent.count != ordinal
                {
                    return Err(misplaced());
                }
                extent.count += 1;
            }
        }
        let mut next = 0u32;
        let first_number = extents
            .iter()
            .map(|extent| {
                let first = next;
                next += extent.count;
                first
            })
            .collect();
        Ok(Layout {
            extents,
            first_number,
            segment_base,
            num_blocks: num_blocks as usize,
        })
    }

    /// Number of a block in (page, block) order, whatever the segments are.
    pub fn number(&self, page: u32, block: u32) -> usize {
        let first = self.first_number.get(page as usize);
        first.map_or(usize::MAX, |first| *first as usize + block as usize)
    }

    /// The blocks of a page when numbered through as the segments have them; none for a page that is not there.
    pub fn blocks(&self, page: u32) -> Range<usize> {
        let extent = self.extent(page);
        let base = self.segment_base.get(extent.segment as usize);
        let first = base.map_or(0, |base| (base + extent.first_doc) as usize);
        first..first + extent.count as usize
    }

    /// The blocks of a page; none for a page that is not there.
    pub fn extent(&self, page: u32) -> Extent {
        self.extents.get(page as usize).copied().unwrap_or_default()
    }
}
