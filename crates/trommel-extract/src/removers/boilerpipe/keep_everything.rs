//! Keeps all text: the floor that every remover is compared with (boilerpipe's `KeepEverythingExtractor`).

use super::filter::{Document, mark_everything_content_filter};
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "keep-everything",
    summary: "all text",
    source: "WSDM 2010 §4.3.2, the baseline \"keep all text\"",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| {
        Ok(Box::new(|_, segmentation| {
            let mut document = Document::new(segmentation);
            mark_everything_content_filter::apply(&mut document);
            document.labels()
        }))
    }),
};
