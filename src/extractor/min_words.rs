//! Keeps blocks of ten words or more (WSDM 2010 §4.3.2): "we mark every block with at least 10 words as content".

use super::{Extractor, Label, Takes};

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "min-words-10",
    summary: "blocks of at least 10 words",
    source: "WSDM 2010 §4.3.2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: |_| {
        Ok(Box::new(|_, segmentation| {
            let blocks = segmentation.blocks.iter();
            blocks
                .map(|block| Label::content_if(block.num_words >= 10))
                .collect()
        }))
    },
};
