#![allow(clippy::unwrap_used)]
use super::*;
use trommel_extract::classifier::boosting::{Boosted, Forest, LANES, Tree, WIDTH};
use trommel_text::SplitMix64;

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
        let mut random = SplitMix64::new(seed);
        let rows: Vec<u32> = (0..self.labels.len() as u32).collect();
        let data = Binned::new(&self.columns, 256);
        learn(
            &data,
            &self.labels,
            &self.weights,
            &rows,
            boosting,
            &mut |bound| random.below(bound),
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
        0.160945, 0.453973, 0.160945, 0.291212, 0.160945, 0.412108, 0.160945, 0.428118, 0.412108,
        0.365999, 0.240300, 0.406418, 0.412108, 0.291212, 0.453973, 0.365999,
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
