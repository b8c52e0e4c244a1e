//! Boilerplate removers: page to labels. One published algorithm per file, one row in [`all`] each.

mod boilerpipe_density;
mod boilerpipe_numwords;
mod keep_everything;
mod min_words;
mod project;

use crate::html::segment;
use crate::page::{Page, Segmentation};

pub use project::project;

/// The verdict on a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// Main content.
    Content,
    /// Navigation, teasers, advertisements, legal notices.
    Boilerplate,
}

impl Label {
    /// [`Label::Content`] for true.
    pub fn content_if(condition: bool) -> Label {
        if condition {
            Label::Content
        } else {
            Label::Boilerplate
        }
    }
}

/// A named boilerplate remover.
#[derive(Debug, Clone, Copy)]
pub struct Extractor {
    /// Its name in flags, manifests and columns.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Where the algorithm was published.
    pub source: &'static str,
    /// The segmenter on whose blocks the algorithm is defined; none if it takes any.
    pub segmenter: Option<&'static str>,
    /// The algorithm: a label for each block of the segmentation.
    pub label: fn(&Page, &Segmentation) -> Vec<Label>,
}

/// All extractors.
pub fn all() -> &'static [Extractor] {
    &[
        keep_everything::EXTRACTOR,
        min_words::EXTRACTOR,
        boilerpipe_numwords::EXTRACTOR,
        boilerpipe_density::EXTRACTOR,
    ]
}

/// The extractor of a name.
pub fn by_name(name: &str) -> Option<&'static Extractor> {
    all().iter().find(|extractor| extractor.name == name)
}

/// Labels for the blocks of `target`, which `segmenter` made of `page`. An extractor that is defined on other blocks runs
/// on those, and its labels are projected by leaf.
pub fn labels(
    extractor: &Extractor,
    page: &Page,
    target: &Segmentation,
    segmenter: &str,
) -> Vec<Label> {
    let own = extractor
        .segmenter
        .filter(|own| *own != segmenter)
        .and_then(segment::by_name);
    match own {
        None => (extractor.label)(page, target),
        Some(own) => {
            let native = (own.segment)(page);
            let labels = (extractor.label)(page, &native);
            project(page, &native, &labels, target)
        }
    }
}
