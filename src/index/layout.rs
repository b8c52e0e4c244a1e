//! Where the blocks of each page stand in the block index.

use std::ops::Range;
use std::path::Path;

use tantivy::SegmentReader;

use super::IndexError;
use super::columns::{CHUNK, Columns, chunks};

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
    /// In the order of the segments' blocks numbered through: the first block of each page that has one, and the page.
    starts: Vec<(u32, u32)>,
    /// For every [`STRIDE`]th block which of `starts` it belongs to.
    hints: Vec<u32>,
}

/// Blocks between two hints: the search for a page looks through the pages of so many blocks at most.
const STRIDE: u32 = 64;

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
        let (mut starts, mut hints) = (Vec::new(), Vec::new());
        let mut num_blocks: u32 = 0;
        for (segment, reader) in segments.iter().enumerate() {
            let base = num_blocks;
            segment_base.push(base);
            let max_doc = reader.max_doc();
            num_blocks = num_blocks
                .checked_add(max_doc)
                .ok_or_else(|| IndexError::Damaged {
                    path: path.to_owned(),
                    why: "it has more blocks than can be numbered".to_owned(),
                })?;
            let columns = &columns[segment];
            let (mut pages, mut blocks) = ([0; CHUNK], [0; CHUNK]);
            let places = chunks(max_doc).flat_map(|(first, count)| {
                columns.page.get_range(first.into(), &mut pages[..count]);
                columns.block.get_range(first.into(), &mut blocks[..count]);
                (first..).zip(pages.into_iter().zip(blocks).take(count))
            });
            for (doc, (page, ordinal)) in places {
                let (page, ordinal) = (page as usize, ordinal as u32);
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
                    starts.push((base + doc, page as u32));
                }
                if extent.segment != segment as u32
                    || extent.first_doc + extent.count != doc
                    || extent.count != ordinal
                {
                    return Err(misplaced());
                }
                extent.count += 1;
                if (base + doc).is_multiple_of(STRIDE) {
                    hints.push(starts.len() as u32 - 1);
                }
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
            starts,
            hints,
        })
    }

    /// Number of a block in (page, block) order, whatever the segments are.
    pub fn number(&self, page: u32, block: u32) -> usize {
        let first = self.first_number.get(page as usize);
        first.map_or(usize::MAX, |first| *first as usize + block as usize)
    }

    /// The page of a block that is numbered through as the segments have them, and the blocks of that page.
    #[inline]
    pub fn page(&self, block: u32) -> (u32, Range<u32>) {
        let mut at = self.hints[(block / STRIDE) as usize] as usize;
        loop {
            let next = self.starts.get(at + 1);
            let end = next.map_or(self.num_blocks as u32, |(first, _)| *first);
            if block < end {
                let (first, page) = self.starts[at];
                return (page, first..end);
            }
            at += 1;
        }
    }

    /// The blocks of a page when numbered through as the segments have them; none for a page that is not there.
    pub fn blocks(&self, page: u32) -> Range<u32> {
        let extent = self.extent(page);
        let base = self.segment_base.get(extent.segment as usize);
        let first = base.map_or(0, |base| base + extent.first_doc);
        first..first + extent.count
    }

    /// The blocks of a page; none for a page that is not there.
    pub fn extent(&self, page: u32) -> Extent {
        self.extents.get(page as usize).copied().unwrap_or_default()
    }
}
