//! The row of the table: a family of measures, and the parameters that tell its members apart.

use crate::measure::parameters::{Constant, Key, Parameters};
use crate::measure::ranking::Ranking;

/// A family of measures that differ in their parameters only. One row of [`crate::measure::all`].
#[derive(Debug)]
pub struct Family {
    /// Name as ir_measures prints it, without parameters; trec_eval's or our own where it has none.
    pub name: &'static str,
    /// Other spellings of the name that are read.
    pub aliases: &'static [&'static str],
    /// Parameters that are the same for all measures of the family, as they are written, such as `("dcg", "'exp-log2'")`.
    pub fixed: &'static [Fixed],
    /// Names that stand for the name with its fixed parameters.
    pub short: &'static [&'static str],
    /// The keys that may be given.
    pub keys: &'static [Key],
    /// The key that is written after `@`.
    pub at: &'static str,
    /// trec_eval's name without parameters; none for measures that it lacks.
    pub trec_name: Option<&'static str>,
    /// How trec_eval writes parameters.
    pub trec: Trec,
    /// ndeval's name without parameters; none for measures that it lacks.
    pub ndeval: Option<&'static str>,
    /// The value for one topic. Never NaN.
    pub score: fn(&Ranking, &Parameters) -> f64,
    /// What is printed for a topic instead of a value.
    pub text: Option<fn(&Ranking, &Parameters) -> String>,
    /// How a run's value comes from its topics' values.
    pub aggregate: Aggregate,
    /// Whether values are counts, printed without decimals.
    pub integer: bool,
    /// Whether trec_eval prints the values of single topics.
    pub per_topic: bool,
    /// The highest grade that the definition allows.
    pub max_grade: Option<i32>,
    /// What it needs to know besides the grades of the ranking.
    pub needs: Needs,
}

/// A parameter that is the same for all measures of a family.
#[derive(Debug)]
pub struct Fixed {
    /// Its key.
    pub key: &'static str,
    /// Its value, without quotation marks.
    pub value: &'static str,
    /// Whether it must be written, because another family has the name too.
    pub written: bool,
}

/// How trec_eval writes parameters of a family.
#[derive(Debug)]
pub enum Trec {
    /// It has none.
    None,
    /// Each value of a key is a measure of its own: `P.5,10`, printed `P_5` and `P_10`.
    Each {
        /// The key.
        key: &'static str,
        /// The values of a bare name.
        defaults: &'static [f64],
    },
    /// All that is written is the value of a key: `utility.1,-1,0,0`, printed `utility_1,-1,0,0`.
    Whole {
        /// The key.
        key: &'static str,
        /// What stands before the value.
        prefix: &'static str,
        /// The value of a bare name; none where the measure does without.
        default: Option<Constant>,
    },
}

/// What a measure needs to know besides the grades of the documents in the ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Grades,
    /// Judgments by subtopic, or by group of users: the second column of judgments.
    Groups,
    /// Preferences between documents.
    Preferences,
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
    /// Arithmetic mean over the topics of which a relevant and another document were retrieved.
    MeanOfPairs,
    /// There is no value: see [`Family::text`].
    Text,
}
