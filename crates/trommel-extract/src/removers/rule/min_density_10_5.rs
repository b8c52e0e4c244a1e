//! Keeps blocks with a text density of at least 10.5 (WSDM 2010, Table 2: "1R: Text Density @10.5").

use super::of_filter::by_filter;
use crate::{ExtractorRow, Make, Takes};

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "min-density-10.5",
    summary: "blocks of a text density of at least 10.5",
    source: "WSDM 2010 §4.3.1, Table 2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| by_filter("density >= 10.5")),
};
