//! What to do about errors, in the words of Python's functions. The library says what is wrong.

use std::error::Error;

use trommel::collection;
use trommel::experiment::sweep::SweepError;
use trommel::export::ExportError;
use trommel::extractor::name_of_labels;
use trommel::index::IndexError;
use trommel::output::OutputError;

/// What to do about an error; none where its text says all.
pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let archive = || archive_hint(error.downcast_ref()?);
        let output = || output_hint(error.downcast_ref()?);
        let found = index_of(error).and_then(index_hint);
        if let Some(hint) = found.or_else(archive).or_else(output) {
            return Some(hint);
        }
        cause = error.source();
    }
    None
}

/// The error of an index, also within one that only passes it on.
fn index_of<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a IndexError> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(ExportError::Index(inner)), _) | (_, Some(SweepError::Index(inner))) => Some(inner),
        _ => error.downcast_ref(),
    }
}

fn index_hint(error: &IndexError) -> Option<String> {
    Some(match error {
        IndexError::Exists(path) => format!("trommel.Index('{}') opens it", path.display()),
        IndexError::Unfinished(_) => {
            "resume=True goes on with the same files and options".to_owned()
        }
        IndexError::NoLabels { path, name, .. } if name_of_labels(name).is_some() => {
            label(path, name)
        }
        IndexError::NoConfidences(path) => label(path, "trommel"),
        IndexError::LabelsExist { .. } => "replace=True makes them anew".to_owned(),
        IndexError::TooManyBad(_) => {
            "a greater max_bad allows more; ledger.jsonl in the directory names them".to_owned()
        }
        _ => return None,
    })
}

fn label(path: &std::path::Path, extractor: &str) -> String {
    format!(
        "trommel.label('{}', '{extractor}') adds them; then open the index again",
        path.display()
    )
}

fn archive_hint(error: &collection::Error) -> Option<String> {
    match error {
        collection::Error::Columns { .. } => {
            Some("rename the column with the pages to html (markup) or text".to_owned())
        }
        _ => None,
    }
}

fn output_hint(error: &OutputError) -> Option<String> {
    let hint = "name another output; force=True replaces this one";
    error.is_not_ours().then(|| hint.to_owned())
}
