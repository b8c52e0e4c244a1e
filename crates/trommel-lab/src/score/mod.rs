//! How close a text or a labelling is to a gold standard: pure measures on texts and labels.
//!
//! [`all`] lists the measures on texts, one row a measure; each compares one page's output with its gold text and gives
//! [`Counts`], from which [`Summary`] makes macro and micro averages. [`labels`] holds the measures on blocks with a known
//! class; [`duplicates`] those that need no gold standard.

mod bag_of_words;
mod characters;
mod counts;
pub mod duplicates;
mod evert;
pub mod labels;
mod measure;
mod sequence_matcher;
mod summary;
mod wcxb;

pub use bag_of_words::{num_words, words};
pub use counts::Counts;
pub use measure::{Text, TextMeasure};
pub use summary::{Average, Summary};
pub use wcxb::snippets_found;

/// All measures on texts, the default first.
pub fn all() -> &'static [TextMeasure] {
    &[
        bag_of_words::MEASURE,
        characters::MEASURE,
        evert::MEASURE,
        wcxb::MEASURE,
    ]
}

/// The measure of a name.
pub fn by_name(name: &str) -> Option<&'static TextMeasure> {
    all().iter().find(|measure| measure.name == name)
}
