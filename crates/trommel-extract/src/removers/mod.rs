//! The registry of extractors, one published algorithm a file, a row in [`all`] each; and that of [`learners`].

mod block_fusion;
mod boilerpipe_article;
mod boilerpipe_canola;
mod boilerpipe_default;
mod boilerpipe_density;
mod boilerpipe_largest;
mod boilerpipe_numwords;
mod boilerpipe_sentences;
mod bte;
mod cleaneval_rule;
mod content_tree;
mod external;
mod filter;
mod goldminer;
pub mod justext;
mod keep_everything;
mod largest_content;
mod main_content;
mod max_link_density_0_33;
mod min_density_10_5;
mod min_words_10;
mod min_words_15;
mod onion;
mod templates;
mod tree;
pub mod trommel;
mod web2text;

use trommel_text::choice;

use crate::{Arguments, Extractor, ExtractorError, Labeler, Learner, LearnerRow, Takes};

pub use self::tree::TreeModel;
pub use self::web2text::{Potentials, Web2TextModel};

/// All extractors.
pub fn all() -> &'static [Extractor] {
    &[
        keep_everything::EXTRACTOR,
        min_words_10::EXTRACTOR,
        min_words_15::EXTRACTOR,
        min_density_10_5::EXTRACTOR,
        max_link_density_0_33::EXTRACTOR,
        cleaneval_rule::EXTRACTOR,
        boilerpipe_numwords::EXTRACTOR,
        boilerpipe_density::EXTRACTOR,
        boilerpipe_default::EXTRACTOR,
        boilerpipe_article::EXTRACTOR,
        boilerpipe_sentences::EXTRACTOR,
        boilerpipe_largest::EXTRACTOR,
        boilerpipe_canola::EXTRACTOR,
        largest_content::EXTRACTOR,
        main_content::EXTRACTOR,
        content_tree::EXTRACTOR,
        bte::EXTRACTOR,
        block_fusion::EXTRACTOR,
        justext::EXTRACTOR,
        web2text::EXTRACTOR,
        goldminer::EXTRACTOR,
        onion::EXTRACTOR,
        templates::EXTRACTOR,
        trommel::EXTRACTOR,
        tree::EXTRACTOR,
        external::EXTRACTOR,
    ]
}

/// Makes the extractors that need nothing but a page, with their defaults: those that `all` stands for.
pub fn all_of_page() -> Vec<Labeler> {
    let of_page = |row: &&Extractor| matches!(row.takes, Takes::Parameters(_));
    let rows = all().iter().filter(of_page);
    rows.filter_map(|row| parse(row.name).ok()).collect()
}

/// Makes an extractor: `NAME`, `NAME:key=value,…`, `NAME:MODEL` or `external:NAME=DIR_OR_JSONL`.
///
/// # Errors
/// An unknown name, parameter or value, and a model or file of outputs that cannot be read.
pub fn parse(text: &str) -> Result<Labeler, ExtractorError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let extractor = all()
        .iter()
        .find(|row| row.name == name)
        .ok_or_else(|| unknown(name))?;
    Labeler::new(extractor, rest)
}

/// Makes extractors of several names; `all` stands for [`all_of_page`]. What comes twice counts once.
///
/// # Errors
/// As [`parse`].
pub fn parse_all<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Labeler>, ExtractorError> {
    let mut chosen: Vec<Labeler> = Vec::new();
    for name in names {
        let made = match name {
            "all" => all_of_page(),
            name => vec![parse(name)?],
        };
        for labeler in made {
            if chosen.iter().all(|other| other.name != labeler.name) {
                chosen.push(labeler);
            }
        }
    }
    Ok(chosen)
}

/// The name of the labels that an extractor written like this gives; no model is read. None if it cannot be written so.
pub fn name_of_labels(text: &str) -> Option<String> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let row = all().iter().find(|row| row.name == name)?;
    let arguments = Arguments::parse(row.name, row.takes, rest).ok()?;
    Some(arguments.canonical_name(row.name, row.takes))
}

fn unknown(name: &str) -> ExtractorError {
    let known: Vec<&str> = all().iter().map(|row| row.name).collect();
    ExtractorError::Unknown {
        name: name.to_owned(),
        known: choice(name, &known),
    }
}

/// All learners.
pub fn learners() -> &'static [LearnerRow] {
    &[goldminer::LEARNER, onion::LEARNER, templates::LEARNER]
}

/// Makes a learner: `NAME` or `NAME:key=value,…`.
///
/// # Errors
/// An unknown name, parameter or value.
pub fn learner(spec: &str) -> Result<Box<dyn Learner>, ExtractorError> {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let row = learners().iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| {
        let known: Vec<&str> = learners().iter().map(|row| row.name).collect();
        ExtractorError::UnknownLearner {
            name: name.to_owned(),
            known: choice(name, &known),
        }
    })?;
    (row.make)(&Arguments::parse(row.name, row.takes, rest)?)
}
