//! Ranking models. One file, one row in [`all`] each.

pub mod bm25;

use std::fmt;
use std::str::FromStr;

use super::Totals;

pub use bm25::Bm25;

/// A ranking model with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Model {
    /// Okapi BM25.
    Bm25(Bm25),
}

/// A model with the statistics of one query term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TermWeight {
    /// Of BM25.
    Bm25(bm25::Weight),
}

/// What a model knows of a query term.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermTotals {
    /// df: pages (or blocks) with the term in a passing block.
    pub df: u64,
    /// cf: occurrences of the term in passing blocks.
    pub cf: u64,
}

/// Makes a model of its parameters; the error says which of them is wrong.
pub type ParseModel = fn(&[(&str, f64)]) -> Result<Model, String>;

/// A row of the registry of models.
#[derive(Debug, Clone, Copy)]
pub struct ModelRow {
    /// Its name in flags.
    pub name: &'static str,
    /// Its parameters as in a flag, with their defaults.
    pub usage: &'static str,
    /// The model of a list of `name=value` parameters.
    pub parse: ParseModel,
}

/// All models, the default first.
pub fn all() -> &'static [ModelRow] {
    &[ModelRow {
        name: "bm25",
        usage: "bm25:k1=0.9,b=0.4",
        parse: |parameters| Bm25::from_parameters(parameters).map(Model::Bm25),
    }]
}

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no ranking model: {why}; models and their defaults: {known}")]
pub struct ModelError {
    text: String,
    why: String,
    known: String,
}

impl Default for Model {
    fn default() -> Self {
        Model::Bm25(Bm25::default())
    }
}

impl Model {
    /// What an occurrence of a term in the query is worth, given the statistics of the term and of the collection.
    pub fn weigh(&self, term: &TermTotals, collection: &Totals) -> TermWeight {
        match self {
            Model::Bm25(bm25) => TermWeight::Bm25(bm25.weigh(term, collection)),
        }
    }
}

impl TermWeight {
    /// The score that one occurrence of the query term adds to a page in which it stands `tf` times, in passing blocks of
    /// `length` terms. Computed from integers alone, in double precision.
    pub fn score(&self, tf: u32, length: u32) -> f64 {
        match self {
            TermWeight::Bm25(weight) => weight.score(tf, length),
        }
    }
}

impl FromStr for Model {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let wrong = |why: String| ModelError {
            text: text.to_owned(),
            why,
            known: all()
                .iter()
                .map(|row| row.usage)
                .collect::<Vec<_>>()
                .join(" "),
        };
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let row = all()
            .iter()
            .find(|row| row.name == name)
            .ok_or_else(|| wrong(format!("no model is called '{name}'")))?;
        let mut pairs = Vec::new();
        for parameter in parameters.split(',').filter(|p| !p.is_empty()) {
            let (key, value) = parameter
                .split_once('=')
                .ok_or_else(|| wrong(format!("'{parameter}' is not of the form name=value")))?;
            let value: f64 = value
                .parse()
                .map_err(|_| wrong(format!("'{value}' is not a number")))?;
            pairs.push((key, value));
        }
        (row.parse)(&pairs).map_err(wrong)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Model::Bm25(Bm25 { k1, b }) => write!(f, "bm25:k1={k1},b={b}"),
        }
    }
}
