//! Keeps blocks with a link density of at most 0.33 (WSDM 2010, Table 2: "Only Link Density @0.33"). A block without words has
//! link density 0 and is kept.

use super::of_filter::by_filter;
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "max-link-density-0.33",
    summary: "blocks of a link density of at most 0.33",
    source: "WSDM 2010 §4.3.1, Table 2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| by_filter("link-density <= 0.33")),
};
