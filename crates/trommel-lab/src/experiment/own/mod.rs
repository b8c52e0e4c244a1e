//! Kind `own-remover`: the extractor `trommel` by cross-validation over several gold standards, beside others.
//!
//! The pages of all corpora are divided into folds by site ([`folds`]). For each fold a model is learnt from the other folds' pages;
//! what it keeps of the fold's pages is compared with the gold texts.

mod figures;
pub mod folds;
mod held_out;
mod settings;
mod systems;

use std::collections::BTreeSet;

use self::figures::{calibration, decisions, figures, snippets};
use self::systems::{HELD_OUT, decided, systems};
use super::{Context, Definition, Kind, Outcome};
use crate::LabError;
use crate::training::own::{LearningPage, learning_pages};

pub use held_out::{Probabilities, held_out};
pub use settings::{CorpusSettings, OwnSettings, charset, corpora};

pub(super) const KIND: Kind = Kind {
    name: "own-remover",
    summary: "the extractor trommel by cross-validation by site (inputs NAME-gold, NAME-pages, NAME-urls)",
    run,
};

fn run(definition: &Definition, context: &Context) -> Result<Outcome, LabError> {
    let settings: OwnSettings = definition.options()?;
    if settings.folds < 2 || settings.repeats == 0 {
        let text = "folds are 2 or more, repeats 1 or more".to_owned();
        return Err(LabError::Definition(text));
    }
    let corpora = corpora(definition, &settings)?;
    let pages = learning_pages(&corpora, charset(&settings)?, context.progress)?;
    let groups = folds::groups(&pages);
    let rounds: Vec<Vec<Probabilities>> = (0..settings.repeats as u64)
        .map(|round| {
            let seed = settings.seed + round;
            let folds = folds::folds(&pages, &groups, settings.folds, seed);
            held_out(&pages, &folds, settings.folds, seed, context.progress)
        })
        .collect();
    let probabilities = &rounds[0];
    let systems = systems(definition, &settings, &corpora, &pages, &rounds)?;
    let mut outcome = Outcome::default();
    for (number, of) in settings.corpora.iter().enumerate() {
        if of.format.is_some() && !of.only_learnt {
            let title = of.name.clone();
            let of_corpus = |page: &LearningPage| page.corpus == number;
            let table = figures(title, &of_corpus, &pages, &groups, &systems);
            outcome.tables.push(table);
            let types = pages.iter().filter(|page| of_corpus(page));
            let types: BTreeSet<&String> =
                types.filter_map(|page| page.page_type.as_ref()).collect();
            for kind in types {
                let is =
                    |page: &LearningPage| of_corpus(page) && page.page_type.as_ref() == Some(kind);
                let title = format!("{}, pages of the type {kind}", of.name);
                let table = figures(title, &is, &pages, &groups, &systems[..HELD_OUT]);
                outcome.tables.push(table);
            }
            let title = format!("{}, snippets", of.name);
            outcome
                .tables
                .extend(snippets(title, number, &pages, probabilities));
        }
    }
    outcome.tables.push(decisions(&pages, probabilities));
    outcome.tables.push(calibration(&pages, probabilities));
    for (number, of) in settings.corpora.iter().enumerate() {
        let texts = held_out_texts(number, &pages, probabilities);
        let file = format!("held-out-{}.jsonl", of.name);
        outcome.files.push((file, texts));
    }
    Ok(outcome)
}

/// For each page of a corpus a line of JSON with what was kept of it, as the extractor `external` reads it.
fn held_out_texts(
    corpus: usize,
    pages: &[LearningPage],
    probabilities: &[Probabilities],
) -> String {
    let mut lines = String::new();
    let pages = pages.iter().zip(probabilities);
    for (page, of) in pages.filter(|(page, _)| page.corpus == corpus) {
        let text = decided(page, &of.main).plain;
        let line = serde_json::json!({"docid": page.name, "text": text});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines
}
