//! Pages as sequences to learn from.

use rayon::prelude::*;
use trommel_extract::Potentials;
use trommel_page::html::segment::{self, Segmenter};

use crate::LabError;
use crate::gold::{GoldLabel, LabelledPage};

/// The segmenter whose blocks are labelled.
pub const SEGMENTER: &str = "leaf";

/// The segmenter called [`SEGMENTER`].
///
/// # Errors
/// There is none of this name.
pub fn leaf() -> Result<&'static Segmenter, LabError> {
    let none = || LabError::Definition(format!("no segmenter is called '{SEGMENTER}'"));
    segment::by_name(SEGMENTER).ok_or_else(none)
}

/// A page as the networks see it.
#[derive(Debug, Clone)]
pub struct Sequence {
    /// Features of its text nodes, row after row.
    pub blocks: Vec<f32>,
    /// Features of its pairs of neighbours.
    pub pairs: Vec<f32>,
    /// For each text node 1 for content and 0 for boilerplate; none where the gold standard does not say.
    pub classes: Vec<Option<u8>>,
    /// For each pair of neighbours 2 × the first's class + the second's.
    pub pair_classes: Vec<Option<u8>>,
}

impl Sequence {
    /// Of a page cut into leaves.
    pub fn of(page: &LabelledPage) -> Sequence {
        let labels = page.labels.iter();
        let class = |label: &Option<GoldLabel>| Some(u8::from((*label)?.is_content()));
        let classes: Vec<Option<u8>> = labels.map(class).collect();
        let pair_classes = classes.windows(2).map(|pair| Some(2 * pair[0]? + pair[1]?));
        Sequence {
            blocks: Potentials::measure(false, &page.page, &page.segmentation),
            pairs: Potentials::measure(true, &page.page, &page.segmentation),
            pair_classes: pair_classes.collect(),
            classes,
        }
    }

    /// Of pages, in their order.
    pub fn of_all(pages: &[LabelledPage]) -> Vec<Sequence> {
        pages.par_iter().map(Sequence::of).collect()
    }
}
