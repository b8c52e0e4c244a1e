//! Keeps blocks of ten words or more (WSDM 2010 §4.3.2): "we mark every block with at least 10 words as content".

use super::of_filter::by_filter;
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "min-words-10",
    summary: "blocks of at least 10 words",
    source: "WSDM 2010 §4.3.2, Figure 2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| by_filter("words >= 10")),
};
