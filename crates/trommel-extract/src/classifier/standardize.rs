//! Values of mean 0 and variance 1.

use serde::{Deserialize, Serialize};

/// Means and deviations of columns, as a training set has them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scales {
    /// For each column its mean; 0 for a column that stays as it is.
    pub means: Vec<f64>,
    /// For each column its standard deviation (of the population); 1 for a column that stays as it is, 0 for one that had the same
    /// value in all rows: it becomes 0.
    pub deviations: Vec<f64>,
}

impl Scales {
    /// Are there a mean and a deviation for so many columns, all of them usable?
    pub fn is_whole(&self, columns: usize) -> bool {
        self.means.len() == columns
            && self.deviations.len() == columns
            && self.means.iter().all(|mean| mean.is_finite())
            && self
                .deviations
                .iter()
                .all(|of| of.is_finite() && *of >= 0.0)
    }

    /// Standardizes rows that stand one behind the other.
    pub fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.means.len().max(1)) {
            for (value, (mean, deviation)) in
                row.iter_mut().zip(self.means.iter().zip(&self.deviations))
            {
                *value = match *deviation {
                    0.0 => 0.0,
                    deviation => ((f64::from(*value) - mean) / deviation) as f32,
                };
            }
        }
    }
}
