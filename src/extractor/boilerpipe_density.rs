//! Algorithm 1 of WSDM 2010, boilerpipe's `DensityRulesClassifier`: the decision tree over text and link density.

use super::boilerpipe_numwords::{LINK_DENSITY, PREVIOUS_LINK_DENSITY, label_by_context};
use super::{Extractor, Label, Subject, Takes};
use crate::page::Segmentation;

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "boilerpipe-density",
    summary: "decision tree over text density and link density",
    source: "WSDM 2010, Algorithm 1; boilerpipe 1.2 DensityRulesClassifier",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: |_| Ok(Box::new(label)),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    label_by_context(segmentation, |previous, current, next| {
        if current.link_density > LINK_DENSITY {
            return false;
        }
        if previous.link_density > PREVIOUS_LINK_DENSITY {
            return next.text_density > 11.0;
        }
        if current.text_density > 9.0 {
            return next.text_density != 0.0;
        }
        next.text_density > 10.0 || previous.text_density > 4.0
    })
}
