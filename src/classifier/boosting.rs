//! Gradient-boosted regression trees for a share between 0 and 1 (Friedman, *Greedy Function Approximation*, 2001; with histograms
//! and growth leaf by leaf as LightGBM has them: Ke et al., NIPS 2017).
//!
//! The loss is the cross-entropy of a soft label, so gradient and curvature of a row are w·(p − y) and w·p·(1 − p). A split gains
//! G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ), a leaf adds −rate·G/(H + λ) to the log odds. Sums are taken feature by feature in
//! the order of the rows: the same seed gives the same trees whatever the number of threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

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

    /// Can rows of so many features be answered? A model that was read from a file is asked first.
    pub fn is_whole(&self, num_features: usize) -> bool {
        self.base.is_finite() && self.trees.iter().all(|tree| tree.is_whole(num_features))
    }

    /// How many leaves there are.
    pub fn num_leaves(&self) -> usize {
        self.trees.iter().map(|tree| tree.leaves.len()).sum()
    }
}

/// Rows that are answered together.
pub const LANES: usize = 8;
/// Values of a row: as many as a byte can number.
pub const WIDTH: usize = 256;
/// Nodes and leaves of a tree of 32 leaves.
const PLACES: usize = 64;

/// The same trees laid out for speed: rows go through a tree side by side, without a branch, as many steps as the tree is deep. A
/// leaf leads to itself.
#[derive(Debug, Clone)]
pub struct Forest {
    base: f32,
    trees: Vec<FlatTree>,
}

#[derive(Debug, Clone)]
struct FlatTree {
    places: [Place; PLACES],
    values: [f32; PLACES],
    depth: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    threshold: f32,
    feature: u8,
    yes: u8,
    no: u8,
}

impl Forest {
    /// Lays out trees; none if they ask for more than [`WIDTH`] features, have more than 32 leaves, or are not whole.
    pub fn new(boosted: &Boosted) -> Option<Forest> {
        let fits = |tree: &Tree| tree.leaves.len() <= PLACES / 2 && tree.nodes.len() < PLACES / 2;
        let fit = boosted.is_whole(WIDTH) && boosted.trees.iter().all(fits);
        fit.then(|| Forest {
            base: boosted.base,
            trees: boosted.trees.iter().map(FlatTree::new).collect(),
        })
    }

    /// For each of the rows its share, in 0..=1; the same number as [`Boosted::share`].
    pub fn shares(&self, rows: &[[f32; WIDTH]; LANES]) -> [f32; LANES] {
        let mut odds = [0.0f32; LANES];
        for tree in &self.trees {
            let mut at = [0u8; LANES];
            for _ in 0..tree.depth {
                for (at, row) in at.iter_mut().zip(rows) {
                    let place = tree.places[usize::from(*at) % PLACES];
                    let yes = row[usize::from(place.feature)] <= place.threshold;
                    *at = if yes { place.yes } else { place.no };
                }
            }
            for (odds, at) in odds.iter_mut().zip(at) {
                *odds += tree.values[usize::from(at) % PLACES];
            }
        }
        odds.map(|odds| sigmoid(f64::from(self.base + odds)) as f32)
    }
}

impl FlatTree {
    fn new(tree: &Tree) -> FlatTree {
        let first_leaf = tree.nodes.len();
        let place = |child: i16| match usize::try_from(child) {
            Ok(node) => node as u8,
            Err(_) => (first_leaf as i32 - 1 - i32::from(child)) as u8,
        };
        let mut flat = FlatTree {
            places: [Place::default(); PLACES],
            values: [0.0; PLACES],
            depth: 0,
        };
        let mut depths = [0usize; PLACES];
        for (number, &Node(feature, threshold, yes, no)) in tree.nodes.iter().enumerate() {
            flat.places[number] = Place {
                threshold,
                feature: feature as u8,
                yes: place(yes),
                no: place(no),
            };
            for child in [place(yes), place(no)] {
                depths[usize::from(child)] = depths[number] + 1;
                flat.depth = flat.depth.max(depths[number] + 1);
            }
        }
        for (leaf, value) in (first_leaf..).zip(&tree.leaves) {
            flat.values[leaf] = *value;
            flat.places[leaf].yes = leaf as u8;
            flat.places[leaf].no = leaf as u8;
        }
        flat
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

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Boosting = Boosting {
        trees: 5,
        leaves: 4,
        depth: 99,
        rate: 0.2,
        min_rows: 5,
        l2: 1.0,
        row_share: 1.0,
        feature_share: 1.0,
    };

    struct Example {
        columns: Vec<Vec<f32>>,
        labels: Vec<f32>,
        weights: Vec<f32>,
    }

    impl Example {
        fn row(&self, row: usize) -> Vec<f32> {
            self.columns.iter().map(|column| column[row]).collect()
        }

        fn learn(&self, boosting: &Boosting, seed: u64) -> Boosted {
            let mut state = seed;
            let mut random = |bound: usize| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 33) as usize % bound
            };
            let rows: Vec<u32> = (0..self.labels.len() as u32).collect();
            let data = Binned::new(&self.columns, 256);
            learn(
                &data,
                &self.labels,
                &self.weights,
                &rows,
                boosting,
                &mut random,
            )
        }
    }

    fn example(rows: usize) -> Example {
        let of = |value: &dyn Fn(usize) -> usize| (0..rows).map(|row| value(row) as f32).collect();
        let columns: Vec<Vec<f32>> = vec![
            of(&|i| i * 7 % 10),
            of(&|i| (i * 3 + i / 7) % 6),
            of(&|i| i * i % 11),
        ];
        let label = |row: usize| {
            let product = columns[0][row] * columns[1][row] % 10.0;
            let more = if columns[2][row] > 5.0 { 0.05 } else { 0.0 };
            (0.1 * product + more).clamp(0.0, 1.0)
        };
        let weight = |row: usize| 1.0 + 0.5 * ((row % 5) as f32 - 2.0) / 2.0;
        Example {
            labels: (0..rows).map(label).collect(),
            weights: (0..rows).map(weight).collect(),
            columns,
        }
    }

    /// LightGBM 4.7.0 on the same rows: objective cross_entropy, learning_rate 0.2, num_leaves 4, min_data_in_leaf 1
    /// (it estimates numbers of rows by their curvature, so that other minima mean something else there), min_sum_hessian_in_leaf 0,
    /// lambda_l2 1, max_bin 255, min_data_in_bin 1, weights as here, 5 rounds. Its predictions for the first rows have six digits
    /// here; ours sum derivatives as f32.
    #[test]
    fn as_lightgbm() {
        let example = example(80);
        let boosting = Boosting {
            min_rows: 1,
            ..PLAIN
        };
        let learnt = example.learn(&boosting, 1);
        let expected = [
            0.160945, 0.453973, 0.160945, 0.291212, 0.160945, 0.412108, 0.160945, 0.428118,
            0.412108, 0.365999, 0.240300, 0.406418, 0.412108, 0.291212, 0.453973, 0.365999,
        ];
        for (row, expected) in expected.into_iter().enumerate() {
            let share = learnt.share(&example.row(row));
            assert!((share - expected).abs() < 2e-6, "{row}: {share} {expected}");
        }
    }

    /// What is drawn depends on the seed alone, whatever the number of threads.
    #[test]
    fn the_same_seed_gives_the_same_trees() {
        let drawing = Boosting {
            row_share: 0.5,
            feature_share: 0.7,
            ..PLAIN
        };
        let example = example(300);
        let with = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| example.learn(&drawing, seed))
        };
        assert_eq!(with(1, 7), with(2, 7));
        assert_ne!(with(1, 7), with(1, 8));
    }

    #[test]
    fn a_forest_says_what_its_trees_say() {
        let many = Boosting {
            trees: 20,
            leaves: 32,
            min_rows: 1,
            ..PLAIN
        };
        let example = example(400);
        for boosting in [PLAIN, many, Boosting { leaves: 1, ..PLAIN }] {
            let learnt = example.learn(&boosting, 1);
            let forest = Forest::new(&learnt).unwrap();
            for first in (0..400).step_by(LANES) {
                let mut rows = [[0.0; WIDTH]; LANES];
                for (lane, row) in rows.iter_mut().enumerate() {
                    row[..3].copy_from_slice(&example.row(first + lane));
                }
                let shares = forest.shares(&rows);
                let single = rows.map(|row| learnt.share(&row[..3]));
                assert_eq!(shares, single);
            }
        }
        let large = Boosting { leaves: 33, ..many };
        assert!(Forest::new(&example.learn(&large, 1)).is_none());
        let mut damaged = example.learn(&PLAIN, 1);
        damaged.trees[0].nodes[0].0 = 256;
        assert!(Forest::new(&damaged).is_none());
    }

    /// Rows of the same values in the training data and as numbers take the same way.
    #[test]
    fn thresholds_part_as_intervals_do() {
        let columns = vec![vec![
            0.1f32,
            0.1,
            0.2,
            f32::MAX,
            -3.5,
            0.15,
            1e30,
            0.2,
            7.0,
            8.0,
        ]];
        for intervals in 2..=10 {
            let data = Binned::new(&columns, intervals);
            assert!(data.bounds[0].len() < intervals);
            assert!(data.bounds[0].is_sorted_by(|a, b| a < b));
            for (value, interval) in columns[0].iter().zip(&data.columns[0]) {
                for (number, bound) in data.bounds[0].iter().enumerate() {
                    assert_eq!(value <= bound, usize::from(*interval) <= number);
                }
            }
        }
        assert_eq!(Binned::new(&columns, 256).bounds[0].len(), 7);
        assert!(Binned::new(&[vec![]], 8).bounds[0].is_empty());
    }

    #[test]
    fn damaged_trees_are_found() {
        let whole = example(80).learn(&PLAIN, 1);
        assert!(whole.is_whole(3) && !whole.is_whole(1));
        let damage = |change: fn(&mut Tree)| {
            let mut damaged = whole.clone();
            change(&mut damaged.trees[2]);
            damaged.is_whole(3)
        };
        assert!(!damage(|tree| tree.nodes[0].2 = 0));
        assert!(!damage(|tree| tree.nodes[0].3 = 99));
        assert!(!damage(|tree| tree.nodes[1].2 = i16::MIN));
        assert!(!damage(|tree| tree.leaves.clear()));
        assert!(!damage(|tree| tree.leaves[0] = f32::NAN));
        assert!(damage(|tree| tree.leaves[0] = 3.0));
    }

    #[test]
    fn nothing_to_learn_from() {
        let boosting = PLAIN;
        let nothing = Binned::new(&[vec![1.0, 2.0]], 8);
        let learnt = learn(
            &nothing,
            &[0.5, 0.5],
            &[0.0, 0.0],
            &[0, 1],
            &boosting,
            &mut |_| 0,
        );
        assert_eq!(learnt.share(&[1.0]), 0.5);
        let learnt = learn(&nothing, &[], &[], &[], &boosting, &mut |_| 0);
        assert_eq!(learnt.share(&[1.0]), 0.5);
    }
}
