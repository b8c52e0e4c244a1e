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
    /// Of rows; `stays` says which columns stay as they are.
    pub fn of<'a>(rows: impl Iterator<Item = &'a [f32]> + Clone, stays: &[bool]) -> Scales {
        let width = stays.len();
        let count = rows.clone().count().max(1) as f64;
        let mean = |of: &dyn Fn(usize, f64) -> f64| {
            let mut sums = vec![0.0; width];
            for row in rows.clone() {
                for (column, (sum, value)) in sums.iter_mut().zip(row).enumerate() {
                    *sum += of(column, f64::from(*value));
                }
            }
            sums.into_iter()
                .map(|sum| sum / count)
                .collect::<Vec<f64>>()
        };
        let mut means = mean(&|_, value| value);
        let mut deviations: Vec<f64> = mean(&|column, value| (value - means[column]).powi(2))
            .into_iter()
            .map(f64::sqrt)
            .collect();
        for column in 0..width {
            if stays[column] {
                (means[column], deviations[column]) = (0.0, 1.0);
            } else if deviations[column] < 1e-9 * means[column].abs().max(1.0) {
                // The same value everywhere, but for what rounding leaves.
                deviations[column] = 0.0;
            }
        }
        Scales { means, deviations }
    }

    /// Returns whether there are a mean and a deviation for so many columns, all of them usable.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns with the values 1, 3; 0, 1 (which stays); 5, 5.
    #[test]
    fn three_columns() {
        let rows: [&[f32]; 2] = [&[1.0, 0.0, 5.0], &[3.0, 1.0, 5.0]];
        let scales = Scales::of(rows.into_iter(), &[false, true, false]);
        assert_eq!(scales.means, [2.0, 0.0, 5.0]);
        assert_eq!(scales.deviations, [1.0, 1.0, 0.0]);
        let mut values = [1.0, 0.0, 5.0, 3.0, 1.0, 5.0, 6.0, 0.5, 7.0];
        scales.apply(&mut values);
        assert_eq!(values, [-1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 4.0, 0.5, 0.0]);
        assert!(scales.is_whole(3) && !scales.is_whole(2));
    }

    #[test]
    fn of_nothing() {
        let scales = Scales::of(std::iter::empty(), &[false]);
        assert_eq!(scales.deviations, [0.0]);
    }
}
