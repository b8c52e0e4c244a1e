//! What is compared, and what a measure is.

use super::counts::Counts;

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
    /// Do pages without gold text count? Then [`Self::compare`] says what an output is worth that is empty, and one that is not.
    pub counts_empty_gold: bool,
    /// The comparison.
    pub compare: fn(output: &Text, gold: &Text) -> Counts,
}
