//! Which blocks of a page are content by its gold text.

use trommel_extract::{Label, Subject, align};
use trommel_page::{Block, Segmentation};
use trommel_text::is_letter_or_digit;

use crate::gold::Annotated;
use crate::score::labels::{Confusion, Labelled};

/// Whether each block is content by a gold text. None for blocks without letter or digit: gold texts lack the bars between the
/// items of a content block (`Home | About`), so alignment says nothing of them.
pub(super) fn aligned_labels(
    subject: &Subject,
    blocks: &Segmentation,
    gold: &str,
) -> Vec<Option<bool>> {
    let content = align::content(subject.page, blocks, gold);
    let labels = blocks.blocks.iter().zip(content);
    labels
        .map(|(block, content)| block.text.contains(is_letter_or_digit).then_some(content))
        .collect()
}

/// Whether each block is content: at least half of its words stand in leaves of a content class. Of a block without words,
/// such as a full stop behind a link, the leaves decide.
pub(super) fn gold_labels(
    annotated: &Annotated,
    subject: &Subject,
    blocks: &Segmentation,
) -> Vec<Option<bool>> {
    // Words and leaves of content and of the rest: what has no words is compared by its leaves.
    let mut words = vec![((0, 0), (0, 0)); blocks.blocks.len()];
    for (leaf, block) in blocks.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let (content, other) = &mut words[*block as usize];
        let place = if annotated.classes[leaf].is_content() {
            content
        } else {
            other
        };
        place.0 += subject.leaf_words()[leaf];
        place.1 += 1;
    }
    words
        .into_iter()
        .map(|(content, other)| {
            let none = content.0 + other.0 == 0;
            let (content, other) = if none {
                (content.1, other.1)
            } else {
                (content.0, other.0)
            };
            Some(content > 0 && content >= other)
        })
        .collect()
}

/// Counts the blocks of which the gold standard says something.
pub(super) fn confusions(
    blocks: &Segmentation,
    gold: &[Option<bool>],
    labels: &[Label],
) -> (Confusion, Confusion) {
    let labelled = |weight: fn(&Block) -> u64| {
        let blocks = blocks.blocks.iter().zip(gold).zip(labels);
        Confusion::of(blocks.filter_map(|((block, gold), label)| {
            Some(Labelled {
                gold: (*gold)?,
                verdict: *label == Label::Content,
                weight: weight(block),
            })
        }))
    };
    (
        labelled(|_| 1),
        labelled(|block| u64::from(block.num_words)),
    )
}
