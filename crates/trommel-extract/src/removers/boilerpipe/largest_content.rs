//! The Largest Content Filter of WSDM 2010 §4.3.2, behind either decision tree: "we only take the content block with the
//! highest number of words".
//!
//! The paper does not say what a block is there. A single one would lose most of an article, so we take blocks as the
//! author's own `LargestContentExtractor` does: a content block is fused with the one before it, if at most one block
//! stands between. With `base=boilerpipe-numwords` this is `boilerpipe-largest`.

use super::filter::tree::{self, Tree};
use super::filter::{Document, block_proximity_fusion, keep_largest_block_filter};
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "largest-content",
    summary: "the largest fused block after a decision tree",
    source: "WSDM 2010 §4.3.2, Largest Content Filter",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[tree::PARAMETER]),
    make: Make::Labels(|arguments| {
        let tree: Tree = arguments.get(tree::PARAMETER.name)?;
        Ok(Box::new(move |_, segmentation| {
            let mut document = Document::new(segmentation);
            tree::apply(&mut document, tree);
            let distance = block_proximity_fusion::MAX_DISTANCE;
            block_proximity_fusion::apply(&mut document, distance, false);
            keep_largest_block_filter::apply(&mut document);
            document.labels()
        }))
    }),
};
