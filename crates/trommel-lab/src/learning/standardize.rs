//! Means and deviations of columns, by which values get mean 0 and variance 1.

use trommel_extract::classifier::standardize::Scales;

/// Of rows; `stays` says which columns stay as they are.
pub fn scales<'a>(rows: impl Iterator<Item = &'a [f32]> + Clone, stays: &[bool]) -> Scales {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns with the values 1, 3; 0, 1 (which stays); 5, 5.
    #[test]
    fn three_columns() {
        let rows: [&[f32]; 2] = [&[1.0, 0.0, 5.0], &[3.0, 1.0, 5.0]];
        let found = scales(rows.into_iter(), &[false, true, false]);
        assert_eq!(found.means, [2.0, 0.0, 5.0]);
        assert_eq!(found.deviations, [1.0, 1.0, 0.0]);
        let mut values = [1.0, 0.0, 5.0, 3.0, 1.0, 5.0, 6.0, 0.5, 7.0];
        found.apply(&mut values);
        assert_eq!(values, [-1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 4.0, 0.5, 0.0]);
        assert!(found.is_whole(3) && !found.is_whole(2));
    }

    #[test]
    fn of_nothing() {
        let found = scales(std::iter::empty(), &[false]);
        assert_eq!(found.deviations, [0.0]);
    }
}
