//! The terms that a page is found by in a search of addresses.

use crate::format::schema::TERM_SEPARATOR;

pub(crate) fn url_terms(url: &str) -> String {
    let runs = url
        .split(|c: char| !c.is_alphanumeric())
        .filter(|run| !run.is_empty());
    runs.map(str::to_lowercase)
        .collect::<Vec<_>>()
        .join(&TERM_SEPARATOR.to_string())
}
