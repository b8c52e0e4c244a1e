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
    segments: Vec<SegmentPages>,
}

/// The pages of a segment in the order of their blocks.
#[derive(Default)]
struct SegmentPages {
    /// Each page's first block and number.
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
        let mut of_segments = Vec::new();
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
            let mut of_segment = SegmentPages::default();
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
                    of_segment.starts.push((doc, page as u32));
                }
                if extent.segment != segment as u32
                    || extent.first_doc + extent.count != doc
                    || extent.count != ordinal
                {
                    return Err(misplaced());
                }
                extent.count += 1;
                if doc % STRIDE == 0 {
                    of_segment.hints.push(of_segment.starts.len() as u32 - 1);
                }
            }
            of_segments.push(of_segment);
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
            segments: of_segments,
        })
    }

    /// Number of a block in (page, block) order, whatever the segments are.
    pub fn number(&self, page: u32, block: u32) -> usize {
        let first = self.first_number.get(page as usize);
        first.map_or(usize::MAX, |first| *first as usize + block as usize)
    }

    /// The page of a block of a segment.
    pub fn page(&self, segment: u32, doc: u32) -> u32 {
        let SegmentPages { starts, hints } = &self.segments[segment as usize];
        let mut at = hints[(doc / STRIDE) as usize] as usize;
        while starts.get(at + 1).is_some_and(|(first, _)| *first <= doc) {
            at += 1;
        }
        starts[at].1
    }

    /// The page of a block that is numbered through as the segments have them, and the block's number on that page.
    pub fn page_and_block(&self, id: u32) -> (u32, u32) {
        let segment = self.segment_base.partition_point(|base| *base <= id) - 1;
        let doc = id - self.segment_base[segment];
        let page = self.page(segment as u32, doc);
        (page, doc - self.extent(page).first_doc)
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
