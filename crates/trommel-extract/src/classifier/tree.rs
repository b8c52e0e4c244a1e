//! Decision trees: questions whether a feature is at most a threshold, and leaves with the weights of the classes in training.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::greatest;

/// A tree: nodes, the root first, children behind their parents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// Names of the features.
    pub features: Vec<String>,
    /// Names of the classes.
    pub classes: Vec<String>,
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The weights of the classes in training.
    pub weights: Vec<f64>,
    /// How it goes on; none for a leaf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

/// A test on one feature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Number of the feature.
    pub feature: usize,
    /// Values up to this go to `below`.
    pub threshold: f64,
    /// Number of the node for values up to the threshold.
    pub below: usize,
    /// Number of the node for values above it.
    pub above: usize,
}

/// Weights that differ by less count as equal, as in J48.
pub const EQUAL: f64 = 1e-6;

impl Tree {
    /// Is it a tree: children behind their parents, features and classes as many as are named, all numbers finite?
    pub fn is_whole(&self) -> bool {
        let of_node = |(number, node): (usize, &Node)| {
            let is_behind = |child: usize| child > number && child < self.nodes.len();
            node.weights.len() == self.classes.len()
                && node
                    .weights
                    .iter()
                    .all(|weight| weight.is_finite() && *weight >= 0.0)
                && node.split.is_none_or(|split| {
                    split.feature < self.features.len()
                        && split.threshold.is_finite()
                        && is_behind(split.below)
                        && is_behind(split.above)
                })
        };
        !self.nodes.is_empty() && self.nodes.iter().enumerate().all(of_node)
    }

    /// Visits the nodes from the root to a row's leaf, by number, and returns the leaf's; `value` gives the value of the feature of a
    /// number.
    pub fn walk(&self, value: &dyn Fn(usize) -> f64, mut visit: impl FnMut(usize)) -> usize {
        let mut number = 0;
        visit(number);
        while let Some(split) = self.nodes.get(number).and_then(|node| node.split) {
            number = match value(split.feature) <= split.threshold {
                true => split.below,
                false => split.above,
            };
            visit(number);
        }
        number
    }

    /// The number of the class of a row.
    pub fn class(&self, value: &dyn Fn(usize) -> f64) -> usize {
        let leaf = self.walk(value, |_| {});
        self.nodes
            .get(leaf)
            .map_or(0, |node| greatest(&node.weights))
    }

    /// How many leaves there are.
    pub fn num_leaves(&self) -> usize {
        let leaves = self.nodes.iter().filter(|node| node.split.is_none());
        leaves.count()
    }

    /// The features that are tested, each once, in the order of their numbers.
    pub fn used_features(&self) -> Vec<usize> {
        let splits = self.nodes.iter().filter_map(|node| node.split);
        let mut used: Vec<usize> = splits.map(|split| split.feature).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The tree as rules, in the form of WSDM 2010's Algorithms 1 and 2: a line a branch, `| ` for each level, leaves as
    /// `: CLASS (weight/errors)`: the weight that reached them in training, and of that what is of other classes, if anything is.
    pub fn rules(&self) -> String {
        let mut text = String::new();
        // Branches that are still to be written: node, depth, condition.
        let mut open: Vec<(usize, usize, String)> = Vec::new();
        self.push_branches(0, 0, &mut open);
        if open.is_empty() {
            text.push_str(&self.leaf_text(0));
            text.push('\n');
        }
        while let Some((number, depth, condition)) = open.pop() {
            let indent = "| ".repeat(depth);
            let leaf = match self.nodes[number].split {
                None => self.leaf_text(number),
                Some(_) => String::new(),
            };
            let _ = writeln!(text, "{indent}{condition}{leaf}");
            self.push_branches(number, depth + 1, &mut open);
        }
        text
    }

    fn push_branches(&self, number: usize, depth: usize, open: &mut Vec<(usize, usize, String)>) {
        if let Some(split) = self.nodes.get(number).and_then(|node| node.split) {
            let name = &self.features[split.feature];
            let threshold = split.threshold;
            open.push((split.above, depth, format!("{name} > {threshold}")));
            open.push((split.below, depth, format!("{name} <= {threshold}")));
        }
    }

    fn leaf_text(&self, number: usize) -> String {
        let weights = &self.nodes[number].weights;
        let class = greatest(weights);
        let all: f64 = weights.iter().sum();
        let name = self.classes.get(class).map(|name| name.to_uppercase());
        let name = name.unwrap_or_default();
        match all - weights.get(class).unwrap_or(&0.0) {
            others if others < EQUAL => format!(": {name} ({all:.1})"),
            others => format!(": {name} ({all:.1}/{others:.1})"),
        }
    }
}
