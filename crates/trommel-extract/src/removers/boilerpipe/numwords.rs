//! Algorithm 2 of WSDM 2010, boilerpipe's `NumWordsRulesExtractor`: the decision tree over number of words and link density.

use trommel_page::Segmentation;

use super::filter::{Document, num_words_rules_classifier};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "boilerpipe-numwords",
    summary: "decision tree over number of words and link density",
    source: "WSDM 2010, Algorithm 2; boilerpipe 1.2 NumWordsRulesExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut document = Document::new(segmentation);
    num_words_rules_classifier::apply(&mut document);
    document.labels()
}
