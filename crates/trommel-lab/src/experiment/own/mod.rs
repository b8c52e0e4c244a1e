//! Kind `own-remover`: the extractor `trommel` by cross-validation over several gold standards, beside others.
//!
//! The pages of all corpora are divided into folds by site ([`folds`]). For each fold a model is learnt from the other folds' pages;
//! what it keeps of the fold's pages is compared with the gold texts.

pub mod corpus;
mod figures;
pub mod folds;
pub mod site;
mod systems;
pub mod train;

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;

use self::corpus::{Corpus, LearningPage};
use self::figures::{calibration, decisions, figures};
use self::systems::{decided, systems};
use super::score::pairs;
use super::{Context, Definition, ExperimentError, Kind, Outcome};
use crate::gold;
use trommel_extract::feature::trommel::Row;
use trommel_extract::trommel::{TrommelModel, Wanted};
use trommel_page::html::Charset;

pub(super) const KIND: Kind = Kind {
    name: "own-remover",
    summary: "the extractor trommel by cross-validation by site (inputs NAME-gold, NAME-pages, NAME-urls)",
    run,
};

/// What the file says of the corpora and of learning; `trommel train trommel` reads it too.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The corpora; each with its inputs `NAME-gold` and `NAME-pages`, and `NAME-urls` if there is such a list.
    corpora: Vec<CorpusSettings>,
    /// How many folds.
    pub folds: usize,
    /// How often all is done anew, with other folds and trees: what is drawn by lot makes some tenths of a point of difference.
    #[serde(default = "once")]
    repeats: usize,
    /// Seed of the folds and of the trees.
    pub seed: u64,
    /// How pages are decoded.
    #[serde(default = "auto")]
    charset: String,
    /// The extractors beside.
    #[serde(default)]
    extractors: Vec<String>,
    /// Outputs of other tools, by their names: inputs that are folders with a file CORPUS.jsonl each.
    #[serde(default)]
    outputs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CorpusSettings {
    name: String,
    /// Format of the gold standard; a corpus without is labelled, and not learnt from nor measured.
    format: Option<String>,
    /// Is the site what stands before the first `_` of a page's name?
    #[serde(default)]
    site_by_name: bool,
    /// Is it only learnt from?
    #[serde(default)]
    only_learnt: bool,
}

fn once() -> usize {
    1
}

fn auto() -> String {
    "auto".to_owned()
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    if settings.folds < 2 || settings.repeats == 0 {
        let text = "folds are 2 or more, repeats 1 or more".to_owned();
        return Err(ExperimentError::Definition(text));
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
            outcome
                .tables
                .push(figures(title, number, &pages, &groups, &systems));
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

/// The corpora that an experiment's file names.
///
/// # Errors
/// Inputs that are missing, and formats that there are not.
pub fn corpora(
    definition: &Definition,
    settings: &Settings,
) -> Result<Vec<Corpus>, ExperimentError> {
    let of = |settings: &CorpusSettings| {
        let name = &settings.name;
        let format = settings.format.as_ref().map(|format| {
            gold::by_name(format).ok_or_else(|| {
                ExperimentError::Definition(format!("no gold standard has the format '{format}'"))
            })
        });
        let format = format.transpose()?;
        let gold = match format {
            Some(_) => Some(definition.input(&format!("{name}-gold"))?),
            None => None,
        };
        let urls = match definition.input.contains_key(&format!("{name}-urls")) {
            true => urls(definition.input(&format!("{name}-urls"))?)?,
            false => BTreeMap::new(),
        };
        let pages = definition.input(&format!("{name}-pages"))?;
        let (pairs, collection) = match gold {
            Some(gold) => (pairs(Some(gold), pages)?, None),
            None => (Vec::new(), Some(pages.to_owned())),
        };
        Ok(Corpus {
            collection,
            urls,
            site_by_name: settings.site_by_name,
            ..Corpus::new(name, format, pairs)
        })
    };
    settings.corpora.iter().map(of).collect()
}

/// Addresses by name: lines of a name, which may be a URN, and an address.
fn urls(path: &Path) -> Result<BTreeMap<String, String>, ExperimentError> {
    let bytes = std::fs::read(path).map_err(|error| ExperimentError::file(path, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let name = |name: &str| {
        let name = name.trim_matches(['<', '>']);
        name.rsplit(':').next().unwrap_or(name).to_owned()
    };
    Ok(lines
        .map(|(of, url)| (name(of), url.trim().to_owned()))
        .collect())
}

/// The pages of all corpora, one corpus after the other.
///
/// # Errors
/// Files that cannot be read.
pub fn learning_pages(
    corpora: &[Corpus],
    charset: Charset,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<LearningPage>, ExperimentError> {
    let mut pages = Vec::new();
    for (number, corpus) in corpora.iter().enumerate() {
        pages.extend(match &corpus.collection {
            None => corpus::read(corpus, number, charset, done)?,
            Some(path) => corpus::read_collection(corpus, number, path, charset, done)?,
        });
    }
    Ok(pages)
}

/// How the file of an experiment says that pages are decoded.
///
/// # Errors
/// A charset that there is not.
pub fn charset(settings: &Settings) -> Result<Charset, ExperimentError> {
    settings
        .charset
        .parse()
        .map_err(|error| ExperimentError::Definition(format!("charset: {error}")))
}

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
            let model = train::train(&seen, &train::BOOSTING, seed);
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
    let with_comments = Wanted {
        comments: true,
        related: false,
    };
    Probabilities {
        main: each(&|row| model.probability(row, Wanted::default())),
        with_comments: each(&|row| model.probability(row, with_comments)),
        comments: each(&|row| model.comments.share(row.values)),
        related: each(&|row| model.related.share(row.values)),
    }
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
