//! What scoring gives.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::score::duplicates::Uniqueness;
use crate::score::labels::Confusion;
use crate::score::{Counts, Summary};

/// Level of the confidence intervals.
pub const LEVEL: f64 = 0.95;

/// The scores of all extractors.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    /// Pages that were read.
    pub pages: usize,
    /// Names of the pages whose gold text is empty: they are left out of the measures on texts, and of those on labels where
    /// the labels come from the text.
    pub empty_gold: Vec<String>,
    /// The type of each page of which the gold standard says it.
    pub page_types: BTreeMap<String, String>,
    /// What became of each extractor, in the order in which they were given.
    pub extractors: Vec<ExtractorScore>,
}

/// One extractor's scores.
#[derive(Debug, Clone)]
pub struct ExtractorScore {
    /// Its name.
    pub name: String,
    /// One for each measure, in the order in which they were given; none without a gold standard.
    pub texts: Vec<TextScore>,
    /// Scores of the labels on the blocks of the segmenter, every block counting 1; none without a gold standard.
    pub blocks: Option<Confusion>,
    /// The same, every block counting its words.
    pub block_words: Option<Confusion>,
    /// How much of the text recurs.
    pub uniqueness: Uniqueness,
    /// What became of the gold standard's snippets; none where it has none.
    pub snippets: Option<SnippetScore>,
    /// On how many of the pages it was trained: its figures on those are no test. None where its model does not say.
    pub seen_pages: Option<usize>,
}

/// Means over the pages that have such snippets, 0..=1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SnippetScore {
    /// Share of the pieces of main content that stand in the output.
    pub with: f64,
    /// Share of the pieces of other text that do not.
    pub without: f64,
}

/// The scores of one measure.
#[derive(Debug, Clone)]
pub struct TextScore {
    /// The measure's name.
    pub measure: &'static str,
    /// Name and counts of each page with a gold text.
    pub pages: Vec<(String, Counts)>,
    /// Averages.
    pub summary: Summary,
    /// Confidence interval of the macro F1 at [`LEVEL`].
    pub macro_f1_interval: RangeInclusive<f64>,
    /// Confidence interval of the micro F1.
    pub micro_f1_interval: RangeInclusive<f64>,
    /// Against the baseline; none for the baseline itself.
    pub comparison: Option<F1Comparison>,
}

/// A paired comparison of F1 on the same pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct F1Comparison {
    /// Mean difference to the baseline.
    pub difference: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// The same, corrected by Holm's method for all extractors that are compared by this measure.
    pub p_holm: f64,
    /// How many these are.
    pub family: usize,
    /// Cohen's d of the paired differences.
    pub effect_size: f64,
}
