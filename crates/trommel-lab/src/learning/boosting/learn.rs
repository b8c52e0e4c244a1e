//! How trees are grown: leaf by leaf, from histograms.

use rayon::prelude::*;
use trommel_extract::classifier::boosting::{Boosted, Node, Tree, sigmoid};

use super::binned::Binned;

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

/// Learns from some rows. `labels` are shares in 0..=1, `weights` 0 or more; `random(n)` gives a number below n.
pub fn learn(
    data: &Binned,
    labels: &[f32],
    weights: &[f32],
    rows: &[u32],
    boosting: &Boosting,
    random: &mut dyn FnMut(usize) -> usize,
) -> Boosted {
    let sum = |of: &dyn Fn(usize) -> f64| rows.iter().map(|&row| of(row as usize)).sum::<f64>();
    let total = sum(&|row| f64::from(weights[row]));
    let positive = sum(&|row| f64::from(weights[row]) * f64::from(labels[row]));
    let prior = (positive / total).clamp(1e-6, 1.0 - 1e-6);
    if total <= 0.0 || total.is_nan() {
        return Boosted::default();
    }
    // Weights of mean 1, so that λ means the same whatever the weights.
    let scale = rows.len() as f64 / total;
    let mut learnt = Boosted {
        base: (prior / (1.0 - prior)).ln() as f32,
        trees: Vec::with_capacity(boosting.trees),
    };
    let mut odds = vec![f64::from(learnt.base); labels.len()];
    let mut slopes = vec![Slope::default(); labels.len()];
    for _ in 0..boosting.trees {
        let slope = |row: usize| {
            let (p, w) = (sigmoid(odds[row]), f64::from(weights[row]) * scale);
            Slope {
                gradient: (w * (p - f64::from(labels[row]))) as f32,
                curvature: (w * p * (1.0 - p)) as f32,
            }
        };
        slopes
            .par_iter_mut()
            .enumerate()
            .for_each(|(row, place)| *place = slope(row));
        let mut sampled = sample(rows, boosting.row_share, random);
        let all: Vec<u32> = (0..data.columns.len() as u32).collect();
        let features = sample(&all, boosting.feature_share, random);
        let tree = grow(data, &slopes, &mut sampled, &features, boosting);
        odds.par_iter_mut().enumerate().for_each(|(row, odds)| {
            *odds += f64::from(tree.leaves[tree.leaf(data, row)]);
        });
        learnt.trees.push(tree.tree(data));
    }
    learnt
}

/// The rows that a share of them leaves, in their order: at least one.
fn sample(from: &[u32], share: f64, random: &mut dyn FnMut(usize) -> usize) -> Vec<u32> {
    let mut wanted = ((from.len() as f64 * share).round() as usize).clamp(1, from.len().max(1));
    if wanted >= from.len() {
        return from.to_vec();
    }
    // Knuth's algorithm S: each as likely as any other.
    let mut taken = Vec::with_capacity(wanted);
    for (place, &item) in from.iter().enumerate() {
        if random(from.len() - place) < wanted {
            taken.push(item);
            wanted -= 1;
        }
    }
    taken
}

/// First and second derivative of a row's loss by its log odds.
#[derive(Debug, Clone, Copy, Default)]
struct Slope {
    gradient: f32,
    curvature: f32,
}

/// Sums over rows.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    gradient: f64,
    curvature: f64,
    rows: u32,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.rows += other.rows;
    }

    fn without(self, other: Sums) -> Sums {
        Sums {
            gradient: self.gradient - other.gradient,
            curvature: self.curvature - other.curvature,
            rows: self.rows - other.rows,
        }
    }

    fn score(self, l2: f64) -> f64 {
        self.gradient * self.gradient / (self.curvature + l2)
    }
}

/// A feature and the last interval on the side of yes.
#[derive(Debug, Clone, Copy)]
struct Split {
    gain: f64,
    feature: u32,
    interval: u8,
}

/// A leaf that can still be split: a range of the sampled rows.
struct Growing {
    start: usize,
    end: usize,
    sums: Sums,
    /// For each feature that may be asked for the sums of each interval.
    histograms: Vec<Vec<Sums>>,
    best: Option<Split>,
    /// How many questions lead here.
    depth: usize,
    /// The node that leads here, and by which answer.
    from: Option<(usize, bool)>,
}

/// A tree that asks for intervals.
struct Grown {
    nodes: Vec<(u32, u8, i16, i16)>,
    leaves: Vec<f32>,
}

impl Grown {
    fn leaf(&self, data: &Binned, row: usize) -> usize {
        let mut at = if self.nodes.is_empty() { -1 } else { 0 };
        while at >= 0 {
            let (feature, interval, yes, no) = self.nodes[at as usize];
            at = if data.columns[feature as usize][row] <= interval {
                yes
            } else {
                no
            };
        }
        (-1 - at) as usize
    }

    fn tree(self, data: &Binned) -> Tree {
        let node = |(feature, interval, yes, no): (u32, u8, i16, i16)| {
            let threshold = data.bounds[feature as usize][usize::from(interval)];
            Node(feature as u16, threshold, yes, no)
        };
        Tree {
            nodes: self.nodes.into_iter().map(node).collect(),
            leaves: self.leaves,
        }
    }
}

fn grow(
    data: &Binned,
    slopes: &[Slope],
    rows: &mut [u32],
    features: &[u32],
    boosting: &Boosting,
) -> Grown {
    let histograms = histograms(data, slopes, rows, features);
    let first = Growing {
        start: 0,
        end: rows.len(),
        sums: total(slopes, rows),
        best: best_split(&histograms, total(slopes, rows), features, boosting),
        histograms,
        depth: 0,
        from: None,
    };
    let mut growing = vec![first];
    let mut nodes: Vec<(u32, u8, i16, i16)> = Vec::new();
    while growing.len() < boosting.leaves.min(i16::MAX as usize) {
        // The leaf that gains most, the first of several.
        let mut chosen: Option<(usize, Split)> = None;
        for (place, leaf) in growing.iter().enumerate() {
            if let Some(split) = leaf.best
                && leaf.depth < boosting.depth
                && chosen.is_none_or(|(_, best)| split.gain > best.gain)
            {
                chosen = Some((place, split));
            }
        }
        let Some((place, split)) = chosen else { break };
        let leaf = growing.swap_remove(place);
        let number = nodes.len();
        connect(&mut nodes, leaf.from, number as i16);
        nodes.push((split.feature, split.interval, 0, 0));
        let column = &data.columns[split.feature as usize];
        let of_leaf = &mut rows[leaf.start..leaf.end];
        let middle = leaf.start + partition(of_leaf, |row| column[row as usize] <= split.interval);
        // The smaller side is counted, the other one is what is left.
        let yes_is_smaller = middle - leaf.start <= leaf.end - middle;
        let smaller = match yes_is_smaller {
            true => &rows[leaf.start..middle],
            false => &rows[middle..leaf.end],
        };
        let sums = total(slopes, smaller);
        let counted = self::histograms(data, slopes, smaller, features);
        let rest: Vec<Vec<Sums>> = leaf
            .histograms
            .iter()
            .zip(&counted)
            .map(|(all, part)| all.iter().zip(part).map(|(a, p)| a.without(*p)).collect())
            .collect();
        let rest_sums = leaf.sums.without(sums);
        let (yes, no) = match yes_is_smaller {
            true => ((sums, counted), (rest_sums, rest)),
            false => ((rest_sums, rest), (sums, counted)),
        };
        let sides = [
            (leaf.start, middle, yes, true),
            (middle, leaf.end, no, false),
        ];
        for (start, end, (sums, histograms), answer) in sides {
            growing.push(Growing {
                start,
                end,
                sums,
                best: best_split(&histograms, sums, features, boosting),
                histograms,
                depth: leaf.depth + 1,
                from: Some((number, answer)),
            });
        }
    }
    let mut leaves = Vec::with_capacity(growing.len());
    for leaf in growing {
        connect(&mut nodes, leaf.from, -1 - leaves.len() as i16);
        let step = -leaf.sums.gradient / (leaf.sums.curvature + boosting.l2);
        leaves.push((boosting.rate * step) as f32);
    }
    Grown { nodes, leaves }
}

fn connect(nodes: &mut [(u32, u8, i16, i16)], from: Option<(usize, bool)>, child: i16) {
    match from {
        Some((node, true)) => nodes[node].2 = child,
        Some((node, false)) => nodes[node].3 = child,
        None => {}
    }
}

fn total(slopes: &[Slope], rows: &[u32]) -> Sums {
    let mut sums = Sums::default();
    for &row in rows {
        sums.add(one(slopes[row as usize]));
    }
    sums
}

fn one(slope: Slope) -> Sums {
    Sums {
        gradient: f64::from(slope.gradient),
        curvature: f64::from(slope.curvature),
        rows: 1,
    }
}

fn histograms(data: &Binned, slopes: &[Slope], rows: &[u32], features: &[u32]) -> Vec<Vec<Sums>> {
    let gathered: Vec<Slope> = rows.iter().map(|&row| slopes[row as usize]).collect();
    features
        .par_iter()
        .map(|&feature| {
            let mut sums = vec![Sums::default(); data.bounds[feature as usize].len() + 1];
            let column = &data.columns[feature as usize];
            for (&row, &slope) in rows.iter().zip(&gathered) {
                sums[usize::from(column[row as usize])].add(one(slope));
            }
            sums
        })
        .collect()
}

/// The split that gains most; of several that of the first feature and interval.
fn best_split(
    histograms: &[Vec<Sums>],
    all: Sums,
    features: &[u32],
    boosting: &Boosting,
) -> Option<Split> {
    let mut best: Option<Split> = None;
    for (histogram, &feature) in histograms.iter().zip(features) {
        let mut yes = Sums::default();
        for (interval, sums) in histogram[..histogram.len() - 1].iter().enumerate() {
            yes.add(*sums);
            let no = all.without(yes);
            if (yes.rows.min(no.rows) as usize) < boosting.min_rows {
                continue;
            }
            let gain = yes.score(boosting.l2) + no.score(boosting.l2) - all.score(boosting.l2);
            if gain > best.map_or(LEAST_GAIN, |split| split.gain) {
                best = Some(Split {
                    gain,
                    feature,
                    interval: interval as u8,
                });
            }
        }
    }
    best
}

/// Less than this is rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Brings the rows that pass to the front, all in their order, and says how many they are.
fn partition(rows: &mut [u32], passes: impl Fn(u32) -> bool) -> usize {
    let mut others = Vec::new();
    let mut kept = 0;
    for place in 0..rows.len() {
        let row = rows[place];
        if passes(row) {
            rows[kept] = row;
            kept += 1;
        } else {
            others.push(row);
        }
    }
    rows[kept..].copy_from_slice(&others);
    kept
}
