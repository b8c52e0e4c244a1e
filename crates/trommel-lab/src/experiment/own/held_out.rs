//! What models say of pages that they have not seen.

use rayon::prelude::*;
use trommel_extract::feature::own::Row;
use trommel_extract::own::{TrommelModel, Wanted};

use crate::training::own::{BOOSTING, LearningPage, train};

/// How likely each paragraph of a page is content, by what is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Probabilities {
    /// Main content.
    pub main: Vec<f32>,
    /// Main content or comments.
    pub with_comments: Vec<f32>,
    /// Comments.
    pub comments: Vec<f32>,
    /// Related content.
    pub related: Vec<f32>,
}

/// For each page what the model says that was learnt from the pages of the other folds. `done` is called after each fold.
pub fn held_out(
    pages: &[LearningPage],
    folds: &[usize],
    num_folds: usize,
    seed: u64,
    done: &(dyn Fn() + Sync),
) -> Vec<Probabilities> {
    let models: Vec<TrommelModel> = (0..num_folds)
        .map(|fold| {
            let seen = pages.iter().zip(folds).filter(|(_, of)| **of != fold);
            let seen: Vec<&LearningPage> = seen.map(|(page, _)| page).collect();
            let model = train(&seen, &BOOSTING, seed);
            done();
            model
        })
        .collect();
    let pages = pages.par_iter().zip(folds);
    pages
        .map(|(page, fold)| probabilities(page, &models[*fold]))
        .collect()
}

fn probabilities(page: &LearningPage, model: &TrommelModel) -> Probabilities {
    let each = |of: &dyn Fn(&Row) -> f32| {
        let rows = (0..page.paragraphs.len()).map(|paragraph| page.row(paragraph));
        rows.map(|row| of(&row)).collect()
    };
    // A page is judged by the convention of its gold standard.
    let convention = page
        .paragraphs
        .first()
        .map_or_else(Default::default, |of| of.convention);
    let plain = Wanted {
        convention,
        ..Wanted::default()
    };
    let with_comments = Wanted {
        comments: true,
        ..plain
    };
    Probabilities {
        main: each(&|row| model.probability(row, plain)),
        with_comments: each(&|row| model.probability(row, with_comments)),
        comments: each(&|row| model.comments.share(row.values)),
        related: each(&|row| model.related.share(row.values)),
    }
}
