//! Learners: from the pages of a collection to the model of a remover that needs one.

use super::{Arguments, Bases, ExtractorError, Subject, Takes};

/// Learns a model from the pages of a collection, given one after the other in input order. The same pages in the same
/// order give the same model.
pub trait Learner {
    /// Takes note of a page.
    fn add(&mut self, subject: &Subject);

    /// The text of the model file (see [`ModelKind`](super::ModelKind)).
    ///
    /// # Errors
    /// If the pages give no model.
    fn finish(self: Box<Self>) -> Result<String, ExtractorError>;
}

/// A row of the registry of learners.
#[derive(Debug)]
pub struct LearnerRow {
    /// Its name: that of the extractor that takes the model.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// What it takes behind its name.
    pub takes: Takes,
    /// Makes the learner ready to run.
    pub make: MakeLearner,
}

/// Makes a learner of its arguments, and of other extractors if it goes on from one.
pub type MakeLearner = fn(&Arguments, &Bases) -> Result<Box<dyn Learner>, ExtractorError>;
