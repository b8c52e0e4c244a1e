//! boilerpipe's `LargestContentExtractor`: the largest run of content blocks.

use trommel_page::Segmentation;

use super::filter::{
    Document, block_proximity_fusion, keep_largest_block_filter, num_words_rules_classifier,
};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-largest",
    summary: "the largest fused block after the tree over number of words",
    source: "boilerpipe 1.2 LargestContentExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    num_words_rules_classifier::apply(&mut document);
    block_proximity_fusion::apply(&mut document, block_proximity_fusion::MAX_DISTANCE, false);
    keep_largest_block_filter::apply(&mut document);
    document.labels()
}
