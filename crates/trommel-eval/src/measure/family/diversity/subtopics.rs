//! Which subtopics documents are relevant to.

use crate::measure::ranking::Ranking;

/// Which subtopics the documents are relevant to, by number.
pub(super) struct Subtopics {
    /// By rank.
    pub(super) ranked: Vec<Vec<usize>>,
    /// Of the judged documents that are relevant to any, by docid descending.
    pub(super) judged: Vec<Vec<usize>>,
    /// By subtopic, how many documents are relevant to it.
    pub(super) sizes: Vec<usize>,
}

impl Subtopics {
    /// What a ranking knows of subtopics; where judgments have none, the topic is the one.
    pub(super) fn of(ranking: &Ranking) -> Self {
        let Some(groups) = &ranking.groups else {
            let relevant = |grade: &Option<i32>| match ranking.is_relevant(*grade) {
                true => vec![0],
                false => Vec::new(),
            };
            return Subtopics {
                ranked: ranking.grades.iter().map(relevant).collect(),
                judged: vec![vec![0]; ranking.num_rel],
                sizes: vec![ranking.num_rel],
            };
        };
        let relevant = |grades: &[Option<i32>]| -> Vec<usize> {
            let found = grades.iter().enumerate();
            found
                .filter(|(_, grade)| ranking.is_relevant(**grade))
                .map(|(group, _)| group)
                .collect()
        };
        let is_seen = |grades: &&Vec<Option<i32>>| {
            !ranking.judged_only || grades.iter().flatten().any(|grade| *grade >= 0)
        };
        let ranked = groups.ranked.iter().filter(is_seen);
        let mut judged: Vec<Vec<usize>> = groups.judged.iter().map(|it| relevant(it)).collect();
        judged.retain(|subtopics| !subtopics.is_empty());
        let mut sizes = vec![0; groups.rankings.len()];
        for size in judged.iter().flatten() {
            if let Some(size) = sizes.get_mut(*size) {
                *size += 1;
            }
        }
        Subtopics {
            ranked: ranked.map(|it| relevant(it)).collect(),
            judged,
            sizes,
        }
    }

    /// How many subtopics some document is relevant to.
    pub(super) fn num(&self) -> usize {
        self.sizes.iter().filter(|size| **size > 0).count()
    }
}
