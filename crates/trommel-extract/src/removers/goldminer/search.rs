//! From a site's sample to the tags between which its articles stand.
//!
//! Candidates are the runs of one to [`LONGEST`] tags among the [`REACH`] tags between each stretch of good paragraphs and the
//! paragraph before or after it, if they stand on that page just once ("the most frequent uniquely identifiable pattern").
//! Those with at least half as many pages as the most frequent one are tried in pairs. The pair wins for which this is
//! greatest: the characters of good text that it cuts out of the sample, what is good on several pages counted against it,
//! times the pages on which its end is a candidate; of equal ones the pair with the least other text. By the text alone the
//! end of the comments would win, by the pages alone a rule that loses whole pages; the article's end is on most pages.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use trommel_page::{Page, Segmentation};

use super::trace::{Trace, trace};

/// Tags in a pattern. The paper's examples have three to six.
const LONGEST: usize = 6;
/// Tags before and after a stretch of good paragraphs among which patterns are looked for.
const REACH: usize = 16;
/// Pages with enough good text from which on a site is learnt from: with less nothing can be called frequent.
const FEWEST_PAGES: usize = 3;
/// After headings and short lines alone no article ends: above this many characters jusText takes a paragraph for good by
/// itself (its `length_high`).
const LONG: u64 = 200;
/// Tenths of the most frequent candidate's pages on which another one has to be.
const NEARLY: u32 = 5;
/// Candidates of each kind that are tried in pairs.
const MOST_TRIED: usize = 256;

/// The tags between which a site's articles stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Patterns {
    /// Right before the article.
    pub begin: Vec<String>,
    /// Right after it.
    pub end: Vec<String>,
}

/// What is kept of a page of the sample.
pub(super) struct Sampled {
    pub trace: Trace,
    /// For each paragraph: is it good?
    pub good: Vec<bool>,
    /// Characters.
    pub lengths: Vec<u64>,
    /// Digests.
    pub texts: Vec<u64>,
}

impl Patterns {
    /// The blocks between the patterns; none if one of them is missing.
    pub fn cut(&self, page: &Page, segmentation: &Segmentation) -> Option<Range<usize>> {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        for tag in self.begin.iter().chain(&self.end) {
            let next = numbers.len() as u32;
            numbers.entry(tag).or_insert(next);
        }
        let trace = trace(page, segmentation, usize::MAX, |tag| {
            numbers.get(tag).copied().unwrap_or(u32::MAX)
        });
        let of = |tags: &[String]| -> Vec<u32> {
            tags.iter().map(|tag| numbers[tag.as_str()]).collect()
        };
        let (begin, end) = (of(&self.begin), of(&self.end));
        let from = places(&trace.tags, &begin).next()? + begin.len();
        let to = from + places(&trace.tags[from..], &end).next()?;
        Some(blocks(&trace, from, to))
    }
}

/// Where a run of tags stands.
fn places<'a>(tags: &'a [u32], run: &'a [u32]) -> impl Iterator<Item = usize> {
    let found = tags.windows(run.len()).enumerate();
    found
        .filter(move |(_, window)| *window == run)
        .map(|(at, _)| at)
}

/// The blocks that begin with at least `from` and at most `to` tags before them.
fn blocks(trace: &Trace, from: usize, to: usize) -> Range<usize> {
    let before = |at: usize| {
        trace
            .blocks
            .partition_point(|(start, _)| (*start as usize) < at)
    };
    let start = before(from);
    start..before(to + 1).max(start)
}

/// Patterns from a sample, if there are any, and how many of its pages were of use.
pub(super) fn search(
    mut pages: Vec<Sampled>,
    names: &[String],
    min_characters: u64,
) -> (u32, Option<Patterns>) {
    // Good texts, and on how many pages they are.
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for page in &pages {
        for text in page.good_texts() {
            *counts.entry(text).or_default() += 1;
        }
    }
    pages.retain(|page| {
        let unique = (0..page.good.len()).filter(|&i| page.good[i] && counts[&page.texts[i]] == 1);
        unique.map(|i| page.lengths[i]).sum::<u64>() >= min_characters
    });
    let used = pages.len() as u32;
    if pages.len() < FEWEST_PAGES {
        return (used, None);
    }
    let unique: Vec<Vec<bool>> = pages
        .iter()
        .map(|page| {
            let good = page.good.iter().zip(&page.texts);
            good.map(|(good, text)| *good && counts[text] == 1)
                .collect()
        })
        .collect();
    let found = Search {
        values: pages
            .iter()
            .zip(&unique)
            .map(|(page, unique)| values(page, unique))
            .collect(),
        unique,
        pages,
    }
    .best();
    let written = |tags: Vec<u32>| -> Vec<String> {
        tags.iter().map(|&n| names[n as usize].clone()).collect()
    };
    let patterns = found.map(|(begin, end)| Patterns {
        begin: written(begin),
        end: written(end),
    });
    (used, patterns)
}

impl Sampled {
    fn good_texts(&self) -> BTreeSet<u64> {
        let good = self.good.iter().zip(&self.texts);
        good.filter(|(good, _)| **good)
            .map(|(_, text)| *text)
            .collect()
    }
}

struct Search {
    pages: Vec<Sampled>,
    /// For each page and paragraph: is it good on this page alone?
    unique: Vec<Vec<bool>>,
    /// For each page what [`values`] says.
    values: Vec<Vec<Value>>,
}

/// A run of tags with the pages on which it is a candidate.
type Support = BTreeMap<Vec<u32>, u32>;

impl Search {
    fn best(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let (mut begins, mut ends) = (Support::new(), Support::new());
        for (page, unique) in self.pages.iter().zip(&self.unique) {
            let (begin, end) = candidates(page, unique);
            for run in begin {
                *begins.entry(run).or_default() += 1;
            }
            for run in end {
                *ends.entry(run).or_default() += 1;
            }
        }
        let (begins, ends) = (most_frequent(begins), most_frequent(ends));
        let supports: Vec<i64> = ends.iter().map(|(_, pages)| i64::from(*pages)).collect();
        let begins: Vec<Vec<u32>> = begins.into_iter().map(|(run, _)| run).collect();
        let ends: Vec<Vec<u32>> = ends.into_iter().map(|(run, _)| run).collect();
        let mut best: Option<(Value, usize, usize)> = None;
        let places: Vec<Vec<Vec<usize>>> = ends
            .iter()
            .map(|run| {
                self.pages
                    .iter()
                    .map(|page| places(&page.trace.tags, run).collect())
                    .collect()
            })
            .collect();
        for (b, begin) in begins.iter().enumerate() {
            let starts: Vec<Option<usize>> = self
                .pages
                .iter()
                .map(|page| {
                    self::places(&page.trace.tags, begin)
                        .next()
                        .map(|at| at + begin.len())
                })
                .collect();
            for (e, places) in places.iter().enumerate() {
                let mut value = (0, 0);
                for (page, start) in starts.iter().enumerate() {
                    let Some(from) = *start else { continue };
                    let after = places[page].partition_point(|&at| at < from);
                    if let Some(&to) = places[page].get(after) {
                        let (good, others) = self.value(page, from, to);
                        value = (value.0 + good, value.1 + others);
                    }
                }
                value.0 = value.0.saturating_mul(supports[e]);
                if best.is_none_or(|(most, _, _)| value > most) {
                    best = Some((value, b, e));
                }
            }
        }
        let (value, b, e) = best?;
        (value.0 > 0).then(|| (begins[b].clone(), ends[e].clone()))
    }

    /// What a part of a page is worth.
    fn value(&self, page: usize, from: usize, to: usize) -> Value {
        let part = blocks(&self.pages[page].trace, from, to);
        let (to, from) = (self.values[page][part.end], self.values[page][part.start]);
        (to.0 - from.0, to.1 - from.1)
    }
}

/// Characters of good paragraphs, those that are good on other pages too counted against it; and minus all characters.
type Value = (i64, i64);

/// For each paragraph, and for the end, what those before it are worth.
fn values(page: &Sampled, unique: &[bool]) -> Vec<Value> {
    let mut sum = (0, 0);
    let mut sums = vec![sum];
    for (i, length) in page.lengths.iter().enumerate() {
        let length = i64::try_from(*length).unwrap_or(0);
        sum.1 -= length;
        sum.0 += match (page.good[i], unique[i]) {
            (_, true) => length,
            (true, false) => -length,
            _ => 0,
        };
        sums.push(sum);
    }
    sums
}

/// The runs before and after the page's stretches of unique good paragraphs that stand on the page once.
fn candidates(page: &Sampled, unique: &[bool]) -> (BTreeSet<Vec<u32>>, BTreeSet<Vec<u32>>) {
    let tags = &page.trace.tags;
    let (mut begins, mut ends) = (BTreeSet::new(), BTreeSet::new());
    let at = |i: usize| unique.get(i).copied().unwrap_or(false);
    for length in 1..=LONGEST {
        let mut counts: HashMap<&[u32], u32> = HashMap::new();
        for window in tags.windows(length) {
            *counts.entry(window).or_default() += 1;
        }
        let add = |runs: &mut BTreeSet<Vec<u32>>, part: Range<usize>| {
            for run in tags[part].windows(length) {
                if counts.get(run) == Some(&1) && !runs.contains(run) {
                    runs.insert(run.to_vec());
                }
            }
        };
        // Between two paragraphs, of which one is good and the other is not.
        let mut longest = 0;
        for i in 0..unique.len() {
            if !at(i) {
                longest = 0;
                continue;
            }
            longest = page.lengths[i].max(longest);
            let (start, end) = page.trace.blocks[i];
            let (start, end) = (start as usize, end as usize);
            if !at(i.wrapping_sub(1)) {
                let last = i
                    .checked_sub(1)
                    .map_or(0, |i| page.trace.blocks[i].1 as usize);
                add(&mut begins, last.max(start.saturating_sub(REACH))..start);
            }
            if !at(i + 1) && longest > LONG {
                let next = page.trace.blocks.get(i + 1);
                let next = next.map_or(tags.len(), |next| next.0 as usize);
                add(&mut ends, end..next.min(end + REACH));
            }
        }
    }
    (begins, ends)
}

/// The most frequent runs, the shorter of equally frequent ones first.
fn most_frequent(support: Support) -> Vec<(Vec<u32>, u32)> {
    let most = support.values().copied().max().unwrap_or(0);
    let mut runs: Vec<(Vec<u32>, u32)> = support
        .into_iter()
        .filter(|(_, pages)| pages * 10 >= most * NEARLY)
        .collect();
    runs.sort_by_key(|(run, pages)| (std::cmp::Reverse(*pages), run.len()));
    runs.truncate(MOST_TRIED);
    runs
}
