//! Rules that look at one block by itself: least words and text density, greatest link density.
//!
//! Quotients are compared exactly, in the unit that the segmenter counts in: words for `boilerpipe`, tokens for `atomic`.

use super::{Label, LabelFn};
use crate::page::{Block, DensityUnit};
use crate::text::Decimal;

/// Bounds that a content block keeps, inclusive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub min_words: u32,
    pub min_density: Decimal,
    pub max_link_density: Decimal,
}

/// Keeps everything.
pub(super) const ALL: Rule = Rule {
    min_words: 0,
    min_density: Decimal::whole(0),
    max_link_density: Decimal::whole(1),
};

/// Makes an extractor's function of a rule.
pub(super) fn labeler(rule: Rule) -> Box<LabelFn> {
    Box::new(move |_, segmentation| {
        let passes = |block| Label::content_if(rule.passes(block, segmentation.unit));
        segmentation.blocks.iter().map(passes).collect()
    })
}

impl Rule {
    fn passes(&self, block: &Block, unit: DensityUnit) -> bool {
        let density = self
            .min_density
            .cmp_quotient(block.num_words_in_full_lines, block.num_lines);
        let links = self
            .max_link_density
            .cmp_quotient(block.num_linked_words, block.num_units(unit));
        block.num_words >= self.min_words && density.is_ge() && links.is_le()
    }
}
