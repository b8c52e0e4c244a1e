//! Experiments: several rankings of the same topics, evaluated side by side; extractors scored against a gold standard. Gives
//! tables; renders nothing.
//!
//! An experiment that is written down as a file ([`Definition`]) has a kind, a row of [`kinds`]; [`run`] gives its [`Outcome`],
//! compared with the published figures that the file names.

mod agreement;
mod definition;
pub mod density;
mod extractors;
mod judged;
pub mod labelled;
pub mod learned;
mod outcome;
pub mod own;
mod retrieval;
pub mod score;
pub mod sweep;
mod thresholds;
pub mod web2text;
mod wsdm2010;

pub use agreement::{agreement, check_agreement};
pub use definition::{Definition, Deviation, PaperTable};
pub use judged::{DEMO_FILE, write_demo};
pub use outcome::{Check, Curves, Figures, Outcome};

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::extractor::ExtractorError;
use crate::index::{Index, IndexError, Ranking};
use crate::measure::{self, Evaluation, Measure, MeasureError, Mismatch};
use crate::text::{choice, to_word};
use crate::trec::{NoField, Qrels, Run, ScoredDoc, TrecError};

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The index could not be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The measures cannot be computed on these qrels.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The judgments are those of another collection.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// Topics, judgments or a run cannot be read.
    #[error(transparent)]
    Trec(#[from] TrecError),
    /// A topic has no text of the field.
    #[error(transparent)]
    NoField(#[from] NoField),
    /// An extractor cannot be had.
    #[error(transparent)]
    Extractor(#[from] ExtractorError),
    /// A sweep cannot be run.
    #[error(transparent)]
    Sweep(#[from] sweep::SweepError),
    /// The file of an experiment is none.
    #[error("{0}")]
    Definition(String),
    /// An input of an experiment is missing.
    #[error(
        "{path} is not there; the experiment's inputs are named in its file, and TROMMEL_SHARED is where the shipped ones look for data"
    )]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// An input is not the one that the expected figures are of.
    #[error(
        "{path} has the SHA-256 {found}, but the experiment was written for {expected}: its figures would not be comparable"
    )]
    Changed {
        /// The input.
        path: PathBuf,
        /// Its hash.
        found: String,
        /// The hash in the experiment's file.
        expected: String,
    },
    /// A file or folder cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A gold text of another format than the one that was named.
    #[error("{path} is no gold standard of the format {asked}: it is of the format {found}")]
    GoldFormat {
        /// The file.
        path: PathBuf,
        /// The format that was named.
        asked: &'static str,
        /// The format that it is in.
        found: &'static str,
    },
    /// A gold text without its page.
    #[error("{gold}: no page of the same name in {pages}")]
    NoPage {
        /// The gold text.
        gold: PathBuf,
        /// Where pages were looked for.
        pages: PathBuf,
    },
}

impl ExperimentError {
    fn file(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        ExperimentError::File { path, error }
    }
}

/// A kind of experiment that a file can ask for.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    run: fn(&Definition, &Context) -> Result<Outcome, ExperimentError>,
}

/// What an experiment is run with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Called after each page or other unit of work.
    pub progress: &'a (dyn Fn() + Sync),
    /// An empty directory for what is needed on the way, such as an index.
    pub scratch: &'a Path,
}

/// All kinds.
pub fn kinds() -> &'static [Kind] {
    &[
        extractors::KIND,
        retrieval::KIND,
        thresholds::KIND,
        wsdm2010::KIND,
        learned::KIND,
        own::KIND,
        web2text::KIND,
    ]
}

/// Runs an experiment and compares its tables with the published ones.
///
/// # Errors
/// An unknown kind, missing inputs, and whatever keeps the kind from running.
pub fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let kind = kinds().iter().find(|kind| kind.name == definition.kind);
    let kind = kind.ok_or_else(|| {
        let known: Vec<&str> = kinds().iter().map(|kind| kind.name).collect();
        ExperimentError::Definition(format!(
            "no experiment is of the kind '{}'; {}",
            definition.kind,
            choice(&definition.kind, &known)
        ))
    })?;
    definition.check_hashes()?;
    let mut outcome = (kind.run)(definition, context)?;
    outcome.title.clone_from(&definition.title);
    outcome.about.clone_from(&definition.about);
    outcome.check(definition)?;
    Ok(outcome)
}

/// Searches the topics (id and text) under each ranking and evaluates the results.
///
/// All judged topics count, as with trec_eval's `-c`: a filter under which nothing is found for a topic must not leave the
/// topic out of the average.
pub fn evaluate_rankings(
    index: &Index,
    topics: &[(String, String)],
    qrels: &Qrels,
    rankings: &[Ranking],
    measures: &[Measure],
    k: usize,
) -> Result<Vec<Evaluation>, ExperimentError> {
    let options = measure::Options {
        complete: true,
        ..measure::Options::default()
    };
    rankings
        .iter()
        .map(|ranking| {
            let run = Run {
                tag: ranking.filter.to_string(),
                topics: search_topics(index, topics, ranking, k)?,
            };
            Ok(measure::evaluate(qrels, &run, measures, &options)?)
        })
        .collect()
}

fn search_topics(
    index: &Index,
    topics: &[(String, String)],
    ranking: &Ranking,
    k: usize,
) -> Result<BTreeMap<String, Vec<ScoredDoc>>, IndexError> {
    topics
        .iter()
        .map(|(id, text)| {
            let hits = index.search(text, ranking, k)?;
            let documents = hits.iter().map(|hit| ScoredDoc {
                docid: to_word(index.docid(hit.page)).into_owned(),
                score: f64::from(hit.score),
            });
            Ok((id.clone(), documents.collect()))
        })
        .collect()
}
