//! Carries labels from one segmentation of a page to another, leaf by leaf.

use super::{Label, Subject};
use crate::page::Segmentation;

/// Labels for the blocks of `target`: a block is content if at least half of the words in its leaves (ties are content)
/// stand in leaves whose block in `from` is content. A leaf that `from` leaves out is boilerplate.
pub fn project(
    subject: &Subject,
    from: &Segmentation,
    labels: &[Label],
    target: &Segmentation,
) -> Vec<Label> {
    // For each target block: words in content leaves, words in other leaves.
    let leaf_words = subject.leaf_words();
    let mut words = vec![(0u64, 0u64); target.blocks.len()];
    for (leaf, block) in target.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let count = u64::from(leaf_words[leaf]);
        let label = from.block_of_leaf[leaf].map(|native| labels[native as usize]);
        let (content, other) = &mut words[*block as usize];
        match label {
            Some(Label::Content) => *content += count,
            Some(Label::Boilerplate) | None => *other += count,
        }
    }
    words
        .into_iter()
        .map(|(content, other)| Label::content_if(content >= other))
        .collect()
}
