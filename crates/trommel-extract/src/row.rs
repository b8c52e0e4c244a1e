//! A row of the registry of extractors.

use trommel_page::Segmentation;

use crate::{Arguments, ExtractorError, Label, Subject, Takes, Verdict};

/// A published boilerplate remover: a row of the registry.
#[derive(Debug)]
pub struct ExtractorRow {
    /// Its name in flags, manifests and columns.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Where the algorithm was published.
    pub source: &'static str,
    /// The segmenter on whose blocks the algorithm is defined; none if it takes any.
    pub segmenter: Option<&'static str>,
    /// What it takes behind its name.
    pub takes: Takes,
    /// Makes the algorithm ready to run.
    pub make: Make,
}

impl ExtractorRow {
    /// Returns whether its verdicts come with confidences.
    pub fn has_confidences(&self) -> bool {
        matches!(self.make, Make::Scored(_))
    }
}

/// How an extractor is made ready to run: which of these tells whether it gives confidences.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    /// It gives labels.
    Labels(fn(&Arguments) -> Result<Box<LabelFn>, ExtractorError>),
    /// It gives labels, and goes on from what another extractor says.
    Based(fn(&Arguments, &Bases) -> Result<Box<LabelFn>, ExtractorError>),
    /// It gives labels with confidences, both at once.
    Scored(fn(&Arguments) -> Result<Box<ScoreFn>, ExtractorError>),
}

/// A label for each block of a segmentation of the page.
pub type LabelFn = dyn Fn(&Subject, &Segmentation) -> Vec<Label> + Send + Sync;

/// A label with its confidence for each block of a segmentation of the page.
pub type ScoreFn = dyn Fn(&Subject, &Segmentation) -> Vec<Verdict> + Send + Sync;

/// An extractor that another one goes on from, ready to run.
pub struct Base {
    /// Its row.
    pub row: &'static ExtractorRow,
    /// Its labels for the blocks of the segmenter that was asked for.
    pub label: Box<LabelFn>,
}

/// Makes the extractor of a name (`NAME`, `NAME:key=value,…`) for one that goes on from it: labels are wanted for the blocks of a
/// segmenter, the second name.
pub type Bases = dyn Fn(&str, &'static str) -> Result<Base, ExtractorError>;
