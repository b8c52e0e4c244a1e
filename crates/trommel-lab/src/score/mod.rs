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
mod sequence_matcher;
mod summary;

pub use bag_of_words::{num_words, words};
pub use counts::Counts;
pub use summary::{Average, Summary};

/// A page's text, as an extractor gives it or as the gold standard has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// The text alone, blocks parted by line feeds.
    pub plain: String,
    /// The text with CleanEval's marks `<p>`, `<h>` and `<l>` before paragraphs, headings and list items. Bytes, as published
    /// files are in no one encoding.
    pub marked: Vec<u8>,
}

/// A measure of a page's output against its gold text.
#[derive(Debug, Clone, Copy)]
pub struct TextMeasure {
    /// Its name in flags, tables and JSON.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// The comparison.
    pub compare: fn(output: &Text, gold: &Text) -> Counts,
}

/// All measures on texts, the default first.
pub fn all() -> &'static [TextMeasure] {
    &[bag_of_words::MEASURE, characters::MEASURE, evert::MEASURE]
}

/// The measure of a name.
pub fn by_name(name: &str) -> Option<&'static TextMeasure> {
    all().iter().find(|measure| measure.name == name)
}
