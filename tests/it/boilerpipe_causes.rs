//! Why blocks of ours and of the original Java library differ, counted: the table in `docs/boilerpipe.md`.
//!
//! `cargo test --test it report_causes -- --ignored --nocapture`

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use trommel::html::{self, Limits};

use crate::boilerpipe_reference::{Key, ReferenceBlock, align, our_key, ours, reference};
use crate::support::shared;

/// Why a block has no equal on the other side, from the most to the least alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Same text, words and lines; other anchor words.
    Anchors,
    /// Same text; other words or lines.
    Counts,
    /// Same text in a row of blocks, of which we have more.
    Split,
    /// Same text in a row of blocks, of which the original has more.
    Merged,
    /// Same text in as many blocks, cut elsewhere.
    Shifted,
    /// The text is the same once character references without a semicolon are resolved.
    References,
    /// The other side has the text elsewhere on the page.
    Order,
    /// The other side has no more text from here to the end of the page.
    RestOfPage,
    /// The other side has the text as the page's title.
    Title,
    /// The other side does not have the block, which has no letter or digit.
    Blank,
    /// The other side does not have the text.
    OneSide,
}

impl Cause {
    pub fn describe(self) -> &'static str {
        match self {
            Cause::Anchors => "anchor words",
            Cause::Counts => "other words or lines",
            Cause::Split => "we cut, the original does not",
            Cause::Merged => "the original cuts, we do not",
            Cause::Shifted => "cut elsewhere",
            Cause::References => "references without `;`",
            Cause::Order => "order",
            Cause::RestOfPage => "rest of the page",
            Cause::Title => "title as text",
            Cause::Blank => "block without letters or digits",
            Cause::OneSide => "text on one side only",
        }
    }
}

/// How often a cause occurs, and where.
#[derive(Default)]
struct Count {
    ours: usize,
    theirs: usize,
    pages: BTreeMap<String, usize>,
}

/// A range of our blocks and a range of theirs.
type Gap = (Range<usize>, Range<usize>);

/// One page's two lists of blocks, and the cause of each block without an equal.
struct Comparison<'a> {
    ours: &'a [Key],
    theirs: &'a [Key],
    /// The title, without white space.
    title: &'a str,
    found: Vec<(Cause, Side, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    Ours,
    Theirs,
}

impl Comparison<'_> {
    fn note(&mut self, cause: Cause, ours: Range<usize>, theirs: Range<usize>) {
        self.found.extend(ours.map(|at| (cause, Side::Ours, at)));
        self.found
            .extend(theirs.map(|at| (cause, Side::Theirs, at)));
    }

    /// Finds the causes in a gap: cuts it wherever both sides have had the same text since the last cut. Where the texts
    /// part, it goes on at the next pair of blocks with equal text, and what lies between is left for later.
    fn compare_gap(&mut self, (mine, its): Gap, leftover: &mut Vec<Gap>) {
        let (mut i, mut j) = (mine.start, its.start);
        while i < mine.end && j < its.end {
            if let Some((to_i, to_j)) = self.same_text(i..mine.end, j..its.end) {
                self.compare_same_text(i..to_i, j..to_j);
                (i, j) = (to_i, to_j);
                continue;
            }
            let (to_i, to_j) = self
                .next_start(i..mine.end, j..its.end)
                .unwrap_or((mine.end, its.end));
            leftover.push((i..to_i, j..to_j));
            (i, j) = (to_i, to_j);
        }
        if i < mine.end || j < its.end {
            leftover.push((i..mine.end, j..its.end));
        }
    }

    /// The least number of blocks at the start of both ranges with the same text, white space aside.
    fn same_text(&self, mine: Range<usize>, its: Range<usize>) -> Option<(usize, usize)> {
        let (mut i, mut j) = (mine.start + 1, its.start + 1);
        let mut my_text = squeeze(&self.ours[mine.start].0);
        let mut its_text = squeeze(&self.theirs[its.start].0);
        loop {
            if my_text == its_text {
                return Some((i, j));
            }
            if my_text.len() < its_text.len() && its_text.starts_with(&my_text) && i < mine.end {
                my_text += &squeeze(&self.ours[i].0);
                i += 1;
            } else if my_text.starts_with(&its_text) && j < its.end {
                its_text += &squeeze(&self.theirs[j].0);
                j += 1;
            } else {
                return None;
            }
        }
    }

    /// Where both sides next begin the same text: the nearest such place.
    fn next_start(&self, mine: Range<usize>, its: Range<usize>) -> Option<(usize, usize)> {
        let (most_i, most_j) = (mine.len(), its.len());
        (1..most_i + most_j).find_map(|distance| {
            (0..=distance)
                .filter(|&di| di < most_i && distance - di < most_j)
                .map(|di| (mine.start + di, its.start + distance - di))
                .find(|&(i, j)| {
                    self.ours[i].0.len() > 1 && self.same_text(i..mine.end, j..its.end).is_some()
                })
        })
    }

    fn compare_same_text(&mut self, mine: Range<usize>, its: Range<usize>) {
        let (n, m) = (mine.len(), its.len());
        let cause = if n > m {
            Cause::Split
        } else if n < m {
            Cause::Merged
        } else if n > 1 {
            Cause::Shifted
        } else {
            let (a, b) = (&self.ours[mine.start], &self.theirs[its.start]);
            if a.0 == b.0 && a.1 == b.1 && (a.3, a.4) == (b.3, b.4) {
                Cause::Anchors
            } else {
                Cause::Counts
            }
        };
        self.note(cause, mine, its);
    }

    /// Texts that differ: nearly the same, elsewhere on the page, or on one side alone.
    fn compare_other_text(&mut self, leftover: Vec<Gap>) {
        let mut single = Vec::new();
        for (mine, its) in leftover {
            let my_text: String = self.ours[mine.clone()]
                .iter()
                .map(|k| squeeze(&k.0))
                .collect();
            let its_text: String = self.theirs[its.clone()]
                .iter()
                .map(|k| squeeze(&k.0))
                .collect();
            if mine.is_empty() || its.is_empty() {
                single.push((mine, its));
            } else if resolved(&my_text) == resolved(&its_text) {
                self.note(Cause::References, mine, its);
            } else {
                single.push((mine, its));
            }
        }
        let mut elsewhere: HashMap<(Side, String), usize> = HashMap::new();
        for (mine, its) in &single {
            for i in mine.clone() {
                *elsewhere
                    .entry((Side::Ours, squeeze(&self.ours[i].0)))
                    .or_default() += 1;
            }
            for j in its.clone() {
                *elsewhere
                    .entry((Side::Theirs, squeeze(&self.theirs[j].0)))
                    .or_default() += 1;
            }
        }
        let mut take = |side: Side, text: &str| {
            let count = elsewhere.entry((side, squeeze(text))).or_default();
            let there = *count > 0;
            *count -= usize::from(there);
            there
        };
        for (mine, its) in single {
            let to_end = mine.end == self.ours.len() && its.end == self.theirs.len();
            let rest = to_end && (mine.is_empty() || its.is_empty()) && mine.len() + its.len() > 4;
            for i in mine {
                let text = &self.ours[i].0;
                let cause = match take(Side::Theirs, text) {
                    true => Cause::Order,
                    false => self.on_one_side(text, rest),
                };
                self.note(cause, i..i + 1, 0..0);
            }
            for j in its {
                let text = &self.theirs[j].0;
                let cause = match take(Side::Ours, text) {
                    true => Cause::Order,
                    false => self.on_one_side(text, rest),
                };
                self.note(cause, 0..0, j..j + 1);
            }
        }
    }

    fn on_one_side(&self, text: &str, rest_of_page: bool) -> Cause {
        if rest_of_page {
            Cause::RestOfPage
        } else if squeeze(text) == self.title {
            Cause::Title
        } else if !text.chars().any(char::is_alphanumeric) {
            Cause::Blank
        } else {
            Cause::OneSide
        }
    }
}

/// Text without white space: where blocks are joined, the space between may be missing.
pub fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Text with the character references in it resolved as the HTML standard does, those without a semicolon included.
fn resolved(text: &str) -> String {
    let page = html::parse_text(
        &format!("<body>{}", text.replace('<', "&lt;")),
        &Limits::default(),
    );
    squeeze(&page.text)
}

pub fn causes(ours: &[Key], theirs: &[Key], title: &str) -> Vec<(Cause, Side, usize)> {
    let mut comparison = Comparison {
        ours,
        theirs,
        title,
        found: Vec::new(),
    };
    let mut leftover = Vec::new();
    let (mut i, mut j) = (0, 0);
    let ends = [(ours.len(), theirs.len())];
    for (to_i, to_j) in align(ours, theirs).into_iter().chain(ends) {
        comparison.compare_gap((i..to_i, j..to_j), &mut leftover);
        (i, j) = (to_i + 1, to_j + 1);
    }
    comparison.compare_other_text(leftover);
    comparison.found
}

#[test]
#[ignore = "a report, no check"]
fn report_causes() {
    let mut table: BTreeMap<Cause, BTreeMap<&str, Count>> = BTreeMap::new();
    let corpora = ["gn1", "cleaneval", "cleanportaleval", "dragnet"];
    for corpus in corpora {
        let (Some(pages), Some(outputs)) = (
            shared(&format!("corpora/{corpus}")),
            shared(&format!("reference/boilerpipe-1.2.0/{corpus}.jsonl.gz")),
        ) else {
            continue;
        };
        for page in reference(&outputs) {
            let (parsed, blocks) = ours(&pages, &page.page);
            let keys: Vec<Key> = blocks.blocks.iter().map(our_key).collect();
            let theirs: Vec<Key> = page.blocks.iter().map(ReferenceBlock::key).collect();
            for (cause, side, at) in causes(&keys, &theirs, &squeeze(&parsed.title)) {
                let count = table.entry(cause).or_default().entry(corpus).or_default();
                match side {
                    Side::Ours => count.ours += 1,
                    Side::Theirs => count.theirs += 1,
                }
                *count.pages.entry(page.page.clone()).or_default() += 1;
                if std::env::var("TROMMEL_SHOW").is_ok_and(|c| c == corpus) {
                    let key = match side {
                        Side::Ours => keys[at].clone(),
                        Side::Theirs => theirs[at].clone(),
                    };
                    println!("{} {cause:?} {side:?} {at} {key:?}", page.page);
                }
            }
        }
    }
    println!("blocks of ours / of the original's without an equal (pages)");
    println!("| cause | {} |", corpora.join(" | "));
    println!("|---|{}", "---|".repeat(corpora.len()));
    let total = |corpus: &str| {
        let counts = table.values().filter_map(|row| row.get(corpus));
        counts.fold((0, 0), |sum, c| (sum.0 + c.ours, sum.1 + c.theirs))
    };
    for (cause, row) in &table {
        let cells = corpora.map(|corpus| match row.get(corpus) {
            Some(c) => format!("{} / {} ({})", c.ours, c.theirs, c.pages.len()),
            None => "0".to_owned(),
        });
        println!("| {} | {} |", cause.describe(), cells.join(" | "));
    }
    let totals = corpora
        .map(total)
        .map(|(ours, theirs)| format!("{ours} / {theirs}"));
    println!("| all | {} |", totals.join(" | "));
}
