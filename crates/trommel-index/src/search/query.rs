//! A query: a bag of terms and how to rank by them.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trommel_page::filter::Filter;
use trommel_page::weight::{Sieve, Weights};

use crate::search::model::Model;
use crate::search::shared::data::SharedStatistics;
use crate::search::stats::Stats;

/// All that decides on a ranking besides the query's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    /// Which blocks count.
    pub filter: Filter,
    /// How much each of them counts: its terms are as if they stood there so many times.
    pub weights: Weights,
    /// The formula.
    pub model: Model,
    /// Where N, df, cf and the average length come from.
    pub stats: Stats,
    /// What is ranked.
    pub unit: Unit,
    /// Statistics of a collection that this index is a part of, instead of its own: they have to be of the same filter, weights,
    /// `stats` and pages, and of all terms that are searched for.
    pub shared: Option<Arc<SharedStatistics>>,
}

impl Ranking {
    /// Which blocks count, and how much.
    pub fn sieve(&self) -> Sieve {
        Sieve {
            filter: self.filter.clone(),
            weights: self.weights.clone(),
        }
    }
}

/// What is ranked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Pages.
    #[default]
    Page,
    /// Single blocks.
    Block,
}

/// A word that is not among the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is none of {allowed}")]
pub struct UnknownWord {
    word: String,
    allowed: &'static str,
}

impl FromStr for Unit {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "page" => Ok(Unit::Page),
            "block" => Ok(Unit::Block),
            _ => Err(UnknownWord {
                word: word.to_owned(),
                allowed: "page, block",
            }),
        }
    }
}
