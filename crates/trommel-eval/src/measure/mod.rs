//! Evaluation of runs against relevance judgments, with trec_eval's semantics.
//!
//! [`all`] lists the measures, one row a family; [`Selection::parse`] reads their names as ir_measures
//! (`nDCG@10`) or as trec_eval (`ndcg_cut_10`, `P.5,10`, `official`) spells them; [`evaluate()`] scores a
//! run; [`trec_eval_format`] prints what trec_eval 10 prints.
//!
//! A topic's documents are ranked by score descending, then by document id descending; ranks in the
//! file play no part. Averages are over the topics that are in both run and qrels, or over all judged
//! topics with [`Options::complete`].

mod agreement;
mod cross_validation;
mod error;
mod evaluate;
mod family;
mod format;
mod options;
mod parse;
mod ranking;
pub mod significance;

use std::fmt;

pub use agreement::{Examples, Mismatch, documents_agree, topics_agree};
pub use cross_validation::{CrossValidated, Fold, cross_validate, cross_validated_p, deal};
pub use error::MeasureError;
pub use evaluate::{Evaluation, TopicScores, evaluate};
pub use family::{Aggregate, Family, Parameter, ParameterKind, all};
pub use format::{FormatOptions, trec_eval_format};
pub use options::Options;
pub use parse::Selection;
pub use ranking::Ranking;

/// A measure that can be computed: a family and its parameter, such as P and 10.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    family: &'static Family,
    parameter: Parameter,
}

impl Measure {
    /// Joins a family and a parameter, where they fit: a cutoff of at least 1 for families with a
    /// cutoff, a number in the family's range for those with a number, nothing for the others.
    pub fn new(family: &'static Family, parameter: Parameter) -> Option<Self> {
        let fits = match (family.kind, parameter) {
            (ParameterKind::None, Parameter::None) => true,
            (ParameterKind::Cutoff { .. }, Parameter::Cutoff(k)) => k > 0,
            (ParameterKind::Number { max, .. }, Parameter::Number(x)) => (0.0..=max).contains(&x),
            _ => false,
        };
        fits.then_some(Measure { family, parameter })
    }

    /// The family, a row of [`all`].
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// The parameter.
    pub fn parameter(&self) -> Parameter {
        self.parameter
    }

    /// The value for one topic.
    pub fn score(&self, ranking: &Ranking) -> f64 {
        (self.family.score)(ranking, self.parameter)
    }

    /// The name that trec_eval prints; for measures that trec_eval lacks, our own.
    pub fn trec_name(&self) -> String {
        let Some(root) = self.family.trec_name else {
            return self.to_string();
        };
        match (self.family.kind, self.parameter) {
            (_, Parameter::None) => root.to_owned(),
            (_, Parameter::Cutoff(k)) => format!("{root}_{k}"),
            (ParameterKind::Number { key: None, .. }, Parameter::Number(x)) => {
                format!("{root}_{x:.2}")
            }
            (ParameterKind::Number { trec_default, .. }, Parameter::Number(x))
                if trec_default.contains(&x) =>
            {
                root.to_owned()
            }
            (ParameterKind::Number { trec_prefix, .. }, Parameter::Number(x)) => {
                format!("{root}_{trec_prefix}{x}")
            }
            (_, Parameter::Number(x)) => format!("{root}_{x}"),
        }
    }

    /// Position in trec_eval's order of printing: the family's row, then the parameter.
    fn printing_order(&self) -> (usize, f64) {
        let row = all()
            .iter()
            .position(|family| std::ptr::eq(family, self.family));
        (row.unwrap_or(usize::MAX), self.parameter.number())
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.family, other.family) && self.parameter == other.parameter
    }
}

/// The name as ir_measures prints it; for measures that it lacks, in the same style.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.family.name;
        match (self.family.kind, self.parameter) {
            (_, Parameter::None) => f.write_str(name),
            (_, Parameter::Cutoff(k)) => write!(f, "{name}@{k}"),
            (
                ParameterKind::Number {
                    key: Some(key),
                    default,
                    ..
                },
                Parameter::Number(x),
            ) => match default == Some(x) {
                true => f.write_str(name),
                false => write!(f, "{name}({key}={x:?})"),
            },
            (_, Parameter::Number(x)) => write!(f, "{name}@{x:?}"),
        }
    }
}
