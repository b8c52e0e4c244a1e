//! Decision trees as C4.5 grows them (Quinlan, *C4.5: Programs for Machine Learning*, 1993, and release 8: *Improved Use of
//! Continuous Attributes in C4.5*, JAIR 4, 1996) on numbers: the splits of Weka's J48 ("C4.8").
//!
//! - A split is `feature <= threshold`. For each feature the threshold of the greatest information gain; from the gain
//!   log₂(candidates) / weight is taken (release 8). Of the features whose gain is at least the mean of all, less .001, the
//!   one with the greatest gain ratio.
//! - The threshold is then lowered to the greatest value of the feature, in all that is learnt from, that is not above it.
//! - A node is not split if it weighs less than twice the least leaf, or is of one class. Both sides of a split weigh at least
//!   as much as the least leaf; at nodes so heavy that a tenth of a class's even share is more than that, at least 25 (C4.5's rule,
//!   which asks for *less* there: leaves can be lighter than the least leaf).
//! - Everything counts by weight, but that J48 looks for no split of fewer rows, whatever they weigh, than twice what a side
//!   must weigh ([`Growth::rows_as_j48`]).
//! - Reduced-error pruning (Quinlan, *Simplifying Decision Trees*, 1987): from below, a node becomes a leaf if that makes no more
//!   error on rows that the tree was not grown from.
//!
//! - Collapsing ([`Tree::collapse`]): splits that do not lessen the errors in training are taken back.
//!
//! J48's other steps are left out: pruning by the confidence of errors, raising of subtrees.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{Classifier, Instances, entropy, greatest};

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

/// C4.5: at heavy nodes a side of a split need not weigh more.
const LEAST_AT_HEAVY_NODES: f64 = 25.0;
/// J48: values closer than this are not parted.
const CLOSE: f64 = 1e-5;
/// J48: numbers that differ by less count as equal.
const EQUAL: f64 = 1e-6;
/// J48: a subtree is collapsed if it makes less than this fewer errors.
const SAME_ERRORS: f64 = 1e-3;

/// When a tree stops to grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The least leaf, by weight.
    pub min_leaf: f64,
    /// Compare the number of rows with it as well, as J48 does? It makes no difference where all weights are 1.
    pub rows_as_j48: bool,
}

/// A split that could be made.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    feature: usize,
    threshold: f64,
    gain: f64,
    gain_ratio: f64,
}

impl Tree {
    /// Grows a tree from some rows.
    pub fn learn(instances: &Instances, rows: &[u32], growth: &Growth) -> Tree {
        let sorted: Vec<Vec<u32>> = instances
            .columns
            .iter()
            .map(|values| {
                let mut rows = rows.to_vec();
                rows.sort_by(|a, b| values[*a as usize].total_cmp(&values[*b as usize]));
                rows
            })
            .collect();
        let mut tree = Tree {
            features: instances.features.clone(),
            classes: instances.classes.clone(),
            nodes: vec![Node::of(instances, rows)],
        };
        let all = sorted.clone();
        // Nodes that may still be split, each with its rows in the order of each feature.
        let mut open = vec![(0, sorted)];
        let mut is_below = vec![false; instances.len()];
        while let Some((number, sorted)) = open.pop() {
            let Some(mut best) = best_split(instances, &sorted, &tree.nodes[number], growth) else {
                continue;
            };
            let values = &instances.columns[best.feature];
            let not_above =
                all[best.feature].partition_point(|row| values[*row as usize] <= best.threshold);
            if let Some(&row) = all[best.feature].get(not_above.wrapping_sub(1)) {
                best.threshold = values[row as usize];
            }
            for &row in &sorted[best.feature] {
                is_below[row as usize] = values[row as usize] <= best.threshold;
            }
            let (below, above): (Vec<_>, Vec<_>) = sorted
                .into_iter()
                .map(|rows| {
                    rows.into_iter()
                        .partition::<Vec<u32>, _>(|row| is_below[*row as usize])
                })
                .unzip();
            let first = tree.nodes.len();
            tree.nodes[number].split = Some(Split {
                feature: best.feature,
                threshold: best.threshold,
                below: first,
                above: first + 1,
            });
            for (child, sorted) in [(first, below), (first + 1, above)] {
                tree.nodes.push(Node::of(instances, &sorted[0]));
                open.push((child, sorted));
            }
        }
        tree
    }

    /// Prunes by the errors on rows that the tree was not grown from. What is cut off is dropped.
    pub fn prune(&mut self, instances: &Instances, rows: &[u32]) {
        // For each node the weights of the classes among these rows.
        let mut found = vec![vec![0.0; self.classes.len()]; self.nodes.len()];
        for &row in rows {
            let class = usize::from(instances.class_of[row as usize]);
            let value = |feature: usize| instances.columns[feature][row as usize];
            self.walk(&value, |node| {
                found[node][class] += instances.weights[row as usize]
            });
        }
        let mut errors = vec![0.0; self.nodes.len()];
        for number in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[number];
            let class = greatest(&node.weights);
            let as_leaf = found[number].iter().sum::<f64>() - found[number][class];
            errors[number] = match node.split {
                None => as_leaf,
                Some(split) => {
                    let as_tree = errors[split.below] + errors[split.above];
                    if as_leaf <= as_tree + EQUAL {
                        node.split = None;
                        as_leaf
                    } else {
                        as_tree
                    }
                }
            };
        }
        self.drop_unreached();
    }

    /// Takes back splits that do not lessen the errors in training: from below, a node whose branches make no fewer errors than it
    /// would as a leaf becomes one. J48 does so before it prunes (always up to Weka 3.6).
    pub fn collapse(&mut self) {
        let mut errors = vec![0.0; self.nodes.len()];
        for number in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[number];
            let as_leaf = node.weights.iter().sum::<f64>() - node.weights[greatest(&node.weights)];
            errors[number] = as_leaf;
            if let Some(split) = node.split {
                let as_tree = errors[split.below] + errors[split.above];
                if as_tree >= as_leaf - SAME_ERRORS {
                    node.split = None;
                } else {
                    errors[number] = as_tree;
                }
            }
        }
        self.drop_unreached();
    }

    fn drop_unreached(&mut self) {
        let mut kept = vec![0];
        let mut nodes: Vec<Node> = Vec::new();
        let mut next = 0;
        while let Some(&number) = kept.get(next) {
            let mut node = self.nodes[number].clone();
            if let Some(split) = &mut node.split {
                let children = (split.below, split.above);
                (split.below, split.above) = (kept.len(), kept.len() + 1);
                kept.extend([children.0, children.1]);
            }
            nodes.push(node);
            next += 1;
        }
        self.nodes = nodes;
    }

    /// Returns whether it is a tree: children behind their parents, features and classes as many as are named, all numbers finite.
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

    /// Visits the nodes from the root to a row's leaf.
    fn walk(&self, value: &dyn Fn(usize) -> f64, mut visit: impl FnMut(usize)) -> usize {
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

    /// The number of leaves.
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

impl Node {
    fn of(instances: &Instances, rows: &[u32]) -> Node {
        Node {
            weights: instances.class_weights(rows),
            split: None,
        }
    }
}

fn best_split(
    instances: &Instances,
    sorted: &[Vec<u32>],
    node: &Node,
    growth: &Growth,
) -> Option<Candidate> {
    let total: f64 = node.weights.iter().sum();
    let of_one_class = total - node.weights[greatest(&node.weights)] < EQUAL;
    if total + EQUAL < 2.0 * growth.min_leaf || of_one_class {
        return None;
    }
    let candidates: Vec<Candidate> = (0..sorted.len())
        .filter_map(|feature| candidate(instances, feature, &sorted[feature], node, growth))
        .collect();
    let mean = candidates.iter().map(|of| of.gain).sum::<f64>() / candidates.len() as f64;
    let mut best: Option<Candidate> = None;
    for candidate in candidates {
        let ratio = best.map_or(0.0, |best| best.gain_ratio);
        if candidate.gain >= mean - 1e-3 && candidate.gain_ratio > ratio + EQUAL {
            best = Some(candidate);
        }
    }
    best
}

/// The best threshold of a feature.
fn candidate(
    instances: &Instances,
    feature: usize,
    rows: &[u32],
    node: &Node,
    growth: &Growth,
) -> Option<Candidate> {
    let values = &instances.columns[feature];
    let value = |row: u32| values[row as usize];
    let total: f64 = node.weights.iter().sum();
    let share = 0.1 * total / node.weights.len() as f64;
    let least = match share <= growth.min_leaf {
        true => growth.min_leaf,
        false => share.min(LEAST_AT_HEAVY_NODES),
    };
    if growth.rows_as_j48 && (rows.len() as f64) < 2.0 * least {
        return None;
    }
    let prior = entropy(&node.weights);
    let mut below = vec![0.0; node.weights.len()];
    let (mut below_total, mut candidates) = (0.0, 0u32);
    // Gain, place of the last row below, and weight below.
    let mut best: Option<(f64, usize, f64)> = None;
    for (place, pair) in rows.windows(2).enumerate() {
        let row = pair[0] as usize;
        below[usize::from(instances.class_of[row])] += instances.weights[row];
        below_total += instances.weights[row];
        if value(pair[0]) + CLOSE >= value(pair[1])
            || below_total + EQUAL < least
            || total - below_total + EQUAL < least
        {
            continue;
        }
        candidates += 1;
        let gain = prior - rest(&node.weights, &below, below_total, total);
        if best.is_none_or(|(most, ..)| gain > most + EQUAL) && gain > EQUAL {
            best = Some((gain, place, below_total));
        }
    }
    let (gain, place, weight) = best?;
    let gain = gain - f64::from(candidates).log2() / total;
    let parted = entropy(&[weight, total - weight]);
    if gain <= EQUAL || parted <= 0.0 {
        return None;
    }
    let (last, next) = (value(rows[place]), value(rows[place + 1]));
    let middle = (last + next) / 2.0;
    Some(Candidate {
        feature,
        // Where the mean of two neighbours is the greater of them, for want of digits.
        threshold: if middle < next { middle } else { last },
        gain,
        gain_ratio: gain / parted,
    })
}

/// What entropy is left behind a split.
fn rest(all: &[f64], below: &[f64], below_total: f64, total: f64) -> f64 {
    let x_log_x = |x: f64| if x > 0.0 { x * x.log2() } else { 0.0 };
    let mut sum = x_log_x(below_total) + x_log_x(total - below_total);
    for (all, below) in all.iter().zip(below) {
        sum -= x_log_x(*below) + x_log_x(all - below);
    }
    sum / total
}

impl Classifier for Tree {
    fn distribution(&self, value: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let leaf = self.walk(value, |_| {});
        let weights = &self.nodes[leaf].weights;
        let total: f64 = weights.iter().sum();
        weights
            .iter()
            .map(|weight| if total > 0.0 { weight / total } else { 0.0 })
            .collect()
    }
}
