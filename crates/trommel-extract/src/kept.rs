//! What is left of a page.

use trommel_page::Block;

use crate::confidence::Confidence;
use crate::extractor::Extractor;
use crate::page_filter::{PageFacts, PageFilter};
use crate::subject::Subject;

impl Extractor {
    /// The blocks of [`Extractor::own_segmenter`] that are left of a page: those that the extractor keeps ([`Extractor::keeps`]), of these those
    /// that pass a filter, and of these those with text, in their order.
    pub fn kept_blocks<'s>(
        &self,
        subject: &'s Subject,
        least: Option<Confidence>,
        filter: Option<(&PageFilter, &PageFacts)>,
    ) -> Vec<&'s Block> {
        let numbers = self.kept_numbers(subject, least, filter);
        let blocks = &subject.blocks(self.own_segmenter()).blocks;
        numbers.into_iter().map(|number| &blocks[number]).collect()
    }

    /// The numbers of the blocks that [`Extractor::kept_blocks`] gives.
    pub fn kept_numbers(
        &self,
        subject: &Subject,
        least: Option<Confidence>,
        filter: Option<(&PageFilter, &PageFacts)>,
    ) -> Vec<usize> {
        let segmenter = self.own_segmenter();
        let mut kept = self.keeps(subject, least);
        if let Some((filter, facts)) = filter {
            let passing = filter.passing(subject, segmenter, facts);
            let both = kept.iter_mut().zip(passing);
            both.for_each(|(kept, passes)| *kept &= passes);
        }
        let blocks = subject.blocks(segmenter).blocks.iter().zip(kept);
        let blocks = blocks.enumerate();
        let left = blocks.filter(|(_, (block, kept))| *kept && block.num_tokens > 0);
        left.map(|(number, _)| number).collect()
    }
}
