//! 1R on the text density, as WSDM 2010 §4.3.1 uses it: [`learning::one_rule`] on blocks that count their words.
//!
//! Densities are rounded first: the printed split of 10.5 lies between whole numbers, and so do all densities in the paper's
//! trees.

use serde::Serialize;

use crate::learning::{self, Instances};

/// Words that a partition but the last needs of its majority class: as in the leaves of the paper's trees.
const MIN_BUCKET: f64 = 1000.0;

/// The rule.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct OneRule {
    /// Where the partitions meet, ascending: midway between two rounded densities.
    pub splits: Vec<f64>,
    /// For each partition, by ascending density, whether it is content.
    pub content: Vec<bool>,
    /// Share of the words that stand in blocks of which the rule is right.
    pub accuracy: f64,
    /// The one threshold that errs least: blocks above are content.
    pub best_split: f64,
    /// Share of the words that it gets right.
    pub best_accuracy: f64,
}

/// The rule of the words in content blocks and in others by value, the value 0 first. None without words of either class.
pub(super) fn one_rule(values: &[[u64; 2]]) -> Option<OneRule> {
    let all = values
        .iter()
        .fold([0, 0], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
    if all[0] == 0 || all[1] == 0 {
        return None;
    }
    let words = (all[0] + all[1]) as f64;
    let instances = instances(values);
    let learnt =
        learning::one_rule::OneRule::learn(&instances, 0, &instances.all_rows(), MIN_BUCKET);
    // All content, then one value after the other not.
    let mut right = all[0];
    let mut best = (right, -0.5);
    for (value, of_value) in values.iter().enumerate() {
        right = right - of_value[0] + of_value[1];
        if right > best.0 {
            best = (right, value as f64 + 0.5);
        }
    }
    Some(OneRule {
        accuracy: (words - learnt.error()) / words,
        content: learnt.classes.iter().map(|class| *class == 0).collect(),
        splits: learnt.bounds,
        best_split: best.1,
        best_accuracy: best.0 as f64 / words,
    })
}

/// A row for each value and class that has words; they are its weight.
fn instances(values: &[[u64; 2]]) -> Instances {
    let mut instances = Instances {
        features: vec!["text density".to_owned()],
        classes: vec!["content".to_owned(), "boilerplate".to_owned()],
        columns: vec![Vec::new()],
        ..Instances::default()
    };
    for (value, of_value) in values.iter().enumerate() {
        for (class, words) in (0..).zip(of_value).filter(|(_, words)| **words > 0) {
            instances.columns[0].push(value as f64);
            instances.class_of.push(class);
            instances.weights.push(*words as f64);
        }
    }
    instances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hundreds of words of content and of other blocks.
    fn values(of: &[(u64, u64)]) -> Vec<[u64; 2]> {
        let hundreds = |&(content, other): &(u64, u64)| [100 * content, 100 * other];
        of.iter().map(hundreds).collect()
    }

    #[test]
    fn one_split() {
        let rule = one_rule(&values(&[(0, 0), (1, 20), (2, 9), (0, 0), (7, 3), (9, 0)])).unwrap();
        assert_eq!(rule.splits, [3.0]);
        assert_eq!(rule.content, [false, true]);
        assert_eq!(rule.accuracy, 45.0 / 51.0);
        assert_eq!((rule.best_split, rule.best_accuracy), (2.5, 45.0 / 51.0));
    }

    /// Holte's rule against overfitting: values with few words join their neighbours.
    #[test]
    fn small_partitions_are_joined() {
        let rule = one_rule(&values(&[(0, 11), (3, 0), (0, 9), (12, 0), (0, 5), (9, 1)])).unwrap();
        // A partition of 1,100 words of others. 300 of content are too few for one, and with the 900 behind them too few of
        // others; 1,200 more make it content. So is the last, which joins it.
        assert_eq!(rule.splits, [0.5]);
        assert_eq!(rule.content, [false, true]);
        assert_eq!(rule.accuracy, 35.0 / 50.0);
    }

    #[test]
    fn one_class_has_no_rule() {
        assert_eq!(one_rule(&values(&[(0, 9), (0, 3)])), None);
        assert_eq!(one_rule(&[]), None);
    }
}
