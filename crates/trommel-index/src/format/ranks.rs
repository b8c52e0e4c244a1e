//! Finds the pages of blocks that come in order.

/// A page among those of a segment.
pub(crate) struct Ranks<'l> {
    starts: &'l [(u32, u32)],
    /// Its rank.
    pub rank: u32,
    /// The first block behind it; 0 before any page was looked for, and more than any for the last.
    pub end: u32,
}

impl<'l> Ranks<'l> {
    /// The pages of a segment: first block and number of each, by rank. Blocks are numbered as the first blocks are.
    pub fn of(starts: &'l [(u32, u32)]) -> Ranks<'l> {
        Ranks {
            starts,
            rank: 0,
            end: 0,
        }
    }

    /// Goes to the page of a block, which is this one or behind it: twice as far at each step, then by halves.
    #[inline]
    pub fn seek(&mut self, block: u32) {
        let after = &self.starts[self.rank as usize..];
        let mut width = 1;
        while after.get(width).is_some_and(|(first, _)| *first <= block) {
            width *= 2;
        }
        let (low, high) = (width / 2, after.len().min(width));
        let within = after[low..high].partition_point(|(first, _)| *first <= block);
        self.rank += (low + within).saturating_sub(1) as u32;
        let next = self.starts.get(self.rank as usize + 1);
        self.end = next.map_or(u32::MAX, |(first, _)| *first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_find_their_pages() {
        let starts = [0, 3, 4, 9, 10, 11, 30].map(|first| (first, 0));
        for from in 0..starts.len() {
            for block in starts[from].0..40 {
                let mut ranks = Ranks::of(&starts);
                ranks.seek(starts[from].0);
                assert_eq!(ranks.rank as usize, from);
                ranks.seek(block);
                let before = starts.iter().filter(|(first, _)| *first <= block);
                assert_eq!(ranks.rank as usize, before.count() - 1, "{from} {block}");
                let next = starts
                    .iter()
                    .map(|(first, _)| *first)
                    .find(|first| *first > block);
                assert_eq!(ranks.end, next.unwrap_or(u32::MAX));
            }
        }
    }
}
