//! Runs compared with a baseline, topic by topic.

use std::path::Path;

use crate::measure::significance::{self, Comparison, Corrected, Test, compare, corrected};
use crate::measure::{CrossValidated, Evaluation, Measure, cross_validate, cross_validated_p};

/// How runs are compared.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CompareOptions {
    /// The paired test.
    pub test: Test,
    /// Folds of a choice among the runs by cross-validation; none is made without.
    pub folds: Option<usize>,
    /// Seed of random signs and folds.
    pub seed: u64,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions {
            test: significance::all()[0],
            folds: None,
            seed: 2010,
        }
    }
}

/// A run that is compared.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRun<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its file.
    pub path: &'a Path,
    /// Its scores; all runs have the same topics.
    pub evaluation: &'a Evaluation,
}

impl ComparedRun<'_> {
    fn scores(&self, measure: usize) -> Vec<f64> {
        let topics = self.evaluation.topics.iter();
        topics.map(|topic| topic.scores[measure]).collect()
    }
}

/// All runs by one measure.
#[derive(Debug, Clone)]
pub struct Compared<'a> {
    /// The measure.
    pub measure: &'a Measure,
    /// What the others are compared with.
    pub baseline: &'a ComparedRun<'a>,
    /// Each run with its comparison and the p-value corrected for all of them.
    pub runs: Vec<(&'a ComparedRun<'a>, Comparison, Corrected)>,
    /// What was chosen by cross-validation, compared with the baseline; p is that of the whole procedure.
    pub chosen: Option<(CrossValidated, Comparison)>,
}

impl<'a> Compared<'a> {
    /// Compares runs by the measure number `at` of their evaluations.
    pub fn new(
        measure: &'a Measure,
        at: usize,
        baseline: &'a ComparedRun<'a>,
        systems: &'a [ComparedRun<'a>],
        options: &CompareOptions,
    ) -> Self {
        let base = baseline.scores(at);
        let scores: Vec<Vec<f64>> = systems.iter().map(|system| system.scores(at)).collect();
        let compare = |scores: &Vec<f64>| compare(&base, scores, &options.test, options.seed);
        let comparisons: Vec<Comparison> = scores.iter().map(compare).collect();
        let tested: Vec<(usize, f64)> = comparisons.iter().map(|c| (at, c.p)).collect();
        let chosen = options.folds.map(|folds| {
            let candidates: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
            let chosen = cross_validate(&candidates, folds, options.seed);
            let comparison = Comparison {
                // A plain test takes the choices for given, and so does a plain interval.
                p: cross_validated_p(&base, &candidates, folds, options.seed),
                interval: [f64::NEG_INFINITY, f64::INFINITY],
                ..compare(&chosen.scores)
            };
            (chosen, comparison)
        });
        let runs = systems.iter().zip(comparisons).zip(corrected(&tested));
        Compared {
            measure,
            baseline,
            runs: runs.map(|((run, c), holm)| (run, c, holm)).collect(),
            chosen,
        }
    }
}
