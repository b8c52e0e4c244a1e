//! Learners against Weka 3.9.7, scikit-learn and published examples.

use trommel_extract::classifier::greatest;

use super::discretize::{cut_points, information_gain};
use super::one_rule::OneRule;
use super::svm::{Solver, Svm};
use super::tree::{self, Growth};
use super::{Instances, entropy};

/// Numbers below a bound: the upper half of a linear congruential generator (Numerical Recipes), which the scripts that gave the
/// other programs the same rows have too.
struct Random(u32);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % bound
    }
}

/// 400 rows of four features: classes by rules with a tenth of noise, weights of 1 to 3. The other programs were given the same.
fn made(weighted: bool) -> Instances {
    let mut random = Random(7);
    let mut made = Instances {
        features: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        classes: ["x", "y", "z"].map(str::to_owned).to_vec(),
        columns: vec![Vec::new(); 4],
        ..Instances::default()
    };
    for _ in 0..400 {
        let a = f64::from(random.below(100)) / 10.0;
        let b = f64::from(random.below(50));
        let c = f64::from(random.below(1000)) / 1000.0;
        let d = f64::from(random.below(2));
        let mut class = match a <= 3.3 && b > 10.0 {
            true => 0,
            false if c > 0.5 || d == 1.0 && b > 30.0 => 1,
            false => 2,
        };
        if random.below(10) == 0 {
            class = random.below(3);
        }
        let weight = 1 + random.below(3);
        for (column, value) in made.columns.iter_mut().zip([a, b, c, d]) {
            column.push(value);
        }
        made.class_of.push(class as u8);
        made.weights
            .push(if weighted { f64::from(weight) } else { 1.0 });
    }
    made
}

/// Every row as often as it weighs.
fn repeated(instances: &Instances) -> Instances {
    let rows: Vec<usize> = (0..instances.len())
        .flat_map(|row| std::iter::repeat_n(row, instances.weights[row] as usize))
        .collect();
    let column = |values: &Vec<f64>| rows.iter().map(|row| values[*row]).collect();
    Instances {
        columns: instances.columns.iter().map(column).collect(),
        class_of: rows.iter().map(|row| instances.class_of[*row]).collect(),
        weights: vec![1.0; rows.len()],
        ..instances.clone()
    }
}

/// `weka.classifiers.trees.J48 -U -O -M 5`: no pruning, no collapsing. Two spaces of its indentation are taken out.
const J48: &str = "a <= 3.3
| b <= 10
| | c <= 0.476: z (18.0)
| | c > 0.476
| | | d <= 0: y (7.0)
| | | d > 0: y (6.0/1.0)
| b > 10
| | d <= 0: x (70.0/4.0)
| | d > 0: x (51.0/4.0)
a > 3.3
| c <= 0.499
| | b <= 32
| | | d <= 0: z (36.0/2.0)
| | | d > 0: z (40.0/3.0)
| | b > 32
| | | d <= 0: z (20.0/1.0)
| | | d > 0: y (31.0/1.0)
| c > 0.499
| | d <= 0: y (68.0/3.0)
| | d > 0: y (53.0/4.0)
";

/// The same with weights.
const J48_WEIGHTED: &str = "a <= 3.3
| b <= 10
| | c <= 0.476: z (39.0)
| | c > 0.476
| | | d <= 0: y (12.0)
| | | d > 0: y (8.0/1.0)
| b > 10
| | c <= 0.825
| | | b <= 21
| | | | b <= 20
| | | | | b <= 13: x (22.0)
| | | | | b > 13
| | | | | | d <= 0
| | | | | | | b <= 18: x (12.0)
| | | | | | | b > 18: x (7.0/2.0)
| | | | | | d > 0: x (16.0/2.0)
| | | | b > 20: x (5.0/2.0)
| | | b > 21: x (144.0)
| | c > 0.825
| | | c <= 0.831: z (6.0/2.0)
| | | c > 0.831
| | | | a <= 1.5: x (16.0/1.0)
| | | | a > 1.5
| | | | | b <= 32: x (11.0/5.0)
| | | | | b > 32: x (6.0)
a > 3.3
| c <= 0.499
| | b <= 32
| | | d <= 0
| | | | c <= 0.008: y (5.0/2.0)
| | | | c > 0.008: z (67.0/1.0)
| | | d > 0
| | | | a <= 6.3
| | | | | a <= 4.7: z (15.0)
| | | | | a > 4.7
| | | | | | c <= 0.183: z (6.0)
| | | | | | c > 0.183: z (20.0/8.0)
| | | | a > 6.3: z (40.0)
| | b > 32
| | | d <= 0
| | | | b <= 42: z (31.0)
| | | | b > 42: z (14.0/2.0)
| | | d > 0
| | | | b <= 34: y (8.0/2.0)
| | | | b > 34: y (51.0)
| c > 0.499
| | b <= 46
| | | d <= 0
| | | | c <= 0.796: y (97.0)
| | | | c > 0.796
| | | | | c <= 0.838: y (7.0/2.0)
| | | | | c > 0.838: y (26.0/1.0)
| | | d > 0
| | | | b <= 4: y (5.0/2.0)
| | | | b > 4
| | | | | a <= 5.8: y (41.0)
| | | | | a > 5.8
| | | | | | a <= 6.1: x (5.0/2.0)
| | | | | | a > 6.1
| | | | | | | c <= 0.539: x (6.0/3.0)
| | | | | | | c > 0.539: y (49.0/1.0)
| | b > 46: y (10.0/3.0)
";

/// `weka.classifiers.trees.J48 -U -M 5`: collapsed, not pruned.
const J48_COLLAPSED: &str = "a <= 3.3
| b <= 10
| | c <= 0.476: z (18.0)
| | c > 0.476: y (13.0/1.0)
| b > 10: x (121.0/8.0)
a > 3.3
| c <= 0.499
| | b <= 32: z (76.0/5.0)
| | b > 32
| | | d <= 0: z (20.0/1.0)
| | | d > 0: y (31.0/1.0)
| c > 0.499: y (121.0/7.0)
";

/// The same with weights.
const J48_COLLAPSED_WEIGHTED: &str = "a <= 3.3
| b <= 10
| | c <= 0.476: z (39.0)
| | c > 0.476: y (20.0/1.0)
| b > 10
| | c <= 0.825: x (206.0/6.0)
| | c > 0.825
| | | c <= 0.831: z (6.0/2.0)
| | | c > 0.831: x (33.0/6.0)
a > 3.3
| c <= 0.499
| | b <= 32
| | | d <= 0
| | | | c <= 0.008: y (5.0/2.0)
| | | | c > 0.008: z (67.0/1.0)
| | | d > 0: z (81.0/8.0)
| | b > 32
| | | d <= 0: z (45.0/2.0)
| | | d > 0: y (59.0/2.0)
| c > 0.499
| | b <= 46
| | | d <= 0: y (130.0/3.0)
| | | d > 0
| | | | b <= 4: y (5.0/2.0)
| | | | b > 4
| | | | | a <= 5.8: y (41.0)
| | | | | a > 5.8
| | | | | | a <= 6.1: x (5.0/2.0)
| | | | | | a > 6.1: y (55.0/4.0)
| | b > 46: y (10.0/3.0)
";

fn growth(min_leaf: f64, rows_as_j48: bool) -> Growth {
    Growth {
        min_leaf,
        rows_as_j48,
    }
}

#[test]
fn trees_are_those_of_weka() {
    let trees = [
        (false, false, J48),
        (true, false, J48_WEIGHTED),
        (false, true, J48_COLLAPSED),
        (true, true, J48_COLLAPSED_WEIGHTED),
    ];
    for (weighted, collapsed, expected) in trees {
        let made = made(weighted);
        let mut tree = tree::learn(&made, &made.all_rows(), &growth(5.0, true));
        if collapsed {
            tree::collapse(&mut tree);
        }
        let mut rules = tree.rules();
        for class in ["x", "y", "z"] {
            rules = rules.replace(
                &format!(": {}", class.to_uppercase()),
                &format!(": {class}"),
            );
        }
        assert_eq!(rules, expected);
        assert!(tree.is_whole());
        assert_eq!(tree.num_leaves(), expected.matches(": ").count());
    }
}

/// A weight of 3 is three rows.
#[test]
fn weights_are_repetitions() {
    let weighted = made(true);
    let repeated = repeated(&weighted);
    let [tree, of_repeated] =
        [&weighted, &repeated].map(|of| tree::learn(of, &of.all_rows(), &growth(10.0, false)));
    assert_eq!(tree.rules(), of_repeated.rules());
    for feature in 0..4 {
        let rule = |of: &Instances| OneRule::learn(of, feature, &of.all_rows(), 20.0);
        assert_eq!(rule(&weighted), rule(&repeated));
        let cuts = |of: &Instances| cut_points(of, feature, &of.all_rows());
        assert_eq!(cuts(&weighted), cuts(&repeated));
        let gain = |of: &Instances| information_gain(of, feature, &of.all_rows());
        assert!((gain(&weighted) - gain(&repeated)).abs() < 1e-12);
    }
}

/// `weka.attributeSelection.InfoGainAttributeEval`, to the three digits that it prints.
#[test]
fn information_gain_is_that_of_weka() {
    let made = made(false);
    let gains = [0, 1, 2, 3].map(|feature| information_gain(&made, feature, &made.all_rows()));
    let printed = gains.map(|gain| format!("{gain:.3}"));
    assert_eq!(printed, ["0.457", "0.132", "0.297", "0.000"]);
}

/// `weka.classifiers.rules.OneR -B 20`: `a < 3.35 -> x, >= 3.35 -> y`, 260 of 400 right.
#[test]
fn one_rule_is_that_of_weka() {
    let made = made(false);
    let rule = OneRule::best(&made, &[0, 1, 2, 3], &made.all_rows(), 20.0).unwrap();
    assert_eq!((rule.feature, &rule.classes[..]), (0, &[0, 1][..]));
    assert!((rule.bounds[0] - 3.35).abs() < 1e-9);
    assert_eq!(rule.error(), 140.0);
}

/// Quinlan, *Induction of Decision Trees* (1986): nine days of golf and five without; gains of outlook, humidity and wind.
#[test]
fn gains_of_quinlan() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} {b}");
    close(entropy(&[9.0, 5.0]), 0.940);
    let gain = |parts: &[[f64; 2]]| {
        let rest = parts
            .iter()
            .map(|part| part.iter().sum::<f64>() / 14.0 * entropy(part));
        entropy(&[9.0, 5.0]) - rest.sum::<f64>()
    };
    close(gain(&[[2.0, 3.0], [4.0, 0.0], [3.0, 2.0]]), 0.246);
    close(gain(&[[3.0, 4.0], [6.0, 1.0]]), 0.151);
    close(gain(&[[6.0, 2.0], [3.0, 3.0]]), 0.048);
    assert_eq!(entropy(&[3.0, 0.0]), 0.0);
    assert_eq!(entropy(&[]), 0.0);
}

#[test]
fn pruning_by_hand() {
    let rows = |values: &[f64], classes: &[u8]| Instances {
        features: vec!["v".to_owned()],
        classes: vec!["x".to_owned(), "y".to_owned()],
        columns: vec![values.to_vec()],
        class_of: classes.to_vec(),
        weights: vec![1.0; values.len()],
    };
    let values: Vec<f64> = (1..=20).map(f64::from).collect();
    let classes: Vec<u8> = (1..=20).map(|v| u8::from((6..=12).contains(&v))).collect();
    let instances = rows(&values, &classes);
    let tree = tree::learn(&instances, &instances.all_rows(), &growth(2.0, false));
    let whole = "v <= 12\n| v <= 5: X (5.0)\n| v > 5: Y (7.0)\nv > 12: X (8.0)\n";
    assert_eq!(tree.rules(), whole);
    let pruned_by = |values: &[f64], classes: &[u8]| {
        let others = rows(values, classes);
        let mut pruned = tree.clone();
        tree::prune(&mut pruned, &others, &others.all_rows());
        assert!(pruned.is_whole());
        pruned.rules()
    };
    // 1 and 2 are errors of the lower split; as a leaf, which is Y by 7 to 5, it has two as well, 3 and 4: it goes. The root as
    // a leaf, X by 13 to 7, would have six.
    assert_eq!(
        pruned_by(
            &[1., 2., 3., 4., 6., 7., 8., 9., 13.],
            &[1, 1, 0, 0, 1, 1, 1, 1, 0]
        ),
        "v <= 12: Y (12.0/5.0)\nv > 12: X (8.0)\n"
    );
    // Where all splits are right they stay.
    assert_eq!(pruned_by(&values, &classes), whole);
    // The lower split stays with one error against two, and goes with the root, which has none.
    assert_eq!(pruned_by(&[1., 7.], &[0, 0]), ": X (20.0/7.0)\n");
}

/// scikit-learn, `LinearSVC(loss='hinge', dual=True, C=1, tol=1e-9)` with the weights as `sample_weight`, on features scaled to
/// 0..=1 by their range: coefficients, then the intercept.
#[test]
fn separators_are_those_of_liblinear() {
    let expected = [
        [-5.34831, 0.56071, -1.16616, -0.01171, 2.20629],
        [-4.12744, 1.92516, 1.3434, 0.28024, -0.10583],
        [0.17641, 1.50853, 4.46478, 0.57172, -2.87488],
    ];
    let made = made(true);
    let mut random = Random(1);
    let solver = Solver {
        tolerance: 1e-9,
        max_rounds: 1_000_000,
        ..Solver::default()
    };
    let mut below = |n| random.below(n as u32) as usize;
    let svm = Svm::learn(&made, &made.all_rows(), &solver, &mut below);
    for (machine, expected) in svm.machines.iter().zip(expected) {
        let found = &machine.weights;
        let pairs = found.iter().zip(expected);
        assert!(
            pairs.map(|(a, b)| (a - b).abs()).all(|far| far < 1e-4),
            "{found:?} {expected:?}"
        );
    }
}

#[test]
fn first_of_the_greatest() {
    assert_eq!(greatest(&[1.0, 3.0, 3.0]), 1);
    assert_eq!(greatest(&[]), 0);
}
