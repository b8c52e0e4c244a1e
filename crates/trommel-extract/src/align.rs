//! Finds the text of a page again in what a tool, or a person, took for its content (Vogels, Ganea and Eickhoff, *Web2Text*,
//! ECIR 2018, §4.1; their `Alignment.scala`).
//!
//! Snippets of 10 consecutive characters that are unique on the page are matched and extended as far as both sides agree;
//! they divide page and text, and what lies between two of them is treated in the same way, since more snippets are unique
//! there. What remains is aligned by dynamic programming with the original's scores: 3 for the same letter or digit, 1 for
//! other characters that are the same but for case, −6 for a character of the text that is skipped, −2 for beginning to
//! skip characters of the page.
//!
//! Deviations. White space is left out on both sides (the original skips it for nothing). A snippet must be unique in the
//! text as well, and of the matches those are kept that make the longest chain in the order of both sides; the original
//! takes matches one by one, drops two when they cross, and does not repeat this in what remains, although the paper says so.
//!
//! Bounds. Dynamic programming takes (page × text) steps and bytes, so it is done where these are at most `MOST_CELLS`, and
//! until `MOST_CELLS_OF_PAGE` are used up. Where more remains (a long passage that the page has twice has no unique
//! snippet), each snippet of the text is matched with the next place on the page that has it, and extended. The
//! division goes `MOST_ROUNDS` deep.

use std::collections::HashMap;
use std::ops::Range;

use trommel_page::{Leaf, Page, Segmentation};
use trommel_text::is_letter_or_digit;

/// Length of a snippet in characters (§4.1).
const SNIPPET: usize = 10;
/// The largest stretch that is aligned by dynamic programming: some 2,000 characters a side.
const MOST_CELLS: usize = 1 << 22;
/// Steps of dynamic programming for one page: a fraction of a second.
const MOST_CELLS_OF_PAGE: usize = 1 << 26;
/// Unique snippets become more with each division, but soon there are no new ones.
const MOST_ROUNDS: usize = 16;

const SAME_LETTER: i32 = 3;
const SAME_BUT_FOR_CASE: i32 = 1;
const SKIP_TEXT: i32 = -6;
const BEGIN_TO_SKIP_PAGE: i32 = -2;

/// How much of a leaf stands in the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Aligned {
    /// Characters of the leaf that are found in the text.
    pub found: u32,
    /// Characters of the leaf; white space is left out.
    pub characters: u32,
}

impl Aligned {
    /// The share that is found, in 0..=1; 0 for nothing of nothing.
    pub fn share(self) -> f32 {
        self.found as f32 / self.characters.max(1) as f32
    }

    /// Returns whether the leaf is content: "We mark it as content iff at least 2/3 of its text is aligned" (§4.1).
    pub fn is_content(self) -> bool {
        self.found > 0 && u64::from(self.found) * 3 >= u64::from(self.characters) * 2
    }
}

/// For each block whether it is content by a text: its leaves are, taken together.
pub fn content(page: &Page, blocks: &Segmentation, text: &str) -> Vec<bool> {
    let aligned = of_blocks(page, blocks, text, |_| true);
    aligned.into_iter().map(Aligned::is_content).collect()
}

/// For each block how much of it stands in the text: the sums of its leaves, of those that count.
pub fn of_blocks(
    page: &Page,
    blocks: &Segmentation,
    text: &str,
    counts: impl Fn(&Leaf) -> bool,
) -> Vec<Aligned> {
    let of_leaves = blocks.block_of_leaf.iter().enumerate();
    let of_blocks: Vec<(u32, u32)> = of_leaves
        .filter(|(leaf, _)| counts(&page.leaves[*leaf]))
        .filter_map(|(leaf, block)| Some((leaf as u32, (*block)?)))
        .collect();
    let leaves = of_blocks.iter().map(|(leaf, _)| page.leaf_text(*leaf));
    let mut sums = vec![Aligned::default(); blocks.blocks.len()];
    for (aligned, (_, block)) in align(leaves, text).into_iter().zip(&of_blocks) {
        sums[*block as usize].found += aligned.found;
        sums[*block as usize].characters += aligned.characters;
    }
    sums
}

/// For each leaf of a page, in document order, how many of its characters are found in the text, in the order of the text.
pub fn align<'a>(leaves: impl IntoIterator<Item = &'a str>, text: &str) -> Vec<Aligned> {
    let mut result = Vec::new();
    let mut page = Vec::new();
    let mut leaf_of = Vec::new();
    for leaf in leaves {
        let begin = page.len();
        page.extend(letters(leaf));
        leaf_of.resize(page.len(), result.len() as u32);
        result.push(Aligned {
            found: 0,
            characters: (page.len() - begin) as u32,
        });
    }
    let text: Vec<char> = letters(text).collect();
    let mut work = Work {
        page: &page,
        text: &text,
        found: vec![false; page.len()],
        cells: MOST_CELLS_OF_PAGE,
    };
    work.align();
    for (found, leaf) in work.found.iter().zip(&leaf_of) {
        result[*leaf as usize].found += u32::from(*found);
    }
    result
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace())
}

/// The same character for all cases of a letter.
fn fold(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn same(a: char, b: char) -> bool {
    a == b || fold(a) == fold(b)
}

/// A stretch of the page and one of the text that may hold it.
#[derive(Clone)]
struct Stretch {
    page: Range<usize>,
    text: Range<usize>,
}

struct Work<'a> {
    page: &'a [char],
    text: &'a [char],
    /// For each character of the page whether the text has it.
    found: Vec<bool>,
    /// Steps of dynamic programming that are left.
    cells: usize,
}

impl Work<'_> {
    fn align(&mut self) {
        let all = Stretch {
            page: 0..self.page.len(),
            text: 0..self.text.len(),
        };
        let mut open = vec![all];
        for round in 0..MOST_ROUNDS {
            for stretch in std::mem::take(&mut open) {
                let matches = match round + 1 {
                    MOST_ROUNDS => Vec::new(),
                    _ => self.unique(&stretch),
                };
                if matches.is_empty() {
                    self.finish(&stretch);
                    continue;
                }
                open.extend(self.divide(&stretch, &matches));
            }
        }
    }

    /// Marks the matches and gives what lies between them.
    fn divide(&mut self, stretch: &Stretch, matches: &[Stretch]) -> Vec<Stretch> {
        let mut between = Vec::new();
        let (mut page, mut text) = (stretch.page.start, stretch.text.start);
        let end = Stretch {
            page: stretch.page.end..stretch.page.end,
            text: stretch.text.end..stretch.text.end,
        };
        for matched in matches.iter().chain([&end]) {
            self.found[matched.page.clone()].fill(true);
            let gap = Stretch {
                page: page..matched.page.start,
                text: text..matched.text.start,
            };
            if !gap.page.is_empty() && !gap.text.is_empty() {
                between.push(gap);
            }
            (page, text) = (matched.page.end, matched.text.end);
        }
        between
    }

    /// Snippets that are unique on both sides, extended, in the order of both sides, without overlaps.
    fn unique(&self, stretch: &Stretch) -> Vec<Stretch> {
        let (page, text) = (
            &self.page[stretch.page.clone()],
            &self.text[stretch.text.clone()],
        );
        // The map is of the shorter side: a text may be much longer than its page.
        let is_text_shorter = text.len() <= page.len();
        let (short, long) = match is_text_shorter {
            true => (text, page),
            false => (page, text),
        };
        // For each snippet of the one side: how often it stands there and on the other, and where.
        let mut places: HashMap<&[char], [(u32, usize); 2]> = HashMap::new();
        for (at, snippet) in short.windows(SNIPPET).enumerate() {
            let [in_short, _] = places.entry(snippet).or_default();
            *in_short = (in_short.0 + 1, at);
        }
        for (at, snippet) in long.windows(SNIPPET).enumerate() {
            if let Some([_, in_long]) = places.get_mut(snippet) {
                *in_long = (in_long.0 + 1, at);
            }
        }
        let mut pairs: Vec<(usize, usize)> = places
            .into_values()
            .filter(|[in_short, in_long]| in_short.0 == 1 && in_long.0 == 1)
            .map(|[in_short, in_long]| match is_text_shorter {
                true => (in_short.1, in_long.1),
                false => (in_long.1, in_short.1),
            })
            .collect();
        pairs.sort_unstable();
        let mut matches: Vec<Stretch> = Vec::new();
        let mut ends = (stretch.page.start, stretch.text.start);
        for (in_text, on_page) in longest_chain(&pairs) {
            let at = (stretch.page.start + on_page, stretch.text.start + in_text);
            // A snippet that begins inside the last match is either part of it or no match.
            if at.0 < ends.0 || at.1 < ends.1 {
                continue;
            }
            let matched = self.extend(at, ends, stretch);
            ends = (matched.page.end, matched.text.end);
            matches.push(matched);
        }
        matches
    }

    /// A match of one snippet, made as long as both sides agree: to the left down to `from`, to the right to the end of the
    /// stretch.
    fn extend(&self, at: (usize, usize), from: (usize, usize), stretch: &Stretch) -> Stretch {
        let agree = |page: usize, text: usize| same(self.page[page], self.text[text]);
        let (mut page, mut text) = at;
        while page > from.0 && text > from.1 && agree(page - 1, text - 1) {
            (page, text) = (page - 1, text - 1);
        }
        let begin = (page, text);
        (page, text) = (at.0 + SNIPPET, at.1 + SNIPPET);
        while page < stretch.page.end && text < stretch.text.end && agree(page, text) {
            (page, text) = (page + 1, text + 1);
        }
        Stretch {
            page: begin.0..page,
            text: begin.1..text,
        }
    }

    /// Aligns a stretch without unique snippets.
    fn finish(&mut self, stretch: &Stretch) {
        let cells = stretch.page.len().saturating_mul(stretch.text.len() + 1);
        if cells <= MOST_CELLS && cells <= self.cells {
            self.cells -= cells;
            self.dynamic(stretch);
        } else {
            let matches = self.next_places(stretch);
            self.divide(stretch, &matches);
        }
    }

    /// Matches snippets from left to right, each with the next place that has it.
    fn next_places(&self, stretch: &Stretch) -> Vec<Stretch> {
        let (page, text) = (
            &self.page[stretch.page.clone()],
            &self.text[stretch.text.clone()],
        );
        let mut places: HashMap<&[char], Vec<usize>> = HashMap::new();
        if text.len() < page.len() {
            for snippet in text.windows(SNIPPET) {
                places.entry(snippet).or_default();
            }
            for (at, snippet) in page.windows(SNIPPET).enumerate() {
                if let Some(places) = places.get_mut(snippet) {
                    places.push(at);
                }
            }
        } else {
            for (at, snippet) in page.windows(SNIPPET).enumerate() {
                places.entry(snippet).or_default().push(at);
            }
        }
        let mut matches: Vec<Stretch> = Vec::new();
        let mut ends = (stretch.page.start, stretch.text.start);
        for (at, snippet) in text.windows(SNIPPET).enumerate() {
            if stretch.text.start + at < ends.1 {
                continue;
            }
            let Some(places) = places.get(snippet) else {
                continue;
            };
            let next = places.partition_point(|place| stretch.page.start + place < ends.0);
            let Some(place) = places.get(next) else {
                continue;
            };
            let begin = (stretch.page.start + place, stretch.text.start + at);
            let matched = self.extend(begin, ends, stretch);
            ends = (matched.page.end, matched.text.end);
            matches.push(matched);
        }
        matches
    }

    /// Dynamic programming over a stretch.
    fn dynamic(&mut self, stretch: &Stretch) {
        let (page, text) = (
            &self.page[stretch.page.clone()],
            &self.text[stretch.text.clone()],
        );
        let width = text.len() + 1;
        let mut steps = vec![Step::SkipPage; page.len() * width];
        // The best score for each beginning of the text, and whether page is being skipped there.
        let mut scores: Vec<(i32, bool)> =
            (0..width as i32).map(|j| (j * SKIP_TEXT, false)).collect();
        for (i, on_page) in page.iter().enumerate() {
            let row = &mut steps[i * width..(i + 1) * width];
            // What stood at the place to the left before this row.
            let mut diagonal = scores[0];
            scores[0] = (scores[0].0 + skip_page(scores[0]), true);
            for (j, in_text) in text.iter().enumerate() {
                let above = scores[j + 1];
                let left = scores[j];
                let mut best = (above.0 + skip_page(above), true);
                let mut step = Step::SkipPage;
                if left.0 + SKIP_TEXT > best.0 {
                    (best, step) = ((left.0 + SKIP_TEXT, left.1), Step::SkipText);
                }
                if same(*on_page, *in_text) {
                    let matched = diagonal.0 + worth(*on_page, *in_text);
                    if matched > best.0 {
                        (best, step) = ((matched, false), Step::Match);
                    }
                }
                diagonal = above;
                scores[j + 1] = best;
                row[j + 1] = step;
            }
        }
        let (mut i, mut j) = (page.len(), text.len());
        while i > 0 {
            match steps[(i - 1) * width + j] {
                Step::Match => {
                    self.found[stretch.page.start + i - 1] = true;
                    (i, j) = (i - 1, j - 1);
                }
                Step::SkipText => j -= 1,
                Step::SkipPage => i -= 1,
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Step {
    Match,
    SkipText,
    SkipPage,
}

fn skip_page((_, skipping): (i32, bool)) -> i32 {
    if skipping { 0 } else { BEGIN_TO_SKIP_PAGE }
}

fn worth(on_page: char, in_text: char) -> i32 {
    if on_page == in_text && is_letter_or_digit(on_page) {
        SAME_LETTER
    } else {
        SAME_BUT_FOR_CASE
    }
}

/// Of pairs that ascend in the first number, as many as can be that ascend in the second as well.
fn longest_chain(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair that ends the best chain of it, and for each pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let last = ends.last().copied();
    let mut chain: Vec<(usize, usize)> = std::iter::successors(last, |number| before[*number])
        .map(|number| pairs[number])
        .collect();
    chain.reverse();
    chain
}
