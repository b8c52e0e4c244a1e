//! Where the blocks of each page stand in the block index.

use std::ops::Range;

use crate::format::bits::Bits;
use crate::format::extents::Extent;
use crate::format::ranks::Ranks;

/// The extents of all pages.
pub(crate) struct Layout {
    /// By page; segments are numbered through all parts.
    extents: Vec<Extent>,
    /// Number of the first block of each page when all blocks are numbered through in (page, block) order.
    first_number: Vec<u32>,
    /// Number of the first block of each segment when all blocks are numbered through.
    pub segment_base: Vec<u32>,
    /// Number of blocks in all segments.
    pub num_blocks: usize,
    /// In the order of the segments' blocks numbered through: the first block of each page that has one, and the page.
    starts: Vec<(u32, u32)>,
    /// By segment, the first of its pages in `starts`; behind them the number of all.
    segment_starts: Vec<u32>,
    /// For every [`STRIDE`]th block which of `starts` it belongs to.
    hints: Vec<u32>,
    /// Pages whose docid another directory has before: for a search they are not there.
    pub repeated: Option<Bits>,
}

/// Blocks between two hints: the search for a page looks through the pages of so many blocks at most.
const STRIDE: u32 = 64;

impl Layout {
    /// The layout of pages with these extents in segments of so many blocks. Checks that every block belongs to one page.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn new(extents: Vec<Extent>, segments: &[u32]) -> Result<Layout, String> {
        let mut segment_base = Vec::with_capacity(segments.len());
        let mut num_blocks: u32 = 0;
        for blocks in segments {
            segment_base.push(num_blocks);
            num_blocks = num_blocks
                .checked_add(*blocks)
                .ok_or("it has more blocks than can be numbered")?;
        }
        let mut first_number = Vec::with_capacity(extents.len());
        let mut starts = Vec::with_capacity(extents.len());
        let mut next = 0u32;
        for (page, extent) in (0u32..).zip(&extents) {
            first_number.push(next);
            if extent.count == 0 {
                continue;
            }
            next = next.saturating_add(extent.count);
            let base = segment_base.get(extent.segment as usize);
            let first = base.and_then(|base| base.checked_add(extent.first_doc));
            starts.push((first.ok_or("a page stands in no segment")?, page));
        }
        starts.sort_unstable();
        let mut end = 0u32;
        for (first, page) in &starts {
            let extent = extents[*page as usize];
            let last = segment_base[extent.segment as usize] + segments[extent.segment as usize];
            if *first != end || extent.count > last.saturating_sub(*first) {
                return Err(format!(
                    "the blocks of page {page} are not where they should be"
                ));
            }
            end += extent.count;
        }
        if end != num_blocks {
            return Err(format!("{} blocks belong to no page", num_blocks - end));
        }
        let first_of = |base: &u32| starts.partition_point(|(first, _)| first < base) as u32;
        let mut segment_starts: Vec<u32> = segment_base.iter().map(first_of).collect();
        segment_starts.push(starts.len() as u32);
        let mut hints = Vec::with_capacity(num_blocks.div_ceil(STRIDE) as usize);
        let mut at = 0;
        for block in (0..num_blocks).step_by(STRIDE as usize) {
            while starts.get(at + 1).is_some_and(|(first, _)| *first <= block) {
                at += 1;
            }
            hints.push(at as u32);
        }
        Ok(Layout {
            extents,
            first_number,
            segment_base,
            num_blocks: num_blocks as usize,
            starts,
            segment_starts,
            hints,
            repeated: None,
        })
    }

    /// The pages of a segment that have a block, in the order of their blocks: a page's place here is its rank. First block, numbered
    /// through, and number of each.
    #[inline]
    pub fn pages_of(&self, segment: usize) -> &[(u32, u32)] {
        &self.starts[self.ranks_of(segment)]
    }

    /// The ranks of a segment when those of all are put in a row.
    #[inline]
    pub fn ranks_of(&self, segment: usize) -> Range<usize> {
        let [start, end] = [segment, segment + 1].map(|at| self.segment_starts[at] as usize);
        start..end
    }

    /// The pages that have a block, by rank, segment after segment.
    pub fn pages_by_rank(&self) -> impl Iterator<Item = u32> {
        self.starts.iter().map(|(_, page)| *page)
    }

    /// Goes through the ranks of a segment.
    pub fn ranks(&self, segment: usize) -> Ranks<'_> {
        Ranks::of(self.pages_of(segment))
    }

    /// Number of a block in (page, block) order, whatever the segments are.
    pub fn number(&self, page: u32, block: u32) -> usize {
        let first = self.first_number.get(page as usize);
        first.map_or(usize::MAX, |first| *first as usize + block as usize)
    }

    /// The number in (page, block) order of a block that is numbered through as the segments have them.
    #[inline]
    pub fn in_page_order(&self, block: u32) -> usize {
        let (page, blocks) = self.page(block);
        self.number(page, block - blocks.start)
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

    /// Is a page to be left out, because another directory has its docid before?
    pub fn is_repeated(&self, page: u32) -> bool {
        let repeated = self.repeated.as_ref();
        repeated.is_some_and(|repeated| repeated.contains(page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(segment: u32, first_doc: u32, count: u32) -> Extent {
        Extent {
            segment,
            first_doc,
            count,
        }
    }

    /// Pages stand in segments in any order; every block finds its page.
    #[test]
    fn blocks_find_their_pages() {
        let extents = vec![
            extent(1, 0, 70),
            extent(0, 3, 2),
            extent(0, 0, 0),
            extent(0, 0, 3),
            extent(1, 70, 60),
        ];
        let layout = Layout::new(extents.clone(), &[5, 130]).unwrap();
        assert_eq!(layout.num_blocks, 135);
        for (page, extent) in (0..).zip(&extents) {
            let blocks = layout.blocks(page);
            assert_eq!(blocks.len(), extent.count as usize);
            for block in blocks.clone() {
                assert_eq!(layout.page(block), (page, blocks.clone()));
            }
        }
        let numbers: Vec<usize> = (0..5).map(|page| layout.number(page, 0)).collect();
        assert_eq!(numbers, [0, 70, 72, 72, 75]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (extents, segments) in [
            (vec![extent(0, 0, 2)], vec![3]),
            (vec![extent(0, 0, 2), extent(0, 1, 2)], vec![3]),
            (vec![extent(0, 1, 2)], vec![3]),
            (vec![extent(0, 0, 4), extent(1, 1, 1)], vec![3, 2]),
            (vec![extent(1, 0, 3)], vec![3]),
            (vec![extent(0, 0, u32::MAX), extent(0, 5, 9)], vec![3]),
            (vec![], vec![u32::MAX, 1]),
        ] {
            assert!(
                Layout::new(extents.clone(), &segments).is_err(),
                "{extents:?}"
            );
        }
    }
}
