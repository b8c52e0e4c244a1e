//! One topic's judgments by subtopic or by group of users, as the measures see them.

use std::collections::{BTreeMap, BTreeSet};

use super::ranking::{Groups, Ranking};

/// The groups of a topic, of docids by rank. Groups stand in the order of their numbers, if all are numbers, else of their names.
pub(super) fn groups_of(
    of_topic: &BTreeMap<String, BTreeMap<String, i32>>,
    docids: &[&str],
    level: i32,
    num_docs: usize,
) -> Groups {
    let mut groups: Vec<(Option<u64>, &BTreeMap<String, i32>)> = of_topic
        .iter()
        .map(|(id, judgments)| (id.parse().ok(), judgments))
        .collect();
    if groups.iter().all(|(number, _)| number.is_some()) {
        groups.sort_by_key(|(number, _)| *number);
    }
    let grades = |docid: &str| -> Vec<Option<i32>> {
        let grade = |(_, judgments): &(_, &BTreeMap<String, i32>)| judgments.get(docid).copied();
        groups.iter().map(grade).collect()
    };
    let all = groups.iter().flat_map(|(_, judgments)| judgments.keys());
    let all: BTreeSet<&str> = all.map(String::as_str).collect();
    let rankings = groups.iter().map(|(_, judgments)| {
        let by_rank = docids.iter().map(|docid| judgments.get(*docid).copied());
        let mut judged: Vec<i32> = judgments.values().copied().collect();
        judged.sort_unstable_by(|a, b| b.cmp(a));
        Ranking::of_all(by_rank.collect(), judged, level, num_docs)
    });
    Groups {
        rankings: rankings.collect(),
        ranked: docids.iter().map(|docid| grades(docid)).collect(),
        judged: all.into_iter().rev().map(grades).collect(),
    }
}

/// Mean over the groups of judgments; the value of the ranking itself where there are none.
pub(super) fn mean(ranking: &Ranking, score: impl Fn(&Ranking) -> f64) -> f64 {
    let Some(groups) = &ranking.groups else {
        return score(ranking);
    };
    let mut sum = 0.0;
    for of_group in &groups.rankings {
        sum += score(&of_group.at(ranking.level, ranking.judged_only));
    }
    match groups.rankings.len() {
        0 => 0.0,
        count => sum / count as f64,
    }
}
