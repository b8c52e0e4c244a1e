//! The laboratory of boilerplate removal: gold standards, the scores of extractors against them, training, and the
//! experiments of the papers.

mod error;
pub mod experiment;
pub mod gold;
pub mod learning;
pub mod score;
pub mod scoring;
pub mod training;

pub use error::LabError;
