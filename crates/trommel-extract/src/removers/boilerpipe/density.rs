//! Algorithm 1 of WSDM 2010, boilerpipe's `DensityRulesClassifier`: the decision tree over text and link density.

use trommel_page::Segmentation;

use super::filter::{Document, density_rules_classifier};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-density",
    summary: "decision tree over text density and link density",
    source: "WSDM 2010, Algorithm 1; boilerpipe 1.2 DensityRulesClassifier",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    density_rules_classifier::apply(&mut document);
    document.labels()
}
