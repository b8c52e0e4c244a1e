//! Gains of grades, as trec_eval's `ndcg` and its relatives take them (`setup_gains` of its `gain_init.c`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// What a document gains by its grade.
pub(super) struct Gains<'a> {
    /// Grades with another gain than the grade itself.
    given: &'a [(i32, f64)],
    /// Whether the gain of other grades is 2^grade − 1.
    exponential: bool,
}

/// What trec_eval takes for the grade of a document that is not in the judgments, and of one that is there with a grade below 0.
const NOT_POOLED: i32 = -1;
const NOT_JUDGED: i32 = -2;

impl<'a> Gains<'a> {
    pub(super) fn new(parameters: &'a Parameters) -> Self {
        Gains {
            given: parameters.gains(),
            exponential: false,
        }
    }

    /// Gains of 2^grade − 1.
    pub(super) fn exponential() -> Self {
        Gains {
            given: &[],
            exponential: true,
        }
    }

    fn of(&self, grade: Option<i32>) -> f64 {
        let level = match grade {
            None => NOT_POOLED,
            Some(grade) if grade < 0 => NOT_JUDGED,
            Some(grade) => grade,
        };
        match self.given.iter().find(|(given, _)| *given == level) {
            Some((_, gain)) => *gain,
            None if level < 0 => 0.0,
            None if self.exponential => f64::from(level).exp2() - 1.0,
            None => f64::from(level),
        }
    }

    /// The gains by rank.
    pub(super) fn of_ranking(&self, ranking: &Ranking) -> Vec<f64> {
        ranking.grades.iter().map(|grade| self.of(*grade)).collect()
    }

    /// The gains above 0 of all judged documents, descending.
    pub(super) fn ideal(&self, ranking: &Ranking) -> Vec<f64> {
        let judged = ranking.judged.iter().filter(|grade| **grade >= 0);
        let mut gains: Vec<f64> = judged.map(|grade| self.of(Some(*grade))).collect();
        gains.retain(|gain| *gain > 0.0);
        // Grades are in descending order already, and so are their gains, unless some are given.
        if !self.given.is_empty() {
            gains.sort_by(|a, b| b.total_cmp(a));
        }
        gains
    }
}
