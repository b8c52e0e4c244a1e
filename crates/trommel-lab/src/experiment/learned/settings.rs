//! The options of the kind.

use serde::Deserialize;

use crate::learning::tree::Growth;

/// The options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// How pages are cut into blocks; each gives tables of its own.
    pub segmenters: Vec<String>,
    /// Folds of the cross-validation.
    pub folds: usize,
    /// What the folds divide: block, as Weka does, or page, so that no page is in training and test.
    pub divide: Divide,
    /// Seed of the division into folds and of the order in which the solver visits blocks.
    pub seed: u64,
    /// How trees and rules are learnt; each gives tables of its own.
    pub ways: Vec<Way>,
    /// The rows of Table 2 by name; all without it.
    #[serde(default)]
    pub algorithms: Vec<String>,
    /// In how many parts the training blocks are divided for reduced-error pruning; the tree is grown from all but one.
    pub pruning_parts: usize,
}

/// How trees and rules are learnt. Figures are weighted by words, whatever counts here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Way {
    /// Its name in tables; nothing for the first.
    #[serde(default)]
    pub name: String,
    /// The least leaf of trees, in words.
    pub min_leaf: f64,
    /// Is it compared with the number of blocks as well, as Weka's J48 does?
    pub rows_as_j48: bool,
    /// Are splits taken back that do not lessen the errors in training? J48 does so but where it prunes by held back blocks.
    pub collapse: bool,
    /// What 1R counts: words, or blocks, as Weka's does, which knows no weights.
    pub one_rule_counts: Counted,
    /// The least number of the most frequent class in an interval of 1R, of that.
    pub min_bucket: f64,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    Words,
    Blocks,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Divide {
    Block,
    Page,
}

impl Way {
    /// When its trees stop to grow.
    pub fn growth(&self) -> Growth {
        Growth {
            min_leaf: self.min_leaf,
            rows_as_j48: self.rows_as_j48,
        }
    }
}
