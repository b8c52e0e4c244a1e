//! Experiments: several rankings of the same topics, evaluated side by side, and sweeps. Gives tables; renders nothing.
//!
//! An experiment that is written down as a file ([`Definition`]) has a kind, a row of [`kinds`]: those here search an index, those
//! of the [laboratory](trommel_lab::experiment) need none. [`run`] gives its [`Outcome`], compared with the published figures that
//! the file names.

mod agreement;
mod comparison;
mod error;
mod judged;
mod kind;
mod outcome;
mod rankings;
mod retrieval;
pub mod sweep;
mod tag;
mod thresholds;

use self::kind::Runner;
use crate::text::choice;

pub use agreement::{agreement, as_in_runs, check_agreement};
pub use comparison::{CompareOptions, Compared, ComparedRun};
pub use error::ExperimentError;
pub use judged::{DEMO_FILE, write_demo};
pub use kind::Kind;
pub use outcome::Outcome;
pub use rankings::evaluate_rankings;
pub use tag::run_tag;
pub use trommel_lab::LabError;
pub use trommel_lab::experiment::{
    Check, Context, Curves, Definition, Deviation, Figures, PaperTable, density, own,
};

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
