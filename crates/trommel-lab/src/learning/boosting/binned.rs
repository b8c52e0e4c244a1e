//! Values in intervals, by which histograms are made.

use rayon::prelude::*;

/// Rows whose values are numbers of intervals.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Binned {
    /// For each feature the upper bounds of its intervals but the last, which has none; ascending, and inclusive.
    pub bounds: Vec<Vec<f32>>,
    /// For each feature the interval of each row.
    pub columns: Vec<Vec<u8>>,
}

impl Binned {
    /// Cuts the values of each feature into at most so many intervals (2 to 256) of about as many rows; where there are no more
    /// values than intervals, each has one. Bounds lie in the middle of two values.
    pub fn new(columns: &[Vec<f32>], intervals: usize) -> Binned {
        let most = intervals.clamp(2, 256);
        let bounds: Vec<Vec<f32>> = columns
            .par_iter()
            .map(|column| bounds(column, most))
            .collect();
        let columns = columns.par_iter().zip(&bounds).map(|(column, bounds)| {
            let interval = |value: &f32| bounds.partition_point(|bound| bound < value) as u8;
            column.iter().map(interval).collect()
        });
        Binned {
            columns: columns.collect(),
            bounds,
        }
    }
}

fn bounds(column: &[f32], most: usize) -> Vec<f32> {
    let mut sorted = column.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    // Distinct values with their numbers of rows.
    let mut values: Vec<(f32, usize)> = Vec::new();
    for value in sorted {
        match values.last_mut() {
            Some((last, rows)) if *last == value => *rows += 1,
            _ => values.push((value, 1)),
        }
    }
    let between = |left: f32, right: f32| {
        let middle = left / 2.0 + right / 2.0;
        // Neighbouring numbers have none between them.
        if middle < right { middle } else { left }
    };
    let mut bounds = Vec::new();
    let (mut rows_left, mut intervals_left, mut rows) = (column.len(), most, 0);
    for (place, pair) in values.windows(2).enumerate() {
        rows += pair[0].1;
        let values_left = values.len() - place - 1;
        let full = rows * intervals_left >= rows_left;
        if bounds.len() + 1 < most && (full || values_left < most - bounds.len()) {
            bounds.push(between(pair[0].0, pair[1].0));
            rows_left -= rows;
            intervals_left -= 1;
            rows = 0;
        }
    }
    bounds
}
