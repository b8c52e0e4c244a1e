//! Filters that nest.

use trommel_page::filter::Filter;
use trommel_page::weight::{Sieve, Weights};

/// Filters, each within the one before: the thresholds of one dimension from the loosest to the strictest; and how much the
/// blocks count that pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    filters: Vec<Filter>,
    weights: Weights,
}

/// Filters that do not nest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the filter '{inner}' is not within '{outer}'")]
pub struct NotNested {
    inner: String,
    outer: String,
}

impl Series {
    /// A series of these filters, the loosest first.
    ///
    /// # Errors
    /// A filter that is not within the one before ([`Filter::is_within`]).
    pub fn new(filters: Vec<Filter>) -> Result<Series, NotNested> {
        match filters.windows(2).find(|pair| !pair[1].is_within(&pair[0])) {
            None => Ok(Series {
                filters,
                weights: Weights::default(),
            }),
            Some(pair) => Err(NotNested {
                inner: pair[1].to_string(),
                outer: pair[0].to_string(),
            }),
        }
    }

    /// The series with these weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The filters.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// A filter with the weights.
    pub(crate) fn sieve(&self, filter: usize) -> Sieve {
        Sieve {
            filter: self.filters[filter].clone(),
            weights: self.weights.clone(),
        }
    }
}
