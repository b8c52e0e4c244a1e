//! Keeps blocks of ten words or more (WSDM 2010 §4.3.2): "we mark every block with at least 10 words as content".

use super::of_filter::labeler;
use crate::{Extractor, Make, Takes};

pub(crate) const EXTRACTOR: Extractor = Extractor {
    name: "min-words-10",
    summary: "blocks of at least 10 words",
    source: "WSDM 2010 §4.3.2, Figure 2",
    segmenter: None,
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| labeler("words >= 10")),
};
