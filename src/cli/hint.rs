//! What to do about errors. The library says what is wrong; which command or flag mends it, is said here.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use trommel::collection;
use trommel::experiment::sweep::SweepError;
use trommel::experiment::{ExperimentError, LabError};
use trommel::extractor::{self, ExtractorError, Takes};
use trommel::index::IndexError;
use trommel::index::syntax::SyntaxError;
use trommel::measure::{MeasureError, Mismatch};
use trommel::provenance::ProvenanceError;
use trommel::trec::TrecError;
use trommel::weight::ParameterError;

use super::cannot::Cannot;
use super::output::OutputError;

/// What to do where nothing more can be written.
const OUT_OF_SPACE: &str = "free space there and run the command again; \
    'trommel index' goes on after the last part that it finished if you add --resume";
/// What to do where a file of an index may not be opened.
const DENIED: &str = "its owner gives the right to read an index with 'chmod -R a+rX' on its \
    directory; who writes to one has to own it";
/// What to do where a file of an index is not what it was.
const DAMAGED: &str = "'trommel check' names every file that is damaged; a good copy of it will do \
    as well";

/// What to do about an error, in commands and flags; none where its text says all.
pub fn of(error: &anyhow::Error) -> Option<Cow<'static, str>> {
    let fixed = error.chain().find_map(|cause| {
        let trec = || find::<TrecError>(cause).map(TrecError::hint);
        let measure = || find::<MeasureError>(cause).map(measure_hint);
        let mismatch = || find::<Mismatch>(cause).and_then(mismatch_hint);
        let archive = || archive_hint(cause.downcast_ref()?);
        let syntax = || syntax_hint(cause.downcast_ref()?);
        let lab = || find::<LabError>(cause).and_then(lab_hint);
        let not_ours = || output_hint(cause.downcast_ref()?);
        let parameter = || find::<ParameterError>(cause).and_then(parameter_hint);
        let system = || io_hint(cause.downcast_ref::<io::Error>()?.kind());
        trec()
            .or_else(measure)
            .or_else(mismatch)
            .or_else(lab)
            .or_else(not_ours)
            .or_else(archive)
            .or_else(syntax)
            .or_else(parameter)
            .or_else(system)
    });
    let index = || error.chain().find_map(|cause| index_hint(find(cause)?));
    fixed
        .map(Cow::Borrowed)
        .or_else(index)
        .or_else(|| model_hint(error).map(Cow::Owned))
        .or_else(|| provenance_hint(error).map(Cow::Owned))
}

/// What to do about an index.
fn index_hint(error: &IndexError) -> Option<Cow<'static, str>> {
    let fixed = |text: &'static str| Some(Cow::Borrowed(text));
    let made = |text: String| Some(Cow::Owned(text));
    match error {
        error if error.is_out_of_space() => fixed(OUT_OF_SPACE),
        error if error.is_denied() => fixed(DENIED),
        IndexError::Damaged { .. } => fixed(DAMAGED),
        IndexError::Unfinished(_) => fixed(
            "go on with 'trommel index --resume' and the same options and files, or remove the directory",
        ),
        IndexError::Missing(path) => made(format!(
            "build one with 'trommel index --index {} PATH…'",
            path.display()
        )),
        IndexError::IsFile(path) => made(format!(
            "index it first, with 'trommel index --index DIR {}', and then name DIR",
            path.display()
        )),
        IndexError::NoLabels { path, name, .. } if extractor::name_of_labels(name).is_some() => {
            made(format!("add them with '{}'", label(path, name)))
        }
        IndexError::NoConfidences(path) => made(format!(
            "add them with '{}', or build the index with 'index --extractors trommel'",
            label(path, "trommel")
        )),
        IndexError::LabelsWithoutConfidences { path, .. } => made(format!(
            "add some with '{}', and filter by --extractor trommel",
            label(path, "trommel")
        )),
        IndexError::LabelsExist { .. } => {
            fixed("give the new ones another name with --as, or --replace them")
        }
        IndexError::DamagedLabels { index, name, .. } => made(format!(
            "make it again with 'trommel label --replace --index {} --extractor {name}'",
            index.display()
        )),
        IndexError::LabelName(_) => fixed("'trommel label --as' gives a shorter one"),
        IndexError::LabelsDiffer { .. } => fixed("'trommel label' adds them"),
        IndexError::TooManyBad(_) => {
            fixed("--max-bad allows more; ledger.jsonl in the index directory names them")
        }
        _ => None,
    }
}

/// The command that adds labels.
fn label(index: &Path, extractor: &str) -> String {
    format!(
        "trommel label --index {} --extractor {extractor}",
        index.display()
    )
}

/// How the model is made that an extractor lacks.
fn model_hint(error: &anyhow::Error) -> Option<String> {
    let name = error.chain().find_map(|cause| {
        let inner = match cause.downcast_ref() {
            Some(ExperimentError::Lab(LabError::Extractor(inner))) => Some(inner),
            _ => cause.downcast_ref(),
        };
        match inner? {
            ExtractorError::BadModel { of, .. } => Some(*of),
            ExtractorError::Incomplete { extractor, .. } => extractor::all()
                .iter()
                .find(|row| row.name == *extractor && matches!(row.takes, Takes::Model))
                .map(|row| row.name),
            _ => None,
        }
    })?;
    Some(
        match extractor::learners().iter().any(|row| row.name == name) {
            true => format!("make one with 'trommel learn {name} --output MODEL PATH…'"),
            false => format!(
                "make one with 'trommel train {name} --gold DIR --format FORMAT --output MODEL'"
            ),
        },
    )
}

/// The error itself, or that which it stands for: errors that are transparent are not among the causes.
fn find<'a, E: std::error::Error + 'static>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a E> {
    let inner: Option<&(dyn std::error::Error + 'static)> =
        match (error.downcast_ref(), error.downcast_ref()) {
            (Some(ExperimentError::Index(inner)), _) => Some(inner),
            (Some(ExperimentError::Sweep(inner)), _) => Some(inner),
            (Some(ExperimentError::Lab(inner)), _) => Some(inner),
            (Some(ExperimentError::Measure(inner)), _) => Some(inner),
            (Some(ExperimentError::Mismatch(inner)), _) => Some(inner),
            (Some(ExperimentError::Trec(inner)), _) => Some(inner),
            (_, Some(SweepError::Index(inner))) => Some(inner),
            (_, Some(SweepError::Parameter(inner))) => Some(inner),
            (_, Some(SweepError::Measure(inner))) => Some(inner),
            (_, Some(SweepError::Mismatch(inner))) => Some(inner),
            _ => None,
        };
    error.downcast_ref().or_else(|| find(inner?))
}

fn mismatch_hint(mismatch: &Mismatch) -> Option<&'static str> {
    match mismatch {
        Mismatch::Topics { of_loose: 1.., .. } => Some(
            "--topic-ids loose (topic-ids in experiment files) compares them without leading letters and zeros",
        ),
        Mismatch::Topics { .. } => Some(
            "check that both are of the same topics, and the order: judgments come before runs",
        ),
        Mismatch::Documents { .. } => Some(
            "check that the judgments are of this collection, and that both name its documents alike",
        ),
        _ => None,
    }
}

/// What to do where a run cannot be made again.
fn provenance_hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        let known = || cause.downcast_ref::<Cannot>().map(Cannot::hint);
        let none = || match cause.downcast_ref::<ProvenanceError>()? {
            ProvenanceError::None { .. } => Some(
                "'trommel run --output RUN' writes it beside RUN; --metadata names it where it is elsewhere"
                    .to_owned(),
            ),
            _ => None,
        };
        known().or_else(none)
    })
}

fn parameter_hint(error: &ParameterError) -> Option<&'static str> {
    match error {
        ParameterError::Missing(_) => Some(
            "each parameter needs a --vary NAME=…; --grid tries several of them together, and so does 'trommel tune'",
        ),
        _ => None,
    }
}

fn measure_hint(error: &MeasureError) -> &'static str {
    match error {
        MeasureError::Unknown { .. } => {
            "measures are named as by ir_measures (P@10, nDCG@10, AP) or trec_eval (P_10, ndcg_cut_10, map); docs/measures.md lists them, and those left out"
        }
        MeasureError::GradeTooHigh { .. } => "map the grades, for example with --grades 5..9=4",
        MeasureError::Preferences { .. } => {
            "preferences of one group must agree; those of groups that do not agree need groups of their own"
        }
        _ => "docs/measures.md lists the measures with their parameters",
    }
}

fn archive_hint(error: &collection::Error) -> Option<&'static str> {
    use collection::Error;
    match error {
        Error::Unsupported { .. } => Some("unpack it, or convert it to WARC (plain, gzip or zstd)"),
        Error::Unrecognised { .. } => Some(
            "give it a name that tells, such as PAGE.html; index also takes --input-format, such as --input-format html",
        ),
        Error::NotFound { .. } => {
            Some("identifiers depend on --docid: use the same as for the index")
        }
        Error::Stream { .. } => Some("save it to a file first"),
        Error::Columns { .. } => {
            Some("name the column with the pages html (markup) or text when the file is written")
        }
        Error::Index { .. } => {
            Some("name the files that it was made of; its manifest.json lists them")
        }
        Error::NoPage { .. } => Some("leave --format out, and the file says itself what it is"),
        _ => None,
    }
}

fn output_hint(error: &OutputError) -> Option<&'static str> {
    let hint = "name another output; --force replaces this one";
    error.is_not_ours().then_some(hint)
}

fn syntax_hint(error: &SyntaxError) -> Option<&'static str> {
    match error {
        SyntaxError::OnlyExcludes(_) | SyntaxError::NoWords(..) => None,
        _ => Some("--literal takes all as plain words"),
    }
}

fn lab_hint(error: &LabError) -> Option<&'static str> {
    match error {
        LabError::Missing { .. } => {
            Some("TROMMEL_SHARED is where the shipped experiments look for data")
        }
        LabError::NoFeature { .. } => Some("'trommel features' names the features"),
        _ => None,
    }
}

/// What to do where the operating system refused.
fn io_hint(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::AddrInUse => Some(
            "a program listens there already: take another --port, or --port 0, any that is free",
        ),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Some("free space there and run the command again")
        }
        io::ErrorKind::AddrNotAvailable => Some("--host takes an address of this machine"),
        _ => None,
    }
}
