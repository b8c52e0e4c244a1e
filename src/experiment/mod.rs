//! Experiments: several rankings of the same topics, evaluated side by side, and sweeps. Gives tables; renders nothing.
//!
//! An experiment that is written down as a file ([`Definition`]) has a kind, a row of [`kinds`]: those here search an index, those
//! of the [laboratory](trommel_lab::experiment) need none. [`run`] gives its [`Outcome`], compared with the published figures that
//! the file names.

mod agreement;
mod judged;
mod outcome;
mod retrieval;
pub mod sweep;
mod thresholds;

pub use agreement::{agreement, check_agreement};
pub use judged::{DEMO_FILE, write_demo};
pub use outcome::Outcome;
pub use trommel_lab::LabError;
pub use trommel_lab::experiment::{
    Check, Context, Curves, Definition, Deviation, Figures, PaperTable, density, own,
};

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::extractor::ExtractorError;
use crate::index::{Index, IndexError, Ranking};
use crate::measure::{self, Evaluation, Measure, MeasureError, Mismatch};
use crate::text::{choice, to_word};
use crate::trec::{NoField, Qrels, Run, ScoredDoc, TrecError};

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The experiment's file, its inputs, or what needs no index.
    #[error(transparent)]
    Lab(#[from] LabError),
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
    /// A sweep cannot be run.
    #[error(transparent)]
    Sweep(#[from] sweep::SweepError),
}

impl ExperimentError {
    fn definition(text: impl Into<String>) -> Self {
        LabError::Definition(text.into()).into()
    }

    fn file(path: &Path, error: io::Error) -> Self {
        LabError::file(path, error).into()
    }
}

impl From<ExtractorError> for ExperimentError {
    fn from(error: ExtractorError) -> Self {
        LabError::from(error).into()
    }
}

/// A kind of experiment that a file can ask for.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    run: Runner,
}

/// How an experiment of a kind is run.
#[derive(Debug, Clone, Copy)]
enum Runner {
    /// With an index.
    Search(fn(&Definition, &Context) -> Result<Outcome, ExperimentError>),
    /// In the laboratory.
    Lab(trommel_lab::experiment::Kind),
}

/// All kinds: those that search, and those of the laboratory.
pub fn kinds() -> Vec<Kind> {
    let lab = trommel_lab::experiment::kinds().iter();
    let lab = lab.map(|kind| Kind {
        name: kind.name,
        summary: kind.summary,
        run: Runner::Lab(*kind),
    });
    [retrieval::KIND, thresholds::KIND]
        .into_iter()
        .chain(lab)
        .collect()
}

/// Runs an experiment and compares its tables with the published ones.
///
/// # Errors
/// An unknown kind, missing inputs, and whatever keeps the kind from running.
pub fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let kinds = kinds();
    let kind = kinds.iter().find(|kind| kind.name == definition.kind);
    let kind = kind.ok_or_else(|| {
        let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        ExperimentError::definition(format!(
            "no experiment is of the kind '{}'; {}",
            definition.kind,
            choice(&definition.kind, &known)
        ))
    })?;
    definition.check_hashes()?;
    let mut outcome = match kind.run {
        Runner::Search(run) => run(definition, context)?,
        Runner::Lab(kind) => Outcome::from((kind.run)(definition, context)?),
    };
    let figures = &mut outcome.figures;
    figures.title.clone_from(&definition.title);
    figures.about.clone_from(&definition.about);
    figures.check(definition)?;
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
    let options = measure::Options::default().with_complete(true);
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
