//! Labels of blocks from pieces of their text that are content or not.

use trommel_page::{LeafId, Segmentation};

use crate::Label;

/// For each block how much of it is content.
pub(super) struct Shares<'a> {
    segmentation: &'a Segmentation,
    /// For each block: content, and all.
    of: Vec<(u64, u64)>,
}

impl<'a> Shares<'a> {
    /// Nothing is known so far.
    pub fn new(segmentation: &'a Segmentation) -> Self {
        Shares {
            segmentation,
            of: vec![(0, 0); segmentation.blocks.len()],
        }
    }

    /// A piece of a leaf that weighs so much. That of a leaf which is in no block counts for nothing.
    pub fn add(&mut self, leaf: LeafId, weight: u64, is_content: bool) {
        let block = self.segmentation.block_of_leaf.get(leaf as usize);
        if let Some(Some(block)) = block {
            let (content, all) = &mut self.of[*block as usize];
            *content += if is_content { weight } else { 0 };
            *all += weight;
        }
    }

    /// A block is content if at least half of it is, and some.
    pub fn labels(self) -> Vec<Label> {
        let labels = self.of.into_iter();
        labels
            .map(|(content, all)| Label::content_if(content > 0 && 2 * content >= all))
            .collect()
    }
}
