//! Cross-validation, and rates as Weka gives them: means over the classes by their weights.

use trommel_extract::classifier::tree::Tree;
use trommel_text::SplitMix64;

use super::rows::{Learner, LooksAt, Row};
use super::settings::{Counted, Settings, Way};
use crate::learning::one_rule::OneRule;
use crate::learning::svm::{Solver, Svm};
use crate::learning::{Classifier, Instances, tree as trees};
use crate::score::labels::area_under_curve;
use crate::training::tree::pruned_tree;

/// So many intervals of a rule are worth reading.
const READABLE: usize = 6;

/// The columns of the table.
pub const COLUMNS: [&str; 7] = [
    "dim",
    "precision",
    "recall",
    "F1",
    "FP rate",
    "ROC AUC",
    "leaves",
];

/// What came of a row of Table 2.
pub struct RowResult {
    pub figures: [Option<f64>; COLUMNS.len()],
    /// What was learnt from all blocks, if it is short enough to be read.
    pub rules: String,
}

/// What a row of the table learnt.
enum Learnt {
    Shares(Vec<f64>),
    Rule(OneRule),
    Tree(Tree),
    Svm(Svm),
}

impl Learnt {
    fn distribution(&self, value: &dyn Fn(usize) -> f64) -> Vec<f64> {
        match self {
            Learnt::Shares(shares) => shares.clone(),
            Learnt::Rule(rule) => rule.distribution(value),
            Learnt::Tree(tree) => tree.distribution(value),
            Learnt::Svm(svm) => svm.distribution(value),
        }
    }

    fn leaves(&self) -> Option<f64> {
        match self {
            Learnt::Rule(rule) => Some(rule.classes.len() as f64),
            Learnt::Tree(tree) => Some(tree.num_leaves() as f64),
            Learnt::Shares(_) | Learnt::Svm(_) => None,
        }
    }
}

fn learn(
    learner: &Learner,
    instances: &Instances,
    rows: &[u32],
    settings: &Settings,
    way: &Way,
) -> Learnt {
    let mut random = SplitMix64::new(settings.seed);
    match learner {
        Learner::ZeroR => {
            let weights = instances.class_weights(rows);
            let total: f64 = weights.iter().sum();
            Learnt::Shares(weights.iter().map(|weight| weight / total).collect())
        }
        Learner::OneRule => {
            let features: Vec<usize> = (0..instances.features.len()).collect();
            let counted = match way.one_rule_counts {
                Counted::Words => None,
                Counted::Blocks => Some(Instances {
                    weights: vec![1.0; instances.len()],
                    ..instances.clone()
                }),
            };
            let counted = counted.as_ref().unwrap_or(instances);
            let rule = OneRule::best(counted, &features, rows, way.min_bucket);
            Learnt::Rule(rule.unwrap_or_default())
        }
        Learner::Tree => {
            let mut tree = trees::learn(instances, rows, &way.growth());
            if way.collapse {
                trees::collapse(&mut tree);
            }
            Learnt::Tree(tree)
        }
        Learner::PrunedTree => Learnt::Tree(pruned_tree(
            instances,
            rows,
            &way.growth(),
            settings.pruning_parts,
            &mut random,
        )),
        Learner::Svm => {
            let mut below = |bound| random.below(bound);
            Learnt::Svm(Svm::learn(instances, rows, &Solver::default(), &mut below))
        }
    }
}

/// Learns on all folds but one and tests on that, each in turn; the leaves and the rules are those of what is learnt from all.
pub fn cross_validate(
    row: &Row,
    all: &Instances,
    fold_of: &[usize],
    settings: &Settings,
    way: &Way,
) -> RowResult {
    let columns = match &row.looks_at {
        LooksAt::Nothing => Vec::new(),
        LooksAt::Selection(dimensions) => dimensions.columns(),
        LooksAt::Named(names) => {
            let place = |name: &&str| all.features.iter().position(|of| of == name);
            names.iter().filter_map(place).collect()
        }
    };
    let instances = all.with_features(&columns);
    let mut shares: Vec<Vec<f64>> = vec![Vec::new(); instances.len()];
    for fold in 0..settings.folds {
        let (test, train): (Vec<u32>, Vec<u32>) = instances
            .all_rows()
            .into_iter()
            .partition(|row| fold_of[*row as usize] == fold);
        let learnt = learn(&row.learner, &instances, &train, settings, way);
        for row in test {
            let value = |feature: usize| instances.columns[feature][row as usize];
            shares[row as usize] = learnt.distribution(&value);
        }
    }
    let of_all = learn(
        &row.learner,
        &instances,
        &instances.all_rows(),
        settings,
        way,
    );
    let mut figures = [None; COLUMNS.len()];
    figures[0] = Some(columns.len() as f64);
    for (place, rate) in figures[1..].iter_mut().zip(rates(&instances, &shares)) {
        *place = Some(100.0 * rate);
    }
    figures[COLUMNS.len() - 1] = of_all.leaves();
    RowResult {
        figures,
        rules: match of_all {
            Learnt::Tree(tree) if matches!(row.learner, Learner::PrunedTree) => tree.rules(),
            Learnt::Rule(rule) if rule.classes.len() <= READABLE => {
                rule.rules(&instances.features, &instances.classes)
            }
            _ => String::new(),
        },
    }
}

/// Precision, recall, F1, false positive rate and area under the ROC curve: of each class against the rest, then the mean by the
/// weights of the classes (Weka's "Weighted Avg."). The verdict is the class with the greatest share.
fn rates(instances: &Instances, shares: &[Vec<f64>]) -> [f64; 5] {
    let count = instances.classes.len();
    // By class and verdict.
    let mut confusion = vec![vec![0.0; count]; count];
    for (row, shares) in shares.iter().enumerate() {
        let mut verdict = 0;
        for (class, share) in shares.iter().enumerate() {
            if *share > shares[verdict] {
                verdict = class;
            }
        }
        confusion[usize::from(instances.class_of[row])][verdict] += instances.weights[row];
    }
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let total: f64 = confusion.iter().flatten().sum();
    let mut means = [0.0; 5];
    for class in 0..count {
        let of_class: f64 = confusion[class].iter().sum();
        let taken: f64 = confusion.iter().map(|row| row[class]).sum();
        let right = confusion[class][class];
        let scored = shares.iter().enumerate().map(|(row, shares)| {
            let is_class = usize::from(instances.class_of[row]) == class;
            (shares[class], is_class, instances.weights[row] as u64)
        });
        let rates = [
            share(right, taken),
            share(right, of_class),
            share(2.0 * right, of_class + taken),
            share(taken - right, total - of_class),
            area_under_curve(scored),
        ];
        for (mean, rate) in means.iter_mut().zip(rates) {
            *mean += rate * share(of_class, total);
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three classes by hand: rows of weight 1 to 4, verdicts x, x, y, y.
    #[test]
    fn weighted_means() {
        let instances = Instances {
            classes: vec!["x".to_owned(), "y".to_owned(), "z".to_owned()],
            class_of: vec![0, 1, 1, 2],
            weights: vec![1.0, 2.0, 3.0, 4.0],
            ..Instances::default()
        };
        let shares = [
            vec![0.5, 0.3, 0.2],
            vec![0.6, 0.4, 0.0],
            vec![0.1, 0.7, 0.2],
            vec![0.0, 0.9, 0.1],
        ];
        let found = rates(&instances, &shares);
        // Of x: precision 1/3, recall 1, F1 2/4, false positives 2/9, area 7/9. Of y: 3/7, 3/5, 6/12, 4/5; the pairs
        // 2 > 1, 3 > 1 are right and none with z: 5/25. Of z, which nobody is given: area: of the pairs with 4, 2 are below: 8/24.
        let expected = [
            0.1 / 3.0 + 0.5 * 3.0 / 7.0,
            0.1 + 0.5 * 0.6,
            0.1 * 0.5 + 0.5 * 0.5,
            0.1 * 2.0 / 9.0 + 0.5 * 0.8,
            0.1 * 7.0 / 9.0 + 0.5 * 0.2 + 0.4 * 8.0 / 24.0,
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
