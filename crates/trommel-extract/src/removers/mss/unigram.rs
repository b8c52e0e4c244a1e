//! Maximum subsequence segmentation with features of a token. The model that is built in was trained on the 57 pages of CleanEval's for development that have a gold text
//! by `trommel train mss-unigram`: WSDM 2010 §4.4 compares the authors' unigram model as trained on CleanEval and their trigram model as trained on news.

use crate::{ExtractorRow, Make, Takes};

const BUILT_IN: &str = include_str!("../models/mss-unigram.json");

pub(crate) const ROW: ExtractorRow = ExtractorRow {
    name: "mss-unigram",
    summary: "the stretch of the most probable tokens, by unigrams (MSS)",
    source: "Pasternack and Roth 2009",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(super::PARAMETERS),
    make: Make::Labels(|arguments| super::make(arguments, 1, BUILT_IN)),
};
