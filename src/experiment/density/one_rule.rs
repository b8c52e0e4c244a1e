//! 1R on the text density: Holte, *Very Simple Classification Rules Perform Well on Most Commonly Used Datasets* (1993), as WSDM
//! 2010 §4.3.1 uses it.
//!
//! Densities are rounded first: the printed split of 10.5 lies between whole numbers, and so do all densities in the paper's
//! trees. Blocks count their words, as in the paper's scores.

use serde::Serialize;

/// Blocks that a partition but the last needs of its majority class; 6 in Holte's paper and in Weka.
pub const SMALL: u64 = 6;

/// Blocks of one value: content and boilerplate, each with number and words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Value {
    /// Number of content blocks and of others.
    pub blocks: [u64; 2],
    /// Their words.
    pub words: [u64; 2],
}

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

/// The rule of blocks by value, the value 0 first. None without blocks of either class.
pub(super) fn one_rule(values: &[Value]) -> Option<OneRule> {
    let all = values.iter().fold([0, 0], |sum, it| {
        [sum[0] + it.words[0], sum[1] + it.words[1]]
    });
    if all[0] == 0 || all[1] == 0 {
        return None;
    }
    let words = (all[0] + all[1]) as f64;
    let mut partitions: Vec<(usize, Value)> = Vec::new();
    let mut open: Option<(usize, Value)> = None;
    let seen = values.iter().enumerate();
    for (value, of_value) in seen.filter(|(_, it)| it.words != [0, 0]) {
        // A partition ends where it has enough of its class and the next value is of the other one.
        if let Some(done) = open.take_if(|(_, open)| {
            open.blocks[open.majority()] >= SMALL && of_value.majority() != open.majority()
        }) {
            partitions.push(done);
        }
        let (_, sum) = open.unwrap_or_default();
        open = Some((value, sum.plus(of_value)));
    }
    partitions.extend(open);
    let mut rule = OneRule::default();
    let mut right = 0;
    let mut before: Option<(usize, bool)> = None;
    for (last, partition) in &partitions {
        let is_content = partition.majority() == 0;
        right += partition.words[partition.majority()];
        match before {
            Some((end, class)) if class != is_content => {
                let next = values[end + 1..].iter().position(|it| it.words != [0, 0]);
                rule.splits
                    .push(end as f64 + (next.unwrap_or(0) + 1) as f64 / 2.0);
                rule.content.push(is_content);
            }
            None => rule.content.push(is_content),
            _ => {}
        }
        before = Some((*last, is_content));
    }
    rule.accuracy = right as f64 / words;
    // All content, then one value after the other not.
    let mut right = all[0];
    let mut best = (right, -0.5);
    for (value, of_value) in values.iter().enumerate() {
        right = right - of_value.words[0] + of_value.words[1];
        if right > best.0 {
            best = (right, value as f64 + 0.5);
        }
    }
    rule.best_split = best.1;
    rule.best_accuracy = best.0 as f64 / words;
    Some(rule)
}

impl Value {
    /// The class with more words; content of two alike.
    fn majority(&self) -> usize {
        usize::from(self.words[1] > self.words[0])
    }

    fn plus(&self, other: &Value) -> Value {
        let sum = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
        Value {
            blocks: sum(self.blocks, other.blocks),
            words: sum(self.words, other.words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &[(u64, u64)]) -> Vec<Value> {
        let value = |&(content, other): &(u64, u64)| Value {
            blocks: [content, other],
            words: [10 * content, 10 * other],
        };
        of.iter().map(value).collect()
    }

    #[test]
    fn one_split() {
        let rule = one_rule(&values(&[(0, 0), (1, 20), (2, 9), (0, 0), (7, 3), (9, 0)])).unwrap();
        assert_eq!(rule.splits, [3.0]);
        assert_eq!(rule.content, [false, true]);
        assert_eq!(rule.accuracy, 45.0 / 51.0);
        assert_eq!((rule.best_split, rule.best_accuracy), (2.5, 45.0 / 51.0));
    }

    /// Holte's rule against overfitting: values with few blocks join their neighbours.
    #[test]
    fn small_partitions_are_joined() {
        let rule = one_rule(&values(&[(0, 9), (3, 0), (0, 9), (8, 0), (0, 5), (9, 1)])).unwrap();
        // 9 others; 3 contents are too few to end their partition, which becomes one of others; then content to the end.
        assert_eq!(rule.splits, [2.5]);
        assert_eq!(rule.content, [false, true]);
        assert_eq!(rule.accuracy, 35.0 / 44.0);
    }

    #[test]
    fn one_class_has_no_rule() {
        assert_eq!(one_rule(&values(&[(0, 9), (0, 3)])), None);
        assert_eq!(one_rule(&[]), None);
    }
}
