//! Maximum subsequence segmentation with features of a token and the two behind it. The model that is built in was trained on the 621 news pages of L3S-GN1
//! by `trommel train mss-trigram`: WSDM 2010 §4.4 compares the authors' unigram model as trained on CleanEval and their trigram model as trained on news.

use crate::{ExtractorRow, Make, Takes};

const BUILT_IN: &str = include_str!("../models/mss-trigram.json");

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "mss-trigram",
    summary: "the stretch of the most probable tokens, by trigrams (MSS)",
    source: "Pasternack and Roth 2009",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(super::PARAMETERS),
    make: Make::Labels(|arguments| super::make(arguments, 3, BUILT_IN)),
};
