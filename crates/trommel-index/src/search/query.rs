//! A query: a bag of terms and how to rank by them.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use trommel_page::filter::{ExpressionError, Filter};
use trommel_page::weight::{Sieve, Weights};

use crate::format::error::IndexError;
use crate::search::model::{Model, Totals};
use crate::search::open::Index;
use crate::search::shared::{Given, SharedStatistics, StatisticsError};

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
    /// The statistics that a search in an index is to go by, if they are not its own.
    ///
    /// # Errors
    /// [`IndexError::Statistics`] if they do not fit.
    pub(crate) fn given(&self, index: &Index) -> Result<Option<Given>, IndexError> {
        let given = |shared| {
            if self.unit == Unit::Block {
                return Err(StatisticsError::OtherSearch("things than blocks").of_search());
            }
            Given::new(shared, index, &self.sieve(), &self.stats)
        };
        self.shared.as_ref().map(given).transpose()
    }

    /// Which blocks count, and how much.
    pub fn sieve(&self) -> Sieve {
        Sieve {
            filter: self.filter.clone(),
            weights: self.weights.clone(),
        }
    }
}

/// Where the statistics of the collection come from.
///
/// As text: `subset`, `collection`, or a filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Stats {
    /// The blocks that pass the filter: as if only these had been indexed.
    #[default]
    Subset,
    /// All blocks, each with the weight 1; only term frequency and length are those of the passing blocks.
    Collection,
    /// The blocks that pass another filter, each with the weight 1; only term frequency and length are those of the passing blocks.
    Of(Filter),
}

impl Stats {
    /// Refuses statistics of blocks that are not there.
    ///
    /// # Errors
    /// [`IndexError::NoStatistics`] if no page has an indexed term in one of them; `collection` are their totals.
    pub(crate) fn check(&self, collection: &Totals) -> Result<(), IndexError> {
        match self {
            Stats::Of(filter) if collection.num == 0 && !filter.is_empty() => {
                Err(IndexError::NoStatistics(filter.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// The filter of the blocks that statistics are taken from; none where it is that of the search.
    pub fn filter(&self) -> Option<Filter> {
        match self {
            Stats::Subset => None,
            Stats::Collection => Some(Filter::default()),
            Stats::Of(filter) => Some(filter.clone()),
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stats::Subset => f.write_str("subset"),
            Stats::Collection => f.write_str("collection"),
            Stats::Of(filter) => filter.fmt(f),
        }
    }
}

impl Serialize for Stats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stats, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
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

impl FromStr for Stats {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        match text {
            "subset" => Ok(Stats::Subset),
            "collection" => Ok(Stats::Collection),
            text => text.parse().map(Stats::Of),
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
