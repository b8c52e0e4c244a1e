//! Keeps all text: the floor that every remover is compared with (boilerpipe's `KeepEverythingExtractor`).

use super::{Extractor, Label};

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "keep-everything",
    summary: "all text",
    source: "WSDM 2010 §4.3.2, the baseline \"keep all text\"",
    segmenter: None,
    label: |_, segmentation| vec![Label::Content; segmentation.blocks.len()],
};
