//! The laboratory of boilerplate removal: gold standards, the scores of extractors against them, training, and the
//! experiments of the papers.

pub mod experiment;
pub mod gold;
pub mod score;
