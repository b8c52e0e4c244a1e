//! The two decision trees of WSDM 2010 under one name, for extractors that go on from either.

use std::str::FromStr;

use super::{Document, density_rules_classifier, num_words_rules_classifier};
use crate::Parameter;

/// A decision tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// Algorithm 1.
    Density,
    /// Algorithm 2.
    NumWords,
}

/// The parameter that names it. The paper's §4.3.2 does not say which classifier it ran before; the default is Algorithm 1's.
pub const PARAMETER: Parameter = Parameter {
    name: "base",
    default: "boilerpipe-density",
    summary: "the decision tree before: boilerpipe-density or boilerpipe-numwords",
};

impl FromStr for Tree {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "boilerpipe-density" => Ok(Tree::Density),
            "boilerpipe-numwords" => Ok(Tree::NumWords),
            _ => Err("there are boilerpipe-density and boilerpipe-numwords"),
        }
    }
}

pub fn apply(document: &mut Document, tree: Tree) {
    match tree {
        Tree::Density => density_rules_classifier::apply(document),
        Tree::NumWords => num_words_rules_classifier::apply(document),
    }
}
