//! Extractors and learners by their names.

use trommel_text::name_and_parameters;

use crate::extractor::{Extractor, base, parse};
use crate::removers::{all, learner_by_name};
use crate::{Arguments, ExtractorError, ExtractorRow, Learner, Takes};

/// Makes the extractors that need nothing but a page, with their defaults: those that `all` stands for.
pub fn all_of_page() -> Vec<Extractor> {
    let of_page = |row: &&ExtractorRow| matches!(row.takes, Takes::Parameters(_));
    let rows = all().iter().filter(of_page);
    rows.filter_map(|row| parse(row.name).ok()).collect()
}

/// Makes extractors of several names; `all` stands for [`all_of_page`]. What comes twice counts once.
///
/// # Errors
/// As [`parse`].
pub fn parse_all<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Extractor>, ExtractorError> {
    let mut chosen: Vec<Extractor> = Vec::new();
    for name in names {
        let made = match name {
            "all" => all_of_page(),
            name => vec![parse(name)?],
        };
        for extractor in made {
            if chosen.iter().all(|other| other.name != extractor.name) {
                chosen.push(extractor);
            }
        }
    }
    Ok(chosen)
}

/// The name of the labels that an extractor written like this gives; no model is read. None if it cannot be written so.
pub fn name_of_labels(text: &str) -> Option<String> {
    let (name, rest) = name_and_parameters(text);
    let row = all().iter().find(|row| row.name == name)?;
    let arguments = Arguments::parse(row.name, row.takes, rest).ok()?;
    Some(arguments.canonical_name(row.name, row.takes))
}

/// Makes a learner: `NAME` or `NAME:key=value,…`.
///
/// # Errors
/// An unknown name, parameter or value.
pub fn learner(spec: &str) -> Result<Box<dyn Learner>, ExtractorError> {
    let (name, rest) = name_and_parameters(spec);
    let row = learner_by_name(name)?;
    (row.make)(&Arguments::parse(row.name, row.takes, rest)?, &base)
}
