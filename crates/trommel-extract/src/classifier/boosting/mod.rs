//! Boosted trees: regression trees whose leaves add up to the log odds of a share between 0 and 1.

mod forest;

use serde::{Deserialize, Serialize};

pub use forest::{Forest, LANES, WIDTH};

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

/// The share of log odds: 1 / (1 + e⁻ˣ).
pub fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}
