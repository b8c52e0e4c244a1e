//! Training of the extractor `trommel`, our own.

mod corpus;
mod pages;
mod shingles;
mod site;
mod train;

pub use corpus::Corpus;
pub use pages::{LearningPage, LearningParagraph, learning_pages};
pub use shingles::shingles;
pub use train::{BOOSTING, train, training};
