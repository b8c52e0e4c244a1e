//! Why statistics do not fit.

use trommel_page::weight::Sieve;

use crate::format::error::IndexError;
use crate::search::stats::Stats;

/// Why statistics of several indexes cannot be added up, or not be searched by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// Another version wrote the file.
    #[error("they have version {found}, and this program reads version {expected}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// The file is none of statistics, or is damaged.
    #[error("the file has no statistics: {0}")]
    NoFile(String),
    /// They are of indexes that make other blocks or terms.
    #[error("they are of indexes with another {0}")]
    OtherIndex(&'static str),
    /// They are of another search.
    #[error("they are of other {0}")]
    OtherSearch(&'static str),
    /// They were taken from other blocks.
    #[error("they were counted by '{found}', and not by '{wanted}'")]
    OtherStats {
        /// What was counted.
        found: Stats,
        /// What is asked for.
        wanted: Stats,
    },
    /// Nothing was counted under a filter.
    #[error("nothing was counted under '{0}'")]
    NoStep(Sieve),
    /// A term was not counted.
    #[error("'{term}' was not counted under '{sieve}'")]
    NoTerm {
        /// The term.
        term: String,
        /// The filter and weights.
        sieve: Sieve,
    },
    /// The pages that feedback comes from are not known.
    #[error("the pages that '{query}' has its feedback from under '{model}' are not known yet")]
    NoFeedback {
        /// The terms of the query.
        query: String,
        /// The model.
        model: String,
    },
    /// An index that was counted before.
    #[error("the index {0} is counted in both")]
    CountedTwice(String),
    /// A page of an index that another one has as well.
    #[error("'{0}' stands in more than one of the indexes")]
    Repeated(String),
    /// More than can be counted.
    #[error("the sum of {0} is too large")]
    TooMany(&'static str),
}

impl StatisticsError {
    /// As an error of the index that is searched.
    pub(crate) fn of_search(self) -> IndexError {
        IndexError::Statistics(self.to_string())
    }
}
