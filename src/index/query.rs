//! A query: a bag of terms and how to rank by them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Filter, Model};

/// All that decides on a ranking besides the query's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    /// Which blocks count.
    pub filter: Filter,
    /// The formula.
    pub model: Model,
    /// Where N, df, cf and the average length come from.
    pub stats: Stats,
    /// What is ranked.
    pub unit: Unit,
}

/// Where the statistics of the collection come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stats {
    /// The blocks that pass the filter: as if only these had been indexed.
    #[default]
    Subset,
    /// All blocks; only term frequency and length are those of the passing blocks.
    Collection,
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

impl FromStr for Stats {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "subset" => Ok(Stats::Subset),
            "collection" => Ok(Stats::Collection),
            _ => Err(UnknownWord {
                word: word.to_owned(),
                allowed: "subset, collection",
            }),
        }
    }
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
