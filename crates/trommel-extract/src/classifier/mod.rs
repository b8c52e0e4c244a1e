//! Classifiers that are learnt from rows of numbers with classes and weights: rules on one feature, decision trees, linear
//! separators, and how well they do. Pure: knows nothing of pages.
//!
//! The learners are those that WSDM 2010 used through Weka (§4.3.1). None of the maintained Rust crates has a gain ratio and
//! reduced-error pruning, so they are written out here, and held to the results of Weka and scikit-learn in their tests.

pub mod boosting;
pub mod discretize;
pub mod network;
pub mod one_rule;
pub mod standardize;
pub mod svm;
pub mod tree;
pub mod viterbi;

/// What is learnt from: columns of values, and for each row a class and a weight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instances {
    /// Names of the features, one for each column.
    pub features: Vec<String>,
    /// Names of the classes.
    pub classes: Vec<String>,
    /// For each feature the values of all rows. No value is NaN.
    pub columns: Vec<Vec<f64>>,
    /// For each row the number of its class.
    pub class_of: Vec<u8>,
    /// For each row what it weighs, 0 or more.
    pub weights: Vec<f64>,
}

/// A classifier: from the values of a row to a share for each class, which add up to 1.
pub trait Classifier {
    /// The shares; `value` gives the value of the feature of a number.
    fn distribution(&self, value: &dyn Fn(usize) -> f64) -> Vec<f64>;
}

impl Instances {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// The same rows with some of the features only.
    pub fn with_features(&self, columns: &[usize]) -> Instances {
        Instances {
            features: columns
                .iter()
                .map(|&of| self.features[of].clone())
                .collect(),
            classes: self.classes.clone(),
            columns: columns.iter().map(|&of| self.columns[of].clone()).collect(),
            class_of: self.class_of.clone(),
            weights: self.weights.clone(),
        }
    }

    /// For each class the weight of its rows, of those given.
    pub fn class_weights(&self, rows: &[u32]) -> Vec<f64> {
        let mut sums = vec![0.0; self.classes.len()];
        for &row in rows {
            sums[usize::from(self.class_of[row as usize])] += self.weights[row as usize];
        }
        sums
    }

    /// The number of every row.
    pub fn all_rows(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }
}

/// The place of the greatest value, the first of several; 0 for none.
fn greatest(values: &[f64]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}

/// Entropy in bits of shares that weigh as given (Shannon 1948); 0 for nothing.
pub fn entropy(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let bits = weights
        .iter()
        .filter(|weight| **weight > 0.0)
        .map(|weight| -weight / total * (weight / total).log2());
    bits.sum()
}

#[cfg(test)]
mod tests;
