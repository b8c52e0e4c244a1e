//! boilerpipe's `DefaultExtractor`: fuses blocks of the same density, then Algorithm 1.
//!
//! The proximity fusion between the two does nothing, since no block is content by then; the original has it there.

use trommel_page::Segmentation;

use super::filter::{
    Document, block_proximity_fusion, density_rules_classifier, simple_block_fusion_processor,
};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-default",
    summary: "fused blocks of the same density, then the tree over densities",
    source: "boilerpipe 1.2 DefaultExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    simple_block_fusion_processor::apply(&mut document);
    block_proximity_fusion::apply(&mut document, block_proximity_fusion::MAX_DISTANCE, false);
    density_rules_classifier::apply(&mut document);
    document.labels()
}
