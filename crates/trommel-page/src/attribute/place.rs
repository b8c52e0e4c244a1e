//! A block in its page, as far as attributes need it.

use super::row::Count;
use crate::page::{Block, DensityUnit};

/// The integers of a block in its page, from which numbers are made.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The block.
    pub block: &'a Block,
    /// Its number on the page, from 0.
    pub position: u32,
    /// Words in the blocks before it.
    pub words_before: u32,
    /// Words of the page.
    pub page_words: u32,
    /// What the segmenter's densities are counted in.
    pub unit: DensityUnit,
}

impl Place<'_> {
    /// An integer of the block.
    pub fn count(&self, count: Count) -> u32 {
        match count.of_unit(self.unit) {
            Count::Stored(column) => (column.measure)(self.block),
            Count::Position => self.position,
            Count::WordsBefore => self.words_before,
            Count::PageWords => self.page_words,
            Count::One | Count::Units => 1,
        }
    }
}

/// The blocks of a page with their places on it.
pub fn places(blocks: &[Block], unit: DensityUnit) -> impl Iterator<Item = Place<'_>> {
    let words = |block: &Block| block.num_words;
    let page_words = blocks.iter().map(words).fold(0, u32::saturating_add);
    let mut before = 0u32;
    (0u32..).zip(blocks).map(move |(position, block)| {
        let place = Place {
            block,
            position,
            words_before: before,
            page_words,
            unit,
        };
        before = before.saturating_add(block.num_words);
        place
    })
}
