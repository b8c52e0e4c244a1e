//! A filter and weights: all that decides on a block.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::weights::Weights;
use crate::filter::Filter;

/// Which blocks count, and how much. The default is all of them, and 1 for each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sieve {
    /// Which count.
    pub filter: Filter,
    /// How much each of them counts.
    #[serde(default, skip_serializing_if = "Weights::is_one")]
    pub weights: Weights,
}

impl Sieve {
    /// Returns whether all blocks count, and alike.
    pub fn is_empty(&self) -> bool {
        self.filter.is_empty() && self.weights.is_one()
    }
}

impl From<Filter> for Sieve {
    fn from(filter: Filter) -> Sieve {
        Sieve {
            filter,
            weights: Weights::default(),
        }
    }
}

/// The filter, and behind it the weights, if they are not 1: `words >= 11; weights confidence(trommel)`.
impl fmt::Display for Sieve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.filter.is_empty(), self.weights.is_one()) {
            (_, true) => self.filter.fmt(f),
            (true, false) => write!(f, "weights {}", self.weights),
            (false, false) => write!(f, "{}; weights {}", self.filter, self.weights),
        }
    }
}
