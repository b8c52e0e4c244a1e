//! Where the statistics of the collection come from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use trommel_page::filter::{ExpressionError, Filter};

use crate::format::error::IndexError;
use crate::search::model::Totals;

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
