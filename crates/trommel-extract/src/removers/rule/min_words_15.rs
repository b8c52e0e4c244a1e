//! Keeps blocks of fifteen words or more (WSDM 2010, Table 2: "Only Number of Words @15").
//!
//! The table does not say whether 15 itself is content; here it is, as for the paper's other rules.

use super::of_filter::by_filter;
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "min-words-15",
    summary: "blocks of at least 15 words",
    source: "WSDM 2010 §4.3.1, Table 2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| by_filter("words >= 15")),
};
