//! Keeps all text: the floor that every remover is compared with (boilerpipe's `KeepEverythingExtractor`).

use super::{Extractor, Label, Takes};

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "keep-everything",
    summary: "all text",
    source: "WSDM 2010 §4.3.2, the baseline \"keep all text\"",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: |_| {
        Ok(Box::new(|_, blocks| {
            vec![Label::Content; blocks.blocks.len()]
        }))
    },
};
