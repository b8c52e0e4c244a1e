//! Training of the extractors that are learnt from gold standards, a module an extractor.

pub mod instances;
pub mod mss;
pub mod ncleaner;
pub mod own;
pub mod tree;
pub mod victor;
pub mod web2text;
