//! How well a model labels text nodes.

use rayon::prelude::*;
use trommel_extract::Web2TextModel;

use super::sequence::Sequence;
use crate::score::labels::{Confusion, Labelled};

/// A model's verdicts on the labelled text nodes of some pages, each counting 1.
pub fn of_model(
    model: &Web2TextModel,
    sequences: &[Sequence],
    pages: &[usize],
    lambda: f64,
) -> Confusion {
    let of_page = |page: &usize| {
        let page = &sequences[*page];
        let verdicts = model.decide(page.blocks.clone(), page.pairs.clone(), lambda);
        let gold = page
            .classes
            .iter()
            .map(|class| class.map(|class| class == 1));
        confusion(gold, verdicts)
    };
    sum(pages.par_iter().map(of_page).collect())
}

/// Counts verdicts on what the gold standard labels, each 1.
pub(crate) fn confusion(
    gold: impl Iterator<Item = Option<bool>>,
    verdicts: Vec<bool>,
) -> Confusion {
    let labelled = gold.zip(verdicts).filter_map(|(gold, verdict)| {
        Some(Labelled {
            gold: gold?,
            verdict,
            weight: 1,
        })
    });
    Confusion::of(labelled)
}

/// All counts together.
pub(crate) fn sum(parts: Vec<Confusion>) -> Confusion {
    parts
        .into_iter()
        .fold(Confusion::default(), Confusion::plus)
}
