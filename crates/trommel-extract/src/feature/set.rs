//! A set of features: the row of the registry.

use trommel_page::{Page, Segmentation};

use super::Frequencies;

/// A feature of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Its name in tables, models and rules.
    pub name: String,
    /// What it counts: `words`, `characters`, `1/0` …
    pub unit: &'static str,
    /// Where it is defined.
    pub source: &'static str,
}

/// A published set of features: a row of the registry.
#[derive(Debug, Clone, Copy)]
pub struct Set {
    /// Its name in flags.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The segmenter on whose blocks it is defined.
    pub segmenter: &'static str,
    /// The features in the order of their values.
    pub features: fn() -> Vec<Feature>,
    /// Whether values depend on the frequencies, that is, on the whole collection.
    pub counts_in_collection: bool,
    /// Hands over the rows.
    pub measure: MeasureFn,
}

/// Hands over, for each block of a page in order, a value for each feature; sets of edges have a row for each block but the last.
/// What is counted in the whole collection comes from the frequencies. Rows are not kept: a page may have a million blocks.
pub type MeasureFn = fn(&Page, &Segmentation, &Frequencies, &mut dyn FnMut(&[f64]));

impl Set {
    /// All rows of a page at once, for pages that are known to be of an ordinary size.
    pub fn rows(
        &self,
        page: &Page,
        segmentation: &Segmentation,
        frequencies: &Frequencies,
    ) -> Vec<Vec<f64>> {
        let mut rows = Vec::new();
        (self.measure)(page, segmentation, frequencies, &mut |row| {
            rows.push(row.to_vec());
        });
        rows
    }
}

/// `part / whole`; 0 where there is no whole.
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
