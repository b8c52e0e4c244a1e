//! 1R (Holte, *Very Simple Classification Rules Perform Well on Most Commonly Used Datasets*, Machine Learning 11, 1993): the
//! values of one feature in intervals, each with the class that most of it has.
//!
//! Values are gone through in ascending order; an interval is closed as soon as one class in it weighs at least `min_bucket`
//! and the next value has another class in most of it. Neighbours with the same class are one then. Rows count by their
//! weight (in Weka's 1R, which knows none, each is one).

use serde::{Deserialize, Serialize};
use trommel_extract::classifier::greatest;

use super::{Classifier, Instances};

/// Intervals of one feature.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OneRule {
    /// The feature.
    pub feature: usize,
    /// Where intervals end, ascending; one less than there are classes. A value that equals a bound lies below it.
    pub bounds: Vec<f64>,
    /// For each interval its class.
    pub classes: Vec<usize>,
    /// For each interval the weights of the classes in training.
    pub weights: Vec<Vec<f64>>,
}

impl OneRule {
    /// Learns the intervals of a feature.
    pub fn learn(instances: &Instances, feature: usize, rows: &[u32], min_bucket: f64) -> OneRule {
        let values = &instances.columns[feature];
        let mut rows = rows.to_vec();
        rows.sort_by(|a, b| values[*a as usize].total_cmp(&values[*b as usize]));
        // Rows of one value, with the bound that ends them.
        let groups: Vec<(f64, Vec<f64>)> = rows
            .chunk_by(|a, b| values[*a as usize] == values[*b as usize])
            .map(|same| (values[same[0] as usize], instances.class_weights(same)))
            .collect();
        let mut rule = OneRule {
            feature,
            ..OneRule::default()
        };
        let mut bucket = vec![0.0; instances.classes.len()];
        for (place, (value, weights)) in groups.iter().enumerate() {
            for (sum, weight) in bucket.iter_mut().zip(weights) {
                *sum += weight;
            }
            let class = greatest(&bucket);
            let Some((next, next_weights)) = groups.get(place + 1) else {
                rule.close(&mut bucket, None);
                break;
            };
            if bucket[class] >= min_bucket && greatest(next_weights) != class {
                rule.close(&mut bucket, Some((value + next) / 2.0));
            }
        }
        rule
    }

    /// Ends an interval.
    fn close(&mut self, bucket: &mut [f64], bound: Option<f64>) {
        let class = greatest(bucket);
        match (self.classes.last(), self.weights.last_mut()) {
            (Some(last), Some(before)) if *last == class => {
                self.bounds.pop();
                for (sum, weight) in before.iter_mut().zip(&*bucket) {
                    *sum += weight;
                }
            }
            _ => {
                self.classes.push(class);
                self.weights.push(bucket.to_vec());
            }
        }
        self.bounds.extend(bound);
        bucket.fill(0.0);
    }

    /// Learns the feature, of those given, whose intervals make the least error; the first of several.
    pub fn best(
        instances: &Instances,
        features: &[usize],
        rows: &[u32],
        min_bucket: f64,
    ) -> Option<OneRule> {
        let rules = features
            .iter()
            .map(|&feature| OneRule::learn(instances, feature, rows, min_bucket));
        rules.min_by(|a, b| a.error().total_cmp(&b.error()))
    }

    /// The weight of the rows that have another class than their interval, in training.
    pub fn error(&self) -> f64 {
        let intervals = self.weights.iter().zip(&self.classes);
        intervals
            .map(|(weights, class)| weights.iter().sum::<f64>() - weights[*class])
            .sum()
    }
}

impl OneRule {
    /// The intervals, a line each: `name <= bound: CLASS`, the last one `name > bound: CLASS`.
    pub fn rules(&self, features: &[String], classes: &[String]) -> String {
        let name = features.get(self.feature).map_or("", String::as_str);
        let bounds = self.bounds.iter().map(|bound| format!("{name} <= {bound}"));
        let last = match self.bounds.last() {
            Some(bound) => format!("{name} > {bound}"),
            None => name.to_owned(),
        };
        let intervals = bounds.chain([last]).zip(&self.classes);
        let line = |(condition, class): (String, &usize)| {
            let class = classes.get(*class).map(|class| class.to_uppercase());
            format!("{condition}: {}\n", class.unwrap_or_default())
        };
        intervals.map(line).collect()
    }
}

impl Classifier for OneRule {
    /// Weka's: all to the class of the interval.
    fn distribution(&self, value: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let value = value(self.feature);
        let interval = self.bounds.partition_point(|bound| *bound < value);
        let mut shares = vec![0.0; self.weights.first().map_or(0, Vec::len)];
        if let Some(class) = self.classes.get(interval) {
            shares[*class] = 1.0;
        }
        shares
    }
}
