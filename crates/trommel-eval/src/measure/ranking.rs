//! One topic's ranking as the measures see it.

use std::collections::BTreeMap;

use super::options::Options;
use super::preferences::Preferred;
use crate::trec::ScoredDoc;
use crate::trec::run::rank_order;

/// The judged grades of one topic's documents, in rank order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ranking {
    /// By rank: the grade, or none where the document is not in the qrels.
    pub grades: Vec<Option<i32>>,
    /// Grades of all judged documents of the topic, retrieved or not, descending.
    pub judged: Vec<i32>,
    /// A document is relevant if its grade is at least this; never below 0, because grades below 0
    /// mean pooled but not judged (as in trec_eval).
    pub level: i32,
    /// Whether documents that are not judged were dropped.
    pub judged_only: bool,
    /// Number of relevant documents of the topic, retrieved or not.
    pub num_rel: usize,
    /// Number of judged documents with a grade from 0 that are not relevant, retrieved or not.
    pub num_nonrel: usize,
    /// Number of relevant documents in the ranking.
    pub num_rel_ret: usize,
    /// Number of documents in the collection, 0 if it was not told.
    pub num_docs: usize,
    /// Judgments by group, where a measure needs them and there are any.
    pub groups: Option<Box<Groups>>,
    /// Preferences that the ranking keeps to, where a measure needs them.
    pub preferences: Option<Box<Preferred>>,
}

impl Ranking {
    /// Ranks `docs`, keeps the first [`Options::max_docs`] of them, and drops the unjudged ones of
    /// these if [`Options::judged_only`].
    pub fn new(judgments: &BTreeMap<String, i32>, docs: &[ScoredDoc], options: &Options) -> Self {
        Ranking::of_docids(judgments, &ranked(docs, options), options)
    }

    /// A ranking of these docids, already cut to [`Options::max_docs`].
    pub(super) fn of_docids(
        judgments: &BTreeMap<String, i32>,
        docids: &[&str],
        options: &Options,
    ) -> Self {
        let grades = docids.iter().map(|docid| judgments.get(*docid).copied());
        let mut judged: Vec<i32> = judgments.values().copied().collect();
        judged.sort_unstable_by(|a, b| b.cmp(a));
        Ranking::of_grades(grades.collect(), judged, options)
    }

    /// A ranking of documents whose grades are known: `grades` by rank (none where a document is not in the qrels), already cut
    /// to [`Options::max_docs`]; `judged` those of all judged documents, descending.
    pub fn of_grades(grades: Vec<Option<i32>>, judged: Vec<i32>, options: &Options) -> Self {
        let (level, num_docs) = (options.relevance_level, options.num_docs);
        let mut ranking = Ranking::of_all(grades, judged, level, num_docs);
        if options.judged_only {
            ranking.drop_unjudged();
        }
        ranking
    }

    /// A ranking from which nothing is dropped.
    pub(super) fn of_all(
        grades: Vec<Option<i32>>,
        judged: Vec<i32>,
        level: i32,
        num_docs: usize,
    ) -> Self {
        let mut ranking = Ranking {
            grades,
            judged,
            level: 0,
            judged_only: false,
            num_rel: 0,
            num_nonrel: 0,
            num_rel_ret: 0,
            num_docs,
            groups: None,
            preferences: None,
        };
        ranking.set_level(level);
        ranking
    }

    /// The same with another relevance level, and without the documents that are not judged if that is asked for.
    pub(super) fn at(&self, level: i32, judged_only: bool) -> Self {
        let mut ranking = self.clone();
        if judged_only && !self.judged_only {
            ranking.drop_unjudged();
        }
        ranking.set_level(level);
        ranking
    }

    fn drop_unjudged(&mut self) {
        self.grades
            .retain(|grade| grade.is_some_and(|grade| grade >= 0));
        self.judged_only = true;
    }

    fn set_level(&mut self, level: i32) {
        let level = level.max(0);
        let judged = self.judged.iter();
        self.num_rel = judged.filter(|&&grade| grade >= level).count();
        let below = self
            .judged
            .iter()
            .filter(|grade| (0..level).contains(*grade));
        self.num_nonrel = below.count();
        self.level = level;
        self.num_rel_ret = self.relevant_in(usize::MAX);
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

/// Judgments of a topic by group: subtopics of the web tracks, or groups of users.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// By group, the ranking with the grades that the group gives. Nothing is dropped from it.
    pub rankings: Vec<Ranking>,
    /// By rank, the grade that each group gives the document.
    pub ranked: Vec<Vec<Option<i32>>>,
    /// The same of all judged documents, retrieved or not, by docid descending.
    pub judged: Vec<Vec<Option<i32>>>,
}

/// The docids of a topic in rank order, the first [`Options::max_docs`] of them.
pub(super) fn ranked<'a>(docs: &'a [ScoredDoc], options: &Options) -> Vec<&'a str> {
    let mut docs: Vec<&ScoredDoc> = docs.iter().collect();
    docs.sort_by(|a, b| rank_order(a, b));
    docs.truncate(options.max_docs.unwrap_or(usize::MAX));
    docs.into_iter().map(|doc| doc.docid.as_str()).collect()
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
