//! boilerpipe's filters: the pieces that its extractors are chained from. One filter per file, named after the original's
//! class; here is the state that they share.
//!
//! The original (boilerpipe 1.2.0, `de.l3s.boilerpipe.document`) keeps a list of `TextBlock`s. Its filters mark blocks as
//! content, put marks on them, fuse neighbours and drop blocks from the list. So do these, on numbers alone: a block here
//! is a chain of the segmenter's blocks, so that fusing copies no text, and each of the segmenter's blocks gets the
//! verdict on the block that it ended up in.
//!
//! Filters of the original that none of the extractors of 1.2.0 uses (`KeepLargestFulltextBlockFilter`, `LabelFusion`,
//! `ListAtEndFilter` of later versions and so on) are not here.

pub(super) mod block_proximity_fusion;
pub(super) mod boilerplate_block_filter;
pub(super) mod canola_classifier;
pub(super) mod cut_above_title;
pub(super) mod density_rules_classifier;
pub(super) mod document_title_match_classifier;
pub(super) mod expand_title_to_content_filter;
pub(super) mod ignore_blocks_after_content_filter;
pub(super) mod keep_largest_block_filter;
pub(super) mod mark_everything_content_filter;
pub(super) mod min_clause_words_filter;
pub(super) mod num_words_rules_classifier;
pub(super) mod simple_block_fusion_processor;
pub(super) mod split_paragraph_blocks_filter;
pub(super) mod terminating_blocks_finder;
#[cfg(test)]
mod tests;
pub(super) mod tree;

use std::borrow::Cow;

use trommel_page::{Block, Segmentation};

use crate::Label;

/// A list of blocks that filters work on.
pub(super) struct Document<'a> {
    /// What is left of the page, in document order.
    pub blocks: Vec<TextBlock>,
    /// The page's title as boilerpipe finds it.
    pub title: Option<&'a str>,
    segmentation: &'a Segmentation,
    /// For each of the segmenter's blocks the one that was fused to it.
    next: Vec<u32>,
}

/// A block: one of the segmenter's, or several that were fused.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextBlock {
    pub is_content: bool,
    pub marks: Marks,
    /// Words.
    pub num_words: u32,
    /// Words inside anchors.
    pub num_linked_words: u32,
    /// Words in all wrapped lines but the last of each of the segmenter's blocks.
    pub num_words_in_full_lines: u32,
    /// Those lines.
    pub num_lines: u32,
    /// The first and the last of the segmenter's blocks in it. Between them there may be blocks that are not in it.
    pub first: u32,
    pub last: u32,
}

/// What filters note on a block for later ones; the original calls these labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// `TITLE`
    pub title: bool,
    /// `INDICATES_END_OF_TEXT`
    pub end_of_text: bool,
    /// `MIGHT_BE_CONTENT`
    pub might_be_content: bool,
}

/// No block follows in a chain.
const NONE: u32 = u32::MAX;

impl<'a> Document<'a> {
    /// The blocks as the segmenter cut them, none of them content.
    pub fn new(segmentation: &'a Segmentation) -> Self {
        let blocks = segmentation.blocks.iter().enumerate();
        Document {
            blocks: blocks
                .map(|(number, block)| TextBlock::new(block, number as u32))
                .collect(),
            title: segmentation.title.as_deref(),
            segmentation,
            next: vec![NONE; segmentation.blocks.len()],
        }
    }

    /// The verdict on each of the segmenter's blocks. Those that were dropped from the list are boilerplate.
    pub fn labels(&self) -> Vec<Label> {
        let mut labels = vec![Label::Boilerplate; self.next.len()];
        for block in self.blocks.iter().filter(|block| block.is_content) {
            for member in self.members(block) {
                labels[member as usize] = Label::Content;
            }
        }
        labels
    }

    /// The numbers of the segmenter's blocks in a block, in order.
    pub fn members(&self, block: &TextBlock) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(block.first), |&member| {
            Some(self.next[member as usize]).filter(|&next| next != NONE)
        })
    }

    /// A block's text; that of fused blocks with line feeds between.
    pub fn text(&self, block: &TextBlock) -> Cow<'a, str> {
        let segmentation = self.segmentation;
        let text = |member: u32| segmentation.blocks[member as usize].text.as_str();
        if block.first == block.last {
            return Cow::Borrowed(text(block.first));
        }
        let parts: Vec<&str> = self.members(block).map(text).collect();
        Cow::Owned(parts.join("\n"))
    }

    /// Gives each block the verdict of a rule on it and its two neighbours. Before the first and after the last block all
    /// measures are 0.
    fn classify(&mut self, is_content: impl Fn(&TextBlock, &TextBlock, &TextBlock) -> bool) {
        let mut previous = TextBlock::default();
        for at in 0..self.blocks.len() {
            let current = self.blocks[at];
            let next = self.blocks.get(at + 1).copied().unwrap_or_default();
            self.blocks[at].is_content = is_content(&previous, &current, &next);
            previous = current;
        }
    }

    /// Goes through the blocks from number `from` on, which is at least 1, and fuses each with the one that stands before
    /// it in the list by then, if the two are to be.
    fn fuse(&mut self, from: usize, are_one: impl Fn(&TextBlock, &TextBlock) -> bool) {
        let mut kept = from.min(self.blocks.len());
        for at in from..self.blocks.len() {
            let block = self.blocks[at];
            let previous = &mut self.blocks[kept - 1];
            if are_one(previous, &block) {
                self.next[previous.last as usize] = block.first;
                previous.merge(&block);
            } else {
                self.blocks[kept] = block;
                kept += 1;
            }
        }
        self.blocks.truncate(kept);
    }
}

impl TextBlock {
    fn new(block: &Block, number: u32) -> Self {
        TextBlock {
            num_words: block.num_words,
            num_linked_words: block.num_linked_words,
            num_words_in_full_lines: block.num_words_in_full_lines,
            num_lines: block.num_lines,
            first: number,
            last: number,
            ..TextBlock::default()
        }
    }

    /// Words per wrapped line. Both quotients are taken in single precision, as the original takes them.
    pub fn text_density(&self) -> f32 {
        self.num_words_in_full_lines as f32 / self.num_lines.max(1) as f32
    }

    /// The share of words inside anchors.
    pub fn link_density(&self) -> f32 {
        match self.num_words {
            0 => 0.0,
            words => self.num_linked_words as f32 / words as f32,
        }
    }

    fn merge(&mut self, other: &TextBlock) {
        self.is_content |= other.is_content;
        self.marks.title |= other.marks.title;
        self.marks.end_of_text |= other.marks.end_of_text;
        self.marks.might_be_content |= other.marks.might_be_content;
        self.num_words += other.num_words;
        self.num_linked_words += other.num_linked_words;
        self.num_words_in_full_lines += other.num_words_in_full_lines;
        self.num_lines += other.num_lines;
        if self.num_words_in_full_lines == 0 {
            // The original starts afresh where there is no word in a full line.
            self.num_words_in_full_lines = self.num_words;
            self.num_lines = 1;
        }
        self.last = other.last;
    }
}

/// What Java's `String.trim` leaves.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}
