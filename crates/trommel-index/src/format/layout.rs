//! Where the blocks of each page stand in the block index.
//!
//! A block is a document of a segment. Where blocks of all segments are to be told apart by one number, they are numbered through:
//! segment after segment, each from the next multiple of [`ALIGNED`] on, so that bits of two segments never share a byte. There may be
//! more blocks than 32 bits count, but not in one segment.

use std::ops::Range;
use std::sync::OnceLock;

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::format::extents::{Extent, ExtentFile};
use crate::format::ranks::{Ranks, Starts};

/// What the number of each segment's first block is a multiple of.
const ALIGNED: u64 = 64;

/// The extents of all pages. Making it costs the same however many there are: they stay where they are, in files.
pub(crate) struct Layout {
    parts: Vec<PartLayout>,
    segments: Vec<SegmentLayout>,
    /// Number of blocks in all segments.
    pub num_blocks: u64,
    /// What no number of a block that is numbered through reaches.
    pub end: u64,
    /// Pages whose docid another directory has before: for a search they are not there.
    pub repeated: Option<Bits>,
    /// Does every block belong to one page? Found out once, when it is first asked.
    verified: OnceLock<Result<(), (usize, String)>>,
}

/// Where a part stands among all.
struct PartLayout {
    extents: ExtentFile,
    first_page: u32,
    first_segment: usize,
    /// Blocks of all parts before it.
    before: u64,
}

struct SegmentLayout {
    part: usize,
    /// Its place in the part.
    place: usize,
    /// Number of its first block when all are numbered through.
    base: u64,
    blocks: u32,
    /// Its first page by rank, when those of all segments are put in a row.
    first_rank: usize,
}

impl Layout {
    /// The layout of parts with these extents, each of segments of so many blocks.
    ///
    /// # Errors
    /// [`IndexError::TooManyPages`]; [`IndexError::Damaged`] where a part has other segments, or not so many blocks.
    pub fn new(parts: Vec<(ExtentFile, Vec<u32>)>) -> Result<Layout, IndexError> {
        let mut layout = Layout {
            parts: Vec::with_capacity(parts.len()),
            segments: Vec::new(),
            num_blocks: 0,
            end: 0,
            repeated: None,
            verified: OnceLock::new(),
        };
        let (mut first_page, mut first_rank) = (0u32, 0usize);
        for (extents, sizes) in parts {
            let blocks: u64 = sizes.iter().map(|blocks| u64::from(*blocks)).sum();
            if extents.segments() != sizes.len() || extents.blocks() != blocks {
                return Err(damaged(
                    &extents,
                    "it is not for the blocks of its part".into(),
                ));
            }
            let first_segment = layout.segments.len();
            for (place, blocks) in sizes.into_iter().enumerate() {
                layout.segments.push(SegmentLayout {
                    part: layout.parts.len(),
                    place,
                    base: layout.end,
                    blocks,
                    first_rank,
                });
                first_rank += extents.starts(place).len();
                layout.end += aligned(blocks);
            }
            let pages = u32::try_from(extents.pages()).map_err(|_| IndexError::TooManyPages)?;
            layout.parts.push(PartLayout {
                extents,
                first_page,
                first_segment,
                before: layout.num_blocks,
            });
            first_page = first_page
                .checked_add(pages)
                .ok_or(IndexError::TooManyPages)?;
            layout.num_blocks += blocks;
        }
        Ok(layout)
    }

    /// Looks whether every block belongs to one page and every page stands where its segment has it: once, for it goes through all
    /// pages. Whatever reads many pages asks for this first; what reads one is content with [`Layout::extent`].
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they do not.
    pub fn verify(&self) -> Result<(), IndexError> {
        let verify = || {
            let mut parts = self.parts.iter().enumerate();
            parts.try_for_each(|(number, part)| self.verify_part(part).map_err(|why| (number, why)))
        };
        match self.verified.get_or_init(verify) {
            Ok(()) => Ok(()),
            Err((part, why)) => Err(damaged(&self.parts[*part].extents, why.clone())),
        }
    }

    fn verify_part(&self, part: &PartLayout) -> Result<(), String> {
        let mut next = 0u64;
        let mut with_blocks = 0;
        for page in 0..part.extents.pages() {
            let (before, extent) = part.extents.get(page).unwrap_or_default();
            if before != next {
                return Err(format!(
                    "the blocks of page {page} are not numbered in order"
                ));
            }
            next += u64::from(extent.count);
            with_blocks += usize::from(extent.count > 0);
        }
        for place in 0..part.extents.segments() {
            let starts = part.extents.starts(place);
            let blocks = self.segments[part.first_segment + place].blocks;
            let mut end = 0;
            for rank in 0..starts.len() {
                let (first_doc, page) = (starts.first(rank), starts.page(rank));
                let extent = part.extents.get(page as usize);
                let count = extent.map_or(0, |(_, extent)| extent.count);
                let expected = Extent {
                    segment: place as u32,
                    first_doc: end,
                    count,
                };
                let is_there = extent.is_some_and(|(_, extent)| extent == expected);
                if !is_there || first_doc != end || count == 0 || count > blocks - end {
                    return Err(format!(
                        "the blocks of page {page} are not where they should be"
                    ));
                }
                end += count;
            }
            if end != blocks {
                return Err(format!("{} blocks belong to no page", blocks - end));
            }
            with_blocks = with_blocks.wrapping_sub(starts.len());
        }
        match with_blocks {
            0 => Ok(()),
            _ => Err("a page stands in no segment".to_owned()),
        }
    }

    /// Number of a segment's first block when all blocks are numbered through.
    #[inline]
    pub fn base(&self, segment: usize) -> u64 {
        self.segments[segment].base
    }

    /// Number of the first page of a segment's part, which its pages are counted from.
    #[inline]
    pub fn first_page(&self, segment: usize) -> u32 {
        self.parts[self.segments[segment].part].first_page
    }

    /// The pages of a segment that have a block, in the order of their blocks: a page's place here is its rank. Pages are numbered as in
    /// their part.
    #[inline]
    pub fn starts(&self, segment: usize) -> Starts<'_> {
        let SegmentLayout { part, place, .. } = self.segments[segment];
        self.parts[part].extents.starts(place)
    }

    /// Goes through the ranks of a segment.
    pub fn ranks(&self, segment: usize) -> Ranks<'_> {
        Ranks::of(self.starts(segment))
    }

    /// The ranks of a segment when those of all are put in a row.
    pub fn ranks_of(&self, segment: usize) -> Range<usize> {
        let start = self.segments[segment].first_rank;
        start..start + self.starts(segment).len()
    }

    /// Pages that have a block.
    pub fn num_ranks(&self) -> usize {
        let segments = self.segments.len();
        segments
            .checked_sub(1)
            .map_or(0, |last| self.ranks_of(last).end)
    }

    /// The page of a rank when those of all segments are put in a row. There must be such a page.
    #[inline]
    pub fn page_of_rank(&self, rank: usize) -> u32 {
        let segment = self.segments.partition_point(|it| it.first_rank <= rank) - 1;
        let page = self
            .starts(segment)
            .page(rank - self.segments[segment].first_rank);
        self.first_page(segment) + page
    }

    /// The pages that have a block, by rank, segment after segment.
    pub fn pages_by_rank(&self) -> impl Iterator<Item = u32> {
        let segments = 0..self.segments.len();
        segments.flat_map(|segment| {
            let first = self.first_page(segment);
            self.starts(segment).pages().map(move |page| first + page)
        })
    }

    /// The blocks of the page of a rank in its segment.
    #[inline]
    pub fn documents(&self, segment: usize, rank: usize) -> Range<u32> {
        let starts = self.starts(segment);
        let end = match rank + 1 < starts.len() {
            true => starts.first(rank + 1),
            false => self.segments[segment].blocks,
        };
        starts.first(rank)..end
    }

    /// The blocks of a page in its segment, of which the number is the one among all; none for a page that is not there.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if they cannot be there.
    pub fn extent(&self, page: u32) -> Result<Extent, IndexError> {
        let Some((part, Some((_, extent)))) = self.find(page) else {
            return Ok(Extent::default());
        };
        let segment = part.first_segment + extent.segment as usize;
        let size = self.segments.get(segment).map_or(0, |it| it.blocks);
        let end = extent.first_doc.checked_add(extent.count);
        let is_in_part = (extent.segment as usize) < part.extents.segments();
        match extent.count == 0 || is_in_part && end.is_some_and(|end| end <= size) {
            true => Ok(Extent {
                segment: segment as u32,
                ..extent
            }),
            false => Err(damaged(
                &part.extents,
                format!("the blocks of page {page} are not where they should be"),
            )),
        }
    }

    /// The part of a page, and what it has of it.
    fn find(&self, page: u32) -> Option<(&PartLayout, Option<(u64, Extent)>)> {
        let part = self.parts.partition_point(|part| part.first_page <= page);
        let part = self.parts.get(part.checked_sub(1)?)?;
        Some((part, part.extents.get((page - part.first_page) as usize)))
    }

    /// Number of a block in (page, block) order, whatever the segments are; more than any for a page that is not there.
    pub fn number(&self, page: u32, block: u32) -> u64 {
        match self.find(page) {
            Some((part, Some((before, _)))) => part
                .before
                .saturating_add(before)
                .saturating_add(u64::from(block)),
            _ => u64::MAX,
        }
    }

    /// The page of a block that is numbered through, and the blocks of that page. There must be such a block.
    pub fn page(&self, block: u64) -> (u32, Range<u64>) {
        let segment = self.segments.partition_point(|it| it.base <= block) - 1;
        let base = self.segments[segment].base;
        let mut ranks = self.ranks(segment);
        ranks.seek((block - base) as u32);
        let documents = self.documents(segment, ranks.rank as usize);
        let page = self.first_page(segment) + ranks.page();
        let [start, end] = [documents.start, documents.end].map(|doc| base + u64::from(doc));
        (page, start..end)
    }

    /// The blocks of a page when all are numbered through; none for a page that is not there.
    pub fn blocks(&self, page: u32) -> Range<u64> {
        let extent = self.extent(page).unwrap_or_default();
        let base = self.segments.get(extent.segment as usize);
        let first = base.map_or(0, |it| it.base + u64::from(extent.first_doc));
        first..first + u64::from(extent.count)
    }

    /// Is a page to be left out, because another directory has its docid before?
    pub fn is_repeated(&self, page: u32) -> bool {
        let repeated = self.repeated.as_ref();
        repeated.is_some_and(|repeated| repeated.contains(page))
    }
}

/// The numbers that so many blocks of a segment take.
pub(crate) fn aligned(blocks: u32) -> u64 {
    u64::from(blocks).next_multiple_of(ALIGNED)
}

fn damaged(extents: &ExtentFile, why: String) -> IndexError {
    IndexError::Damaged {
        path: extents.path.clone(),
        why,
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

    fn layout(parts: &[(&[Extent], &[u32])]) -> Result<Layout, IndexError> {
        let part = |(extents, sizes): &(&[Extent], &[u32])| {
            (ExtentFile::made(extents, sizes.len()), sizes.to_vec())
        };
        let layout = Layout::new(parts.iter().map(part).collect())?;
        layout.verify().map(|()| layout)
    }

    /// Pages stand in segments in any order; every block finds its page.
    #[test]
    fn blocks_find_their_pages() {
        let extents = [
            extent(1, 0, 70),
            extent(0, 3, 2),
            extent(0, 0, 0),
            extent(0, 0, 3),
            extent(1, 70, 60),
        ];
        let more = [extent(0, 0, 0), extent(0, 0, 1)];
        let layout = layout(&[(&extents, &[5, 130]), (&[], &[]), (&more, &[1])]).unwrap();
        assert_eq!((layout.num_blocks, layout.end), (136, 64 + 192 + 64));
        let counts = extents.iter().chain(&more).map(|extent| extent.count);
        for (page, count) in (0..).zip(counts) {
            let blocks = layout.blocks(page);
            assert_eq!(blocks.end - blocks.start, u64::from(count));
            for block in blocks.clone() {
                assert_eq!(layout.page(block), (page, blocks.clone()));
            }
        }
        assert_eq!(layout.blocks(7), 0..0);
        let numbers: Vec<u64> = (0..7).map(|page| layout.number(page, 0)).collect();
        assert_eq!(numbers, [0, 70, 72, 72, 75, 135, 135]);
        assert!(layout.pages_by_rank().eq([3, 1, 0, 4, 6]));
        assert_eq!([0, 1, 2].map(|at| layout.ranks_of(at)), [0..2, 2..4, 4..5]);
        assert_eq!(layout.documents(1, 1), 70..130);
    }

    /// More blocks than 32 bits count: in a part of several segments, and in several parts.
    #[test]
    fn blocks_are_numbered_in_64_bits() {
        let most = (1u32 << 31) - 1;
        let of_segment = |segment: u32| {
            [
                extent(segment, 0, 7),
                extent(segment, 7, most - 10),
                extent(segment, most - 3, 3),
            ]
        };
        let extents: Vec<Extent> = (0..3).flat_map(of_segment).collect();
        let part = (extents.as_slice(), &[most; 3][..]);
        let layout = layout(&[part, part, part]).unwrap();
        assert_eq!(layout.num_blocks, 9 * u64::from(most));
        assert!(layout.num_blocks > 4 << 32);
        let mut expected = 0;
        for page in 0..27 {
            let blocks = layout.blocks(page);
            assert_eq!(layout.number(page, 0), expected);
            expected += blocks.end - blocks.start;
            for block in [
                blocks.start,
                blocks.start.midpoint(blocks.end),
                blocks.end - 1,
            ] {
                assert_eq!(layout.page(block), (page, blocks.clone()));
            }
            let segment = page as usize / 3;
            let documents = layout.documents(segment, page as usize % 3);
            assert_eq!(
                layout.base(segment) + u64::from(documents.start),
                blocks.start
            );
            assert_eq!(layout.base(segment) + u64::from(documents.end), blocks.end);
        }
        assert_eq!(expected, layout.num_blocks);
        // No two segments share a byte of bits, and no room is wasted besides.
        assert_eq!(layout.base(8), 8 << 31);
        assert_eq!(layout.number(26, 2), layout.num_blocks - 1);
        assert_eq!(layout.number(27, 0), u64::MAX);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (extents, sizes) in [
            (vec![extent(0, 0, 2)], vec![3]),
            (vec![extent(0, 0, 2), extent(0, 1, 1)], vec![3]),
            (vec![extent(0, 0, 2), extent(0, 1, 2)], vec![3]),
            (vec![extent(0, 1, 3)], vec![3]),
            (vec![extent(0, 0, 3), extent(1, 1, 1)], vec![3, 1]),
            (vec![extent(0, 0, 3), extent(1, 0, 2)], vec![3, 1, 1]),
            (vec![extent(1, 0, 3)], vec![3]),
            (vec![extent(0, 0, u32::MAX), extent(0, 5, 9)], vec![3]),
            (vec![], vec![u32::MAX, 1]),
        ] {
            assert!(layout(&[(&extents, &sizes)]).is_err(), "{extents:?}");
        }
    }

    /// Whatever a byte is changed to, reading is bounded by what there is, and going through all is refused.
    #[test]
    fn damage_is_found() {
        let extents = [
            extent(1, 0, 70),
            extent(0, 0, 3),
            extent(0, 3, 2),
            extent(1, 70, 60),
        ];
        let made = ExtentFile::made(&extents, 2);
        let bytes = 16 + 2 * 8 + 4 * 20 + 4 * 8;
        for at in 0..bytes {
            for bit in 0..8 {
                let Some(changed) = made.changed(|bytes| bytes[at] ^= 1 << bit) else {
                    assert!(at < 32, "{at}");
                    continue;
                };
                let Ok(layout) = Layout::new(vec![(changed, vec![5, 130])]) else {
                    continue;
                };
                assert!(layout.verify().is_err(), "{at} {bit}");
                for page in 0..5 {
                    let blocks = layout.blocks(page);
                    assert!(blocks.end - blocks.start <= 130);
                }
            }
        }
    }
}
