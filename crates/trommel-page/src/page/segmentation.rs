//! Blocks: the units that are measured, labelled, indexed and filtered.

use serde::{Deserialize, Serialize};

use crate::page::Tag;

/// A grouping of a page's leaves into blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segmentation {
    /// The blocks in document order.
    pub blocks: Vec<Block>,
    /// For each leaf of the page the number of its block; none where the segmenter leaves the leaf out.
    pub block_of_leaf: Vec<Option<u32>>,
    /// The title as the segmenter's original finds it, where it has a rule of its own.
    pub title: Option<String>,
    /// What the densities of the blocks are counted in.
    pub unit: DensityUnit,
}

/// A text block and what was counted in it. All counts are integers, so that thresholds can be compared exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its text, white space as the segmenter leaves it.
    pub text: String,
    /// The innermost structural element around the block's first leaf: `h1`–`h6`, `p`, `li`, `td`, `div` …
    pub tag: Tag,
    /// Words: tokens with a letter or a number.
    pub num_words: u32,
    /// Tokens, words included.
    pub num_tokens: u32,
    /// Words (for the `atomic` segmenter: tokens) inside anchors.
    pub num_linked_words: u32,
    /// Words (for the `atomic` segmenter: tokens) in all wrapped lines but the last; in the only line, if there is one.
    pub num_words_in_full_lines: u32,
    /// Wrapped lines without the last; 1 if there is one line.
    pub num_lines: u32,
}

/// What a segmenter's densities are counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DensityUnit {
    /// Words, as boilerpipe does.
    #[default]
    Words,
    /// All tokens, as WSDM 2010 §3.3 and §3.4 define.
    Tokens,
}

impl Block {
    /// The text in one line: runs of white space are one space, and there is none at its ends.
    pub fn line(&self) -> String {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        words.join(" ")
    }

    /// Equation 1 of WSDM 2010: words (or tokens) per wrapped line, the last line left out unless it is the only one.
    pub fn text_density(&self) -> f64 {
        f64::from(self.num_words_in_full_lines) / f64::from(self.num_lines.max(1))
    }

    /// The share of words (or tokens) that stand inside anchors, in 0..=1; 0 for a block without words.
    pub fn link_density(&self, unit: DensityUnit) -> f64 {
        match self.num_units(unit) {
            0 => 0.0,
            units => f64::from(self.num_linked_words) / f64::from(units),
        }
    }

    /// The number of the units that densities are counted in.
    pub fn num_units(&self, unit: DensityUnit) -> u32 {
        match unit {
            DensityUnit::Words => self.num_words,
            DensityUnit::Tokens => self.num_tokens,
        }
    }
}
