//! Preferences between documents, and how many of them a ranking keeps to.
//!
//! trec_eval 10, `form_prefs_counts.c`. A group of users prefers a document to another if one of its subgroups gives it a higher level.
//! What several subgroups of a group say is joined, with what follows from it: a before b and b before c is a before c.

use std::collections::{BTreeMap, HashMap};

use super::error::MeasureError;
use super::options::Options;
use crate::trec::{Preference, Qrels, ScoredDoc};

/// The most documents that a topic may have preferences for: what is compared are pairs.
pub(super) const MOST_DOCUMENTS: usize = 8192;

/// Preferences of a topic that a ranking keeps to. A preference is fulfilled if the document that is preferred stands higher.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preferred {
    /// By group.
    pub groups: Vec<GroupPreferred>,
    /// Pairs of which both documents were retrieved.
    pub pairs_retrieved: Pairs,
    /// Pairs of which one was.
    pub pairs_implied: Pairs,
    /// How many pairs there are of which neither was.
    pub pairs_missing: usize,
}

/// Pairs of documents of which some group prefers one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pairs {
    /// How many.
    pub count: usize,
    /// For each the share of the preferences that is fulfilled, summed.
    pub fulfilled: f64,
}

/// Preferences of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupPreferred {
    /// Between two documents retrieved, those fulfilled.
    pub fulfilled_retrieved: usize,
    /// Between two documents retrieved, all.
    pub possible_retrieved: usize,
    /// Between a document retrieved and one that was not, those fulfilled.
    pub fulfilled_implied: usize,
    /// Between a document retrieved and one that was not, all.
    pub possible_implied: usize,
    /// Between documents that were not retrieved.
    pub possible_missing: usize,
    /// Documents of a level above 0.
    pub relevant: usize,
    /// Those of them that were retrieved.
    pub relevant_retrieved: usize,
    /// Documents of level 0.
    pub others: usize,
    /// Those of them that were retrieved.
    pub others_retrieved: usize,
    /// Fulfilled and possible where only the first R others count, R relevant ones: see `prefs_avgjg_Rnonrel`.
    pub cut: (usize, usize),
    /// The same among documents retrieved.
    pub cut_retrieved: (usize, usize),
}

/// A document of a group: its place (retrieved ones by rank, then the others by docid) and its level.
type Placed = (usize, f64);

/// Counts the preferences of a topic that are fulfilled by a ranking of these docids, in the order of [`in_order`].
pub(super) fn preferred(
    qrels: &Qrels,
    topic: &str,
    docids: &[&str],
) -> Result<Preferred, MeasureError> {
    let lines = lines_of(qrels, topic);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        places.insert(&line.docid, usize::MAX);
    }
    if places.len() > MOST_DOCUMENTS {
        return Err(MeasureError::Preferences {
            topic: topic.to_owned(),
            problem: format!(
                "{} documents are too many to be compared with each other (at most {MOST_DOCUMENTS})",
                places.len()
            ),
        });
    }
    let mut retrieved = 0;
    for docid in docids {
        if let Some(place) = places.get_mut(docid) {
            *place = retrieved;
            retrieved += 1;
        }
    }
    let others = places.values_mut().filter(|place| **place == usize::MAX);
    for (place, next) in others.zip(retrieved..) {
        *place = next;
    }
    // By group and subgroup, levels of documents by place, highest first.
    let mut groups: BTreeMap<&str, BTreeMap<&str, Vec<Placed>>> = BTreeMap::new();
    for line in &lines {
        let subgroups = groups.entry(&line.group).or_default();
        let place = places.get(line.docid.as_str()).copied().unwrap_or(0);
        let levels = subgroups.entry(&line.subgroup).or_default();
        levels.push((place, line.level));
    }
    let mut all = Preferred::default();
    // Fulfilled and not by pair, where several groups may say different things.
    let mut votes: HashMap<(usize, usize), (u32, u32)> = HashMap::new();
    let one_group = groups.len() == 1;
    for (group, mut subgroups) in groups {
        for levels in subgroups.values_mut() {
            levels.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        let subgroups: Vec<Vec<Placed>> = subgroups.into_values().collect();
        let known = match subgroups.as_slice() {
            [levels] => Known::classes(levels),
            many => Known::matrix(many, &places).map_err(|problem| MeasureError::Preferences {
                topic: topic.to_owned(),
                problem: format!("group {group}: {problem}"),
            })?,
        };
        all.groups.push(known.counts(retrieved));
        if !one_group {
            known.each(|better, worse| {
                let pair = (better.min(worse), better.max(worse));
                let (fulfilled, failed) = votes.entry(pair).or_default();
                match better < worse {
                    true => *fulfilled += 1,
                    false => *failed += 1,
                }
            });
        }
    }
    if one_group {
        for it in &all.groups {
            all.pairs_retrieved = Pairs {
                count: it.possible_retrieved,
                fulfilled: it.fulfilled_retrieved as f64,
            };
            all.pairs_implied = Pairs {
                count: it.possible_implied,
                fulfilled: it.fulfilled_implied as f64,
            };
            all.pairs_missing = it.possible_missing;
        }
    }
    // In the order of trec_eval's loops, so that sums round alike.
    let mut votes: Vec<_> = votes.into_iter().collect();
    votes.sort_unstable();
    for ((first, second), (fulfilled, failed)) in votes {
        let pairs = match (first < retrieved, second < retrieved) {
            (true, true) => &mut all.pairs_retrieved,
            (true, false) => &mut all.pairs_implied,
            _ => {
                all.pairs_missing += 1;
                continue;
            }
        };
        pairs.count += 1;
        pairs.fulfilled += f64::from(fulfilled) / f64::from(fulfilled + failed);
    }
    Ok(all)
}

/// The docids of a topic by score, the first [`Options::max_docs`] of them. Of equal scores the lower docid comes first: here trec_eval has another order than everywhere else.
pub(super) fn in_order<'a>(docs: &'a [ScoredDoc], options: &Options) -> Vec<&'a str> {
    let mut docs: Vec<&ScoredDoc> = docs.iter().collect();
    docs.sort_by(|a, b| {
        let by_score = (b.score + 0.0).total_cmp(&(a.score + 0.0));
        by_score.then_with(|| a.docid.cmp(&b.docid))
    });
    docs.truncate(options.max_docs.unwrap_or(usize::MAX));
    docs.into_iter().map(|doc| doc.docid.as_str()).collect()
}

/// The preferences of a topic: those of a file of preferences; else each group of judgments, or all of them, is a group with one subgroup,
/// and grades are levels (grades below 0 are no judgments). trec_eval's format `qrels_prefs`.
fn lines_of(qrels: &Qrels, topic: &str) -> Vec<Preference> {
    if let Some(lines) = qrels.preferences.get(topic) {
        return lines.clone();
    }
    let line = |group: &str, docid: &String, grade: &i32| Preference {
        group: group.to_owned(),
        subgroup: String::from("0"),
        docid: docid.clone(),
        level: f64::from(*grade),
    };
    let judged = |group: &str, judgments: &BTreeMap<String, i32>| {
        let judged = judgments.iter().filter(|(_, grade)| **grade >= 0);
        let lines = judged.map(|(docid, grade)| line(group, docid, grade));
        lines.collect::<Vec<_>>()
    };
    match (qrels.groups.get(topic), qrels.topics.get(topic)) {
        (Some(groups), _) => {
            let lines = groups.iter().flat_map(|(id, it)| judged(id, it));
            lines.collect()
        }
        (None, Some(judgments)) => judged("0", judgments),
        (None, None) => Vec::new(),
    }
}

/// What a group prefers.
enum Known {
    /// It has one order: documents of equal level by place, highest level first.
    Classes(Vec<(f64, Vec<usize>)>),
    /// It has several, joined: for each document of the group, in the order of places, its place, its level, and a bit for each document
    /// that it is preferred to.
    Matrix(Vec<(Placed, Vec<u64>)>),
}

impl Known {
    fn classes(levels: &[Placed]) -> Self {
        let mut classes: Vec<(f64, Vec<usize>)> = Vec::new();
        for &(place, level) in levels {
            match classes.last_mut() {
                Some((of_class, places)) if *of_class == level => places.push(place),
                _ => classes.push((level, vec![place])),
            }
        }
        Known::Classes(classes)
    }

    fn matrix(subgroups: &[Vec<Placed>], all: &BTreeMap<&str, usize>) -> Result<Self, String> {
        let docid = |place: usize| {
            let found = all.iter().find(|(_, it)| **it == place);
            found.map_or("", |(docid, _)| docid)
        };
        let mut levels: BTreeMap<usize, f64> = BTreeMap::new();
        for &(place, level) in subgroups.iter().flatten() {
            if let Some(other) = levels.insert(place, level)
                && (other > 0.0) != (level > 0.0)
            {
                let docid = docid(place);
                return Err(format!("document {docid} has level 0 and another level"));
            }
        }
        let numbers: HashMap<usize, usize> = levels
            .keys()
            .enumerate()
            .map(|(number, place)| (*place, number))
            .collect();
        let words = levels.len().div_ceil(64);
        let mut rows: Vec<Vec<u64>> = vec![vec![0; words]; levels.len()];
        for subgroup in subgroups {
            for (at, (better, level)) in subgroup.iter().enumerate() {
                let lower = subgroup.iter().skip(at + 1).filter(|(_, it)| it < level);
                for (worse, _) in lower {
                    if let (Some(better), Some(worse)) = (numbers.get(better), numbers.get(worse))
                        && let Some(word) =
                            rows.get_mut(*better).and_then(|it| it.get_mut(worse / 64))
                    {
                        *word |= 1 << (worse % 64);
                    }
                }
            }
        }
        // Warshall's closure, a row at a time.
        for through in 0..rows.len() {
            let row = rows.get(through).cloned().unwrap_or_default();
            for other in &mut rows {
                if is_set(other, through) {
                    for (word, more) in other.iter_mut().zip(&row) {
                        *word |= more;
                    }
                }
            }
        }
        let places: Vec<usize> = levels.keys().copied().collect();
        if let Some(number) =
            (0..rows.len()).find(|at| rows.get(*at).is_some_and(|row| is_set(row, *at)))
        {
            let docid = docid(places.get(number).copied().unwrap_or(0));
            return Err(format!(
                "its subgroups contradict each other about document {docid}"
            ));
        }
        Ok(Known::Matrix(levels.into_iter().zip(rows).collect()))
    }

    /// Calls for each preference, with both places.
    fn each(&self, mut call: impl FnMut(usize, usize)) {
        match self {
            Known::Classes(classes) => {
                for (at, (_, better)) in classes.iter().enumerate() {
                    for (_, worse) in classes.iter().skip(at + 1) {
                        for one in better {
                            for other in worse {
                                call(*one, *other);
                            }
                        }
                    }
                }
            }
            Known::Matrix(rows) => {
                for ((better, _), row) in rows {
                    for (number, ((worse, _), _)) in rows.iter().enumerate() {
                        if is_set(row, number) {
                            call(*better, *worse);
                        }
                    }
                }
            }
        }
    }

    fn counts(&self, retrieved: usize) -> GroupPreferred {
        let mut counts = GroupPreferred::default();
        let levels: Vec<Placed> = match self {
            Known::Classes(classes) => {
                let placed = |(level, places): &(f64, Vec<usize>)| {
                    let level = *level;
                    places
                        .iter()
                        .map(move |place| (*place, level))
                        .collect::<Vec<_>>()
                };
                classes.iter().flat_map(placed).collect()
            }
            Known::Matrix(rows) => rows.iter().map(|(placed, _)| *placed).collect(),
        };
        for (place, level) in levels {
            let found = usize::from(place < retrieved);
            match level > 0.0 {
                true => {
                    counts.relevant += 1;
                    counts.relevant_retrieved += found;
                }
                false => {
                    counts.others += 1;
                    counts.others_retrieved += found;
                }
            }
        }
        self.each(|better, worse| {
            let in_order = usize::from(better < worse);
            match (better < retrieved, worse < retrieved) {
                (true, true) => {
                    counts.possible_retrieved += 1;
                    counts.fulfilled_retrieved += in_order;
                }
                (false, false) => counts.possible_missing += 1,
                _ => {
                    counts.possible_implied += 1;
                    counts.fulfilled_implied += in_order;
                }
            }
        });
        counts.cut = match counts.relevant >= counts.others {
            // As if more others stood below all documents.
            true => {
                let added = counts.relevant - counts.others;
                (
                    counts.fulfilled_retrieved
                        + counts.fulfilled_implied
                        + counts.relevant_retrieved * added,
                    counts.possible_retrieved
                        + counts.possible_implied
                        + counts.possible_missing
                        + counts.relevant * added,
                )
            }
            false => self.cut(counts.relevant, retrieved, false),
        };
        counts.cut_retrieved = match counts.relevant_retrieved >= counts.others_retrieved {
            true => {
                let added = counts.relevant_retrieved - counts.others_retrieved;
                (
                    counts.fulfilled_retrieved + counts.relevant_retrieved * added,
                    counts.possible_retrieved + counts.relevant * added,
                )
            }
            // With several subgroups trec_eval counts as many others as there are relevant documents, retrieved or not.
            false => match self {
                Known::Classes(_) => self.cut(counts.relevant_retrieved, retrieved, true),
                Known::Matrix(_) => self.cut(counts.relevant, retrieved, true),
            },
        };
        counts
    }

    /// Fulfilled and possible preferences where only the first of the others count, as many as said (`recalculate` of trec_eval's
    /// `m_prefs_avgjg_Rnonrel.c` and `m_prefs_avgjg_Rnonrel_ret.c`), all or those between documents retrieved. A group with one subgroup also counts pairs
    /// of two others there, of which none is preferred; so do we.
    fn cut(&self, others: usize, retrieved: usize, of_retrieved: bool) -> (usize, usize) {
        let is_in = |place: usize| !of_retrieved || place < retrieved;
        let (mut fulfilled, mut possible) = (0, 0);
        match self {
            Known::Classes(classes) => {
                let mut add = |better: usize, worse: usize| {
                    if is_in(better) && is_in(worse) {
                        possible += 1;
                        fulfilled += usize::from(better < worse && better < retrieved);
                    }
                };
                let Some(((_, last), above)) = classes.split_last() else {
                    return (0, 0);
                };
                for (at, (_, better)) in above.iter().enumerate() {
                    for (_, worse) in above.iter().skip(at + 1) {
                        for one in better {
                            worse.iter().for_each(|other| add(*one, *other));
                        }
                    }
                }
                for one in classes.iter().flat_map(|(_, places)| places) {
                    last.iter().take(others).for_each(|other| add(*one, *other));
                }
            }
            Known::Matrix(rows) => {
                let is_other = |level: f64| level <= 0.0;
                let mut seen = 0;
                let mut counts = Vec::with_capacity(rows.len());
                for ((place, level), _) in rows {
                    seen += usize::from(is_other(*level));
                    counts.push(is_in(*place) && (!is_other(*level) || seen <= others));
                }
                for (((better, _), row), counted) in rows.iter().zip(&counts) {
                    for (number, ((worse, _), _)) in rows.iter().enumerate() {
                        let both = *counted && counts.get(number).copied().unwrap_or(false);
                        if both && is_set(row, number) {
                            possible += 1;
                            fulfilled += usize::from(better < worse && *better < retrieved);
                        }
                    }
                }
            }
        }
        (fulfilled, possible)
    }
}

fn is_set(row: &[u64], number: usize) -> bool {
    row.get(number / 64)
        .is_some_and(|word| word >> (number % 64) & 1 == 1)
}
