//! Algorithm 2 of WSDM 2010, boilerpipe's `NumWordsRulesExtractor`: the decision tree over number of words and link density.

use super::{Extractor, Label, Subject, Takes};
use crate::page::{Block, DensityUnit, Segmentation};

pub(super) const EXTRACTOR: Extractor = Extractor {
    name: "boilerpipe-numwords",
    summary: "decision tree over number of words and link density",
    source: "WSDM 2010, Algorithm 2; boilerpipe 1.2 NumWordsRulesExtractor",
    segmenter: Some("boilerpipe"),
    takes: Takes::Parameters(&[]),
    make: |_| Ok(Box::new(label)),
};

fn label(_: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    label_by_context(segmentation, |previous, current, next| {
        if current.link_density > LINK_DENSITY {
            return false;
        }
        if previous.link_density > PREVIOUS_LINK_DENSITY {
            return current.words > 40 || next.words > 17;
        }
        current.words > 16 || next.words > 15 || previous.words > 4
    })
}

/// Above this a block is boilerplate. Algorithms 1 and 2 print six digits, and so does boilerpipe's source.
pub(super) const LINK_DENSITY: f64 = 0.333333;
/// Above this the previous block takes part in navigation.
pub(super) const PREVIOUS_LINK_DENSITY: f64 = 0.555556;

/// What both decision trees look at in a block. Before the first and after the last block all are 0.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Measures {
    pub words: u32,
    pub text_density: f64,
    pub link_density: f64,
}

impl Measures {
    fn of(block: &Block, unit: DensityUnit) -> Self {
        // The original computes both quotients in single precision and compares in double.
        Measures {
            words: block.num_words,
            text_density: f64::from(block.text_density() as f32),
            link_density: f64::from(block.link_density(unit) as f32),
        }
    }
}

/// Labels each block by itself and its two neighbours.
pub(super) fn label_by_context(
    segmentation: &Segmentation,
    is_content: impl Fn(Measures, Measures, Measures) -> bool,
) -> Vec<Label> {
    let measures: Vec<Measures> = segmentation
        .blocks
        .iter()
        .map(|block| Measures::of(block, segmentation.unit))
        .collect();
    let at = |i: usize| measures.get(i).copied().unwrap_or_default();
    (0..measures.len())
        .map(|i| Label::content_if(is_content(at(i.wrapping_sub(1)), at(i), at(i + 1))))
        .collect()
}
