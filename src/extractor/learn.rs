//! Learners: from the pages of a collection to the model of a remover that needs one.

use super::{Arguments, ExtractorError, Subject, Takes, goldminer, onion, templates};
use crate::text::choice;

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
    pub make: fn(&Arguments) -> Result<Box<dyn Learner>, ExtractorError>,
}

/// All learners.
pub fn learners() -> &'static [LearnerRow] {
    &[goldminer::LEARNER, onion::LEARNER, templates::LEARNER]
}

/// Makes a learner: `NAME` or `NAME:key=value,…`.
///
/// # Errors
/// An unknown name, parameter or value.
pub fn learner(spec: &str) -> Result<Box<dyn Learner>, ExtractorError> {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let row = learners().iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| {
        let known: Vec<&str> = learners().iter().map(|row| row.name).collect();
        ExtractorError::UnknownLearner {
            name: name.to_owned(),
            known: choice(name, &known),
        }
    })?;
    (row.make)(&Arguments::parse(row.name, row.takes, rest)?)
}
