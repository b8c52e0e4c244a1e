//! The rule that C4.8 found on CleanEval's training set (WSDM 2010 §4.3.2): "accept all blocks that have a minimum text density
//! of 7 and a maximum link density of 0.35".

use super::of_filter::by_filter;
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "cleaneval-rule",
    summary: "blocks of a text density of at least 7 and a link density of at most 0.35",
    source: "WSDM 2010 §4.3.2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| by_filter("density >= 7 and link-density <= 0.35")),
};
