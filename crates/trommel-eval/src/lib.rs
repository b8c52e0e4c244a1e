//! Evaluation of retrieval as trec_eval does it: topics, judgments and runs ([`trec`]), measures and significance
//! ([`measure`]).

pub mod measure;
pub mod trec;
