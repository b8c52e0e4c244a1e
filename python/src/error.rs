//! Errors as Python's exceptions.

use std::error::Error;
use std::ffi::CString;
use std::fmt::Write;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning};
use pyo3::prelude::*;

use crate::hint;

create_exception!(
    trommel,
    TrommelError,
    PyException,
    "What Trommel could not do, and why."
);
create_exception!(
    trommel,
    ParseError,
    TrommelError,
    "A filter, model, weight, measure or query that says nothing: the text names the place and what is expected."
);

create_exception!(
    trommel,
    TrommelWarning,
    PyUserWarning,
    "What was done, and may not be what was meant."
);

/// Warns; the place that is named is where Python's half was called.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    // A NUL would end it.
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<TrommelWarning>(), &text, 2)
}

/// An error with its causes, one after the other.
fn text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Some errors say their causes themselves.
        if !text.ends_with(&error.to_string()) {
            let _ = write!(text, ": {error}");
        }
        cause = error.source();
    }
    text
}

/// An error of the library, with what to do about it behind.
pub(crate) fn failed(error: impl Error + 'static) -> PyErr {
    let text = text(&error);
    TrommelError::new_err(match hint::of(&error) {
        None => text,
        Some(hint) => format!("{text}\nhint: {hint}"),
    })
}

/// An error of a text that somebody wrote.
pub(crate) fn unreadable(error: impl Error) -> PyErr {
    ParseError::new_err(text(&error))
}

/// Reads a text by its type's own rules.
pub(crate) fn parse<T: std::str::FromStr<Err: Error>>(text: &str) -> PyResult<T> {
    text.parse().map_err(unreadable)
}

/// What to say of a name that is none.
pub(crate) fn unknown(kind: &str, name: &str, known: Vec<&str>) -> PyErr {
    let choice = trommel::text::choice(name, &known);
    ParseError::new_err(format!("no {kind} is called '{name}'; {choice}"))
}
