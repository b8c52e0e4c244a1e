//! Keeps blocks of ten words or more (WSDM 2010 §4.3.2): "we mark every block with at least 10 words as content".

use crate::{Extractor, Make, Takes, rule};

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "min-words-10",
    summary: "blocks of at least 10 words",
    source: "WSDM 2010 §4.3.2, Figure 2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| rule::labeler("words >= 10")),
};
