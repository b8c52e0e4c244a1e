//! The pages of a segment in the order of their blocks. A page's place there is its rank; a page without a block has none.

/// A page of a segment as it is written: the number of its first block and its own, as little-endian u32.
pub(crate) type Start = [u8; START];

/// Bytes of a [`Start`].
pub(crate) const START: usize = 8;

pub(crate) fn start(first: u32, page: u32) -> Start {
    (u64::from(page) << 32 | u64::from(first)).to_le_bytes()
}

/// The pages of a segment by rank.
#[derive(Clone, Copy)]
pub(crate) struct Starts<'l>(pub &'l [Start]);

impl<'l> Starts<'l> {
    /// Number of pages.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// The first block of a page. A page of this rank must be there.
    #[inline]
    pub fn first(self, rank: usize) -> u32 {
        u64::from_le_bytes(self.0[rank]) as u32
    }

    /// The number of a page in its part. A page of this rank must be there.
    #[inline]
    pub fn page(self, rank: usize) -> u32 {
        (u64::from_le_bytes(self.0[rank]) >> 32) as u32
    }

    /// The pages by rank.
    pub fn pages(self) -> impl Iterator<Item = u32> + 'l {
        (0..self.len()).map(move |rank| self.page(rank))
    }
}

/// A page among those of a segment: finds the pages of blocks that come in order.
pub(crate) struct Ranks<'l> {
    starts: Starts<'l>,
    /// Its rank.
    pub rank: u32,
    /// The first block behind it; 0 before any page was looked for, and more than any for the last.
    pub end: u32,
}

impl<'l> Ranks<'l> {
    /// Before the pages of a segment.
    pub fn of(starts: Starts<'l>) -> Ranks<'l> {
        Ranks {
            starts,
            rank: 0,
            end: 0,
        }
    }

    /// Goes to the page of a block, which is this one or behind it: twice as far at each step, then by halves.
    #[inline]
    pub fn seek(&mut self, block: u32) {
        let first = |start: &Start| u64::from_le_bytes(*start) as u32;
        let after = &self.starts.0[self.rank as usize..];
        let mut width = 1;
        while after.get(width).is_some_and(|start| first(start) <= block) {
            width *= 2;
        }
        let (low, high) = (width / 2, after.len().min(width));
        let within = after[low..high].partition_point(|start| first(start) <= block);
        self.rank += (low + within).saturating_sub(1) as u32;
        let next = self.starts.0.get(self.rank as usize + 1);
        self.end = next.map_or(u32::MAX, first);
    }

    /// The first block of the page, which was looked for.
    #[inline]
    pub fn first(&self) -> u32 {
        self.starts.first(self.rank as usize)
    }

    /// The number of the page in its part.
    #[inline]
    pub fn page(&self) -> u32 {
        self.starts.page(self.rank as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_find_their_pages() {
        let firsts = [0, 3, 4, 9, 10, 11, 30];
        let starts: Vec<Start> = (100..)
            .zip(firsts)
            .map(|(page, first)| start(first, page))
            .collect();
        for from in 0..starts.len() {
            for block in firsts[from]..40 {
                let mut ranks = Ranks::of(Starts(&starts));
                ranks.seek(firsts[from]);
                assert_eq!(ranks.rank as usize, from);
                assert_eq!(
                    (ranks.first(), ranks.page()),
                    (firsts[from], 100 + from as u32)
                );
                ranks.seek(block);
                let before = firsts.iter().filter(|first| **first <= block);
                assert_eq!(ranks.rank as usize, before.count() - 1, "{from} {block}");
                let next = firsts.iter().find(|first| **first > block);
                assert_eq!(ranks.end, next.copied().unwrap_or(u32::MAX));
            }
        }
    }
}
