//! One topic's ranking as the measures see it.

use std::collections::BTreeMap;

use super::options::Options;
use crate::trec::ScoredDoc;
use crate::trec::run::rank_order;

/// The judged grades of one topic's documents, in rank order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// By rank: the grade, or none where the document is not in the qrels.
    pub grades: Vec<Option<i32>>,
    /// Grades of all judged documents of the topic, retrieved or not, descending.
    pub judged: Vec<i32>,
    /// A document is relevant if its grade is at least this; never below 0, because grades below 0
    /// mean pooled but not judged (as in trec_eval).
    pub level: i32,
    /// Number of relevant documents of the topic, retrieved or not.
    pub num_rel: usize,
    /// Number of judged documents with a grade from 0 that are not relevant, retrieved or not.
    pub num_nonrel: usize,
    /// Number of relevant documents in the ranking.
    pub num_rel_ret: usize,
}

impl Ranking {
    /// Ranks `docs`, keeps the first [`Options::max_docs`] of them, and drops the unjudged ones of
    /// these if [`Options::judged_only`].
    pub fn new(judgments: &BTreeMap<String, i32>, docs: &[ScoredDoc], options: &Options) -> Self {
        let mut docs: Vec<&ScoredDoc> = docs.iter().collect();
        docs.sort_by(|a, b| rank_order(a, b));
        docs.truncate(options.max_docs.unwrap_or(usize::MAX));
        let grades = docs.iter().map(|doc| judgments.get(&doc.docid).copied());
        let mut judged: Vec<i32> = judgments.values().copied().collect();
        judged.sort_unstable_by(|a, b| b.cmp(a));
        Ranking::of_grades(grades.collect(), judged, options)
    }

    /// A ranking of documents whose grades are known: `grades` by rank (none where a document is not in the qrels), already cut
    /// to [`Options::max_docs`]; `judged` those of all judged documents, descending.
    pub fn of_grades(mut grades: Vec<Option<i32>>, judged: Vec<i32>, options: &Options) -> Self {
        if options.judged_only {
            grades.retain(|grade| grade.is_some_and(|grade| grade >= 0));
        }
        let level = options.relevance_level.max(0);
        let num_rel = judged.iter().filter(|&&grade| grade >= level).count();
        let num_nonrel = judged
            .iter()
            .filter(|&&grade| (0..level).contains(&grade))
            .count();
        let mut ranking = Ranking {
            grades,
            judged,
            level,
            num_rel,
            num_nonrel,
            num_rel_ret: 0,
        };
        ranking.num_rel_ret = ranking.relevant_in(usize::MAX);
        ranking
    }

    /// Number of documents in the ranking.
    pub fn num_ret(&self) -> usize {
        self.grades.len()
    }

    /// The grades of the first `k` documents, or of all if there are fewer.
    pub fn top(&self, k: usize) -> &[Option<i32>] {
        self.grades.get(..k).unwrap_or(&self.grades)
    }

    /// Whether a document of this grade is relevant.
    pub fn is_relevant(&self, grade: Option<i32>) -> bool {
        grade.is_some_and(|grade| grade >= self.level)
    }

    /// Number of relevant documents among the first `k`.
    pub fn relevant_in(&self, k: usize) -> usize {
        self.top(k)
            .iter()
            .filter(|&&grade| self.is_relevant(grade))
            .count()
    }

    /// Ranks (from 1) of the relevant documents, ascending.
    pub fn relevant_ranks(&self) -> impl Iterator<Item = usize> {
        self.grades
            .iter()
            .enumerate()
            .filter(|&(_, &grade)| self.is_relevant(grade))
            .map(|(index, _)| index + 1)
    }
}

/// True for grades that trec_eval takes for unjudged: not in the qrels, or there with a grade below 0.
pub(super) fn is_unjudged(grade: Option<i32>) -> bool {
    grade.is_none_or(|grade| grade < 0)
}

/// `part / whole`, 0 where the whole is 0.
pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 0.0,
        _ => part as f64 / whole as f64,
    }
}

/// Sum from 0. (`Iterator::sum` of no numbers is -0, which prints as such.)
pub(super) fn sum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}
