//! boilerpipe's `CanolaExtractor`: a decision tree over number of words and link density, trained on KrdWrd Canola.

use trommel_page::Segmentation;

use super::filter::{Document, canola_classifier};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-canola",
    summary: "decision tree over number of words and link density, trained on KrdWrd",
    source: "boilerpipe 1.2 CanolaExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    canola_classifier::apply(&mut document);
    document.labels()
}
