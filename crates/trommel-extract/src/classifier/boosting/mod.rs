//! Gradient-boosted regression trees for a share between 0 and 1 (Friedman, *Greedy Function Approximation*, 2001; with histograms
//! and growth leaf by leaf as LightGBM has them: Ke et al., NIPS 2017).
//!
//! The loss is the cross-entropy of a soft label, so gradient and curvature of a row are w·(p − y) and w·p·(1 − p). A split gains
//! G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ), a leaf adds −rate·G/(H + λ) to the log odds. Sums are taken feature by feature in
//! the order of the rows: the same seed gives the same trees whatever the number of threads.

mod forest;
mod learn;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use forest::{Forest, LANES, WIDTH};
pub use learn::learn;

/// How trees are grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Boosting {
    /// How many trees.
    pub trees: usize,
    /// Most leaves of a tree.
    pub leaves: usize,
    /// Most questions on the way to a leaf.
    pub depth: usize,
    /// How much of a tree's step is taken, in 0..=1.
    pub rate: f64,
    /// Least number of rows in a leaf.
    pub min_rows: usize,
    /// λ: what is added to the curvature of a leaf.
    pub l2: f64,
    /// Share of the rows that a tree is grown from.
    pub row_share: f64,
    /// Share of the features that a tree may ask for.
    pub feature_share: f64,
}

/// Rows whose values are numbers of intervals.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Binned {
    /// For each feature the upper bounds of its intervals but the last, which has none; ascending, and inclusive.
    pub bounds: Vec<Vec<f32>>,
    /// For each feature the interval of each row.
    pub columns: Vec<Vec<u8>>,
}

/// Trees whose leaves add up to log odds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Boosted {
    /// Log odds before any tree.
    pub base: f32,
    /// The trees.
    pub trees: Vec<Tree>,
}

/// A tree. Child n ≥ 0 is node n, a later one; child n < 0 is leaf −n − 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The nodes; none if the tree is its only leaf.
    pub nodes: Vec<Node>,
    /// What each leaf adds.
    pub leaves: Vec<f32>,
}

/// A question: is the feature's value at most the threshold?
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Node(
    /// Number of the feature.
    pub u16,
    /// The threshold.
    pub f32,
    /// Child for yes.
    pub i16,
    /// Child for no.
    pub i16,
);

impl Tree {
    /// What the tree adds for a row.
    fn value(&self, row: &[f32]) -> f32 {
        let mut at = if self.nodes.is_empty() { -1 } else { 0 };
        while at >= 0 {
            let Node(feature, threshold, yes, no) = self.nodes[at as usize];
            at = if row[usize::from(feature)] <= threshold {
                yes
            } else {
                no
            };
        }
        self.leaves[(-1 - at) as usize]
    }

    /// Can every row be answered: do all questions and leaves exist, and does each way lead on?
    fn is_whole(&self, num_features: usize) -> bool {
        let leads_on = |from: usize, child: i16| match usize::try_from(child) {
            Ok(node) => node > from && node < self.nodes.len(),
            Err(_) => ((-1 - i32::from(child)) as usize) < self.leaves.len(),
        };
        let of_nodes =
            self.nodes
                .iter()
                .enumerate()
                .all(|(number, &Node(feature, threshold, yes, no))| {
                    usize::from(feature) < num_features
                        && !threshold.is_nan()
                        && leads_on(number, yes)
                        && leads_on(number, no)
                });
        of_nodes && !self.leaves.is_empty() && self.leaves.iter().all(|leaf| leaf.is_finite())
    }
}

impl Boosted {
    /// The share for a row, in 0..=1.
    pub fn share(&self, row: &[f32]) -> f32 {
        let odds: f32 = self.trees.iter().map(|tree| tree.value(row)).sum();
        sigmoid(f64::from(self.base + odds)) as f32
    }

    /// Returns whether rows of so many features can be answered. A model that was read from a file is asked first.
    pub fn is_whole(&self, num_features: usize) -> bool {
        self.base.is_finite() && self.trees.iter().all(|tree| tree.is_whole(num_features))
    }

    /// The number of leaves.
    pub fn num_leaves(&self) -> usize {
        self.trees.iter().map(|tree| tree.leaves.len()).sum()
    }
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
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
