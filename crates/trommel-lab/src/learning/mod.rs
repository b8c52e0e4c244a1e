//! How classifiers are learnt from rows of numbers with classes and weights: rules on one feature, decision trees, boosted trees,
//! linear separators, networks over sequences. Pure: knows nothing of pages. Trees, boosted trees and networks are those of
//! [`trommel_extract::classifier`], which says how they are used.
//!
//! The learners of rules, trees and separators are those that WSDM 2010 used through Weka (§4.3.1). None of the maintained Rust
//! crates has a gain ratio and reduced-error pruning, so they are written out here, and held to the results of Weka and
//! scikit-learn in their tests.

pub mod boosting;
pub mod crf;
pub mod discretize;
mod instances;
pub mod network;
pub mod one_rule;
pub mod standardize;
pub mod svm;
#[cfg(test)]
mod tests;
pub mod tree;

pub use instances::{Classifier, Instances, entropy};
