//! `BlockProximityFusion`: fuses a content block with the block before it, unless more than a number of the segmenter's
//! blocks stood between them.
//!
//! The block before may be boilerplate (if not for `content_only`), and becomes content with the fused block.

use super::Document;

/// What most of the original's extractors use.
pub const MAX_DISTANCE: u32 = 1;

pub fn apply(document: &mut Document, max_distance: u32, content_only: bool) {
    let from = if content_only {
        match document.blocks.iter().position(|block| block.is_content) {
            Some(first) => first + 1,
            None => return,
        }
    } else {
        1
    };
    document.fuse(from, |previous, block| {
        let between = block.first.saturating_sub(previous.last + 1);
        block.is_content && between <= max_distance && (previous.is_content || !content_only)
    });
}
