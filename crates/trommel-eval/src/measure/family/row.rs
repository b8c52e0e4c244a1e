//! The row of the table: a family of measures, and the parameter that tells its members apart.

use crate::measure::ranking::Ranking;

/// A family of measures that differ in their parameter only. One row of [`crate::measure::all`].
#[derive(Debug)]
pub struct Family {
    /// Name as ir_measures prints it, without the parameter; trec_eval's or our own where it has none.
    pub name: &'static str,
    /// Other spellings that are read.
    pub aliases: &'static [&'static str],
    /// trec_eval's name without the parameter; none for measures that it lacks.
    pub trec_name: Option<&'static str>,
    /// What parameter it takes.
    pub kind: ParameterKind,
    /// The value for one topic. Never NaN.
    pub score: fn(&Ranking, Parameter) -> f64,
    /// How a run's value comes from its topics' values.
    pub aggregate: Aggregate,
    /// Whether values are counts, printed without decimals.
    pub integer: bool,
    /// Whether trec_eval prints the values of single topics.
    pub per_topic: bool,
    /// The highest grade that the definition allows.
    pub max_grade: Option<i32>,
}

/// What parameter the measures of a family take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterKind {
    /// None.
    None,
    /// A rank cutoff, written `NAME@k`.
    Cutoff {
        /// trec_eval's default cutoffs.
        trec_defaults: &'static [usize],
    },
    /// A number in `0..=max`, written `NAME@x` or `NAME(key=x)`.
    Number {
        /// Key in ir_measures' style; none where the number is written after `@`.
        key: Option<&'static str>,
        /// The number when none is written in our (ir_measures') style; none if it must be written.
        default: Option<f64>,
        /// trec_eval's default numbers.
        trec_default: &'static [f64],
        /// What trec_eval writes before the number.
        trec_prefix: &'static str,
        /// Upper end of the range.
        max: f64,
    },
}

/// The parameter of one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter {
    /// None: the whole ranking counts.
    None,
    /// The first so many documents count.
    Cutoff(usize),
    /// A recall point, weight or persistence.
    Number(f64),
}

impl Parameter {
    /// The cutoff; without one, larger than any ranking.
    pub fn cutoff(self) -> usize {
        match self {
            Parameter::Cutoff(k) => k,
            Parameter::None | Parameter::Number(_) => usize::MAX,
        }
    }

    /// The parameter as a number; 0 without one.
    pub fn number(self) -> f64 {
        match self {
            Parameter::None => 0.0,
            Parameter::Cutoff(k) => k as f64,
            Parameter::Number(x) => x,
        }
    }
}

/// How a run's value comes from its topics' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// Arithmetic mean.
    Mean,
    /// Sum.
    Sum,
    /// Geometric mean of the values, each taken as at least 0.00001 (trec_eval's floor).
    GeometricMean,
    /// Sum; but over all judged topics it counts every grade above 0, whatever the relevance level:
    /// trec_eval's `num_rel` does so with `-c`.
    SumOfRelevant,
    /// Harmonic mean of the mean precision and the mean recall at the cutoff.
    F1OfMeans,
}
