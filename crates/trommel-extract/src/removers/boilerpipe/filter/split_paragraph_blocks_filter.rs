//! `SplitParagraphBlocksFilter`: takes fused blocks apart again. The parts have the verdict and the marks of the whole.
//!
//! The original splits the text at line feeds, which stand where blocks were fused and nowhere else. Its parts have no
//! counts; ours have those of the segmenter's blocks. A block without text gives no part there and one here, which is no
//! difference in the text.

use super::{Document, TextBlock};

pub fn apply(document: &mut Document) {
    let mut parts = Vec::with_capacity(document.blocks.len());
    for block in &document.blocks {
        for member in document.members(block) {
            parts.push(TextBlock {
                is_content: block.is_content,
                marks: block.marks,
                ..TextBlock::new(&document.segmentation.blocks[member as usize], member)
            });
        }
    }
    document.blocks = parts;
    document.next.fill(super::NONE);
}
