//! Snippets: the passing blocks of a page that answer a query best, cut to size, with the query's terms marked.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use trommel_page::Block;
use trommel_text::Analyzer;

use crate::format::error::IndexError;
use crate::search::hit::Hit;
use crate::search::model::bm25::Bm25;
use crate::search::model::{TermTotals, Totals};
use crate::search::open::Index;
use crate::search::query::Ranking;

/// What a result list shows of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// Pieces of the best blocks, in page order.
    pub fragments: Vec<Fragment>,
    /// Blocks that pass the filter.
    pub blocks_kept: u32,
    /// All blocks of the page.
    pub blocks_total: u32,
}

/// A piece of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Number of the block on its page.
    pub block: u32,
    /// The text, white space collapsed.
    pub text: String,
    /// Where words of the query stand in the text, in bytes.
    pub highlights: Vec<Range<usize>>,
    /// Text was cut off before.
    pub cut_before: bool,
    /// Text was cut off after.
    pub cut_after: bool,
}

/// Blocks that a snippet quotes at most.
const MAX_FRAGMENTS: usize = 2;

/// Characters of a fragment, about: cut at words.
const FRAGMENT_CHARS: usize = 160;

impl Index {
    /// The snippet of a hit, with these terms marked.
    pub fn snippet<'a>(
        &self,
        terms: impl IntoIterator<Item = &'a str>,
        hit: &Hit,
        ranking: &Ranking,
    ) -> Result<Snippet, IndexError> {
        let blocks = self.page_blocks(hit.page)?;
        let weights = self.block_weights(hit.page, ranking)?;
        let passing: Vec<(u32, &Block)> = (0..)
            .zip(&blocks)
            .zip(&weights)
            .filter_map(|(block, weight)| (*weight > 0).then_some(block))
            .collect();
        let terms: HashSet<String> = terms.into_iter().map(str::to_owned).collect();
        let quoted: Vec<(u32, &Block)> = match hit.block {
            Some(number) => passing
                .iter()
                .copied()
                .filter(|(n, _)| *n == number)
                .collect(),
            None => best_blocks(self.analyzer(), &terms, &passing, &weights),
        };
        Ok(Snippet {
            fragments: quoted
                .into_iter()
                .map(|(number, block)| fragment(self.analyzer(), &terms, number, &block.text))
                .collect(),
            blocks_kept: passing.len() as u32,
            blocks_total: blocks.len() as u32,
        })
    }
}

/// Where words of a text have one of these terms, in bytes, in order; none overlaps the next.
pub fn marks(analyzer: Analyzer, terms: &HashSet<String>, text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    analyzer.for_each_term(text, |term| {
        if terms.contains(term.term) {
            mark(&mut found, term.start..term.end);
        }
    });
    found
}

/// Appends a mark, or makes the last one longer if they overlap, as those of bigrams do.
fn mark(marks: &mut Vec<Range<usize>>, next: Range<usize>) {
    match marks.last_mut() {
        Some(last) if next.start < last.end => last.end = last.end.max(next.end),
        _ => marks.push(next),
    }
}

/// The blocks with most of the query, by weight: ranked by BM25 as if they were the collection, which prefers blocks with terms that are
/// rare on the page; the first ones of a page without any.
fn best_blocks<'a>(
    analyzer: Analyzer,
    terms: &HashSet<String>,
    passing: &[(u32, &'a Block)],
    weights: &[u16],
) -> Vec<(u32, &'a Block)> {
    let mut document_frequency: HashMap<&str, u64> = HashMap::new();
    let mut counted = Vec::with_capacity(passing.len());
    let (mut num, mut terms_in_all) = (0, 0);
    for (_, block) in passing {
        let mut frequencies: HashMap<&str, u32> = HashMap::new();
        let mut length = 0;
        analyzer.for_each_term(&block.text, |term| {
            length += 1;
            if let Some(term) = terms.get(term.term) {
                *frequencies.entry(term).or_default() += 1;
            }
        });
        frequencies
            .keys()
            .for_each(|term| *document_frequency.entry(term).or_default() += 1);
        num += 1;
        terms_in_all += u64::from(length);
        counted.push((frequencies, length));
    }
    let totals = Totals::whole(num, terms_in_all);
    let bm25 = Bm25::default();
    let score = |(frequencies, length): &(HashMap<&str, u32>, u32)| -> f64 {
        let mut found: Vec<(&&str, &u32)> = frequencies.iter().collect();
        found.sort();
        let norm = bm25.norm(f64::from(*length), &totals);
        let of_term = |(term, tf): (&&str, &u32)| {
            let df = document_frequency[*term];
            let term = TermTotals::whole(df, df);
            bm25.weigh(&term, &totals).score(f64::from(*tf), norm)
        };
        found.into_iter().map(of_term).sum()
    };
    let weight = |(number, _): &(u32, &Block)| f64::from(weights[*number as usize]);
    let scores = counted.iter().map(score).zip(passing);
    let mut ranked: Vec<(f64, usize)> = scores
        .map(|(score, block)| score * weight(block))
        .zip(0..)
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<usize> = ranked
        .iter()
        .enumerate()
        .take(MAX_FRAGMENTS)
        .filter(|(rank, (score, _))| *rank == 0 || *score > 0.0)
        .map(|(_, (_, at))| *at)
        .collect();
    chosen.sort_unstable();
    chosen.into_iter().map(|at| passing[at]).collect()
}

/// Cuts the stretch with most different query terms out of a block.
fn fragment(analyzer: Analyzer, terms: &HashSet<String>, block: u32, text: &str) -> Fragment {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    analyzer.for_each_term(&text, |term| {
        if terms.contains(term.term) {
            found.push((term.start..term.end, term.term.to_owned()));
        }
    });
    let window = window(&text, &found);
    let mut highlights = Vec::new();
    for (range, _) in &found {
        if window.start <= range.start && range.end <= window.end {
            let place = range.start - window.start..range.end - window.start;
            mark(&mut highlights, place);
        }
    }
    Fragment {
        block,
        highlights,
        cut_before: window.start > 0,
        cut_after: window.end < text.len(),
        text: text[window].to_owned(),
    }
}

/// The stretch of about [`FRAGMENT_CHARS`] bytes, from word to word, that holds most different terms; the first such.
fn window(text: &str, found: &[(Range<usize>, String)]) -> Range<usize> {
    if text.len() <= FRAGMENT_CHARS {
        return 0..text.len();
    }
    let different = |first: usize| -> usize {
        let end = found[first].0.start + FRAGMENT_CHARS;
        let inside = found[first..]
            .iter()
            .take_while(|(range, _)| range.end <= end);
        inside.map(|(_, term)| term).collect::<HashSet<_>>().len()
    };
    let best = (0..found.len()).rev().max_by_key(|first| different(*first));
    // Some words before the first term give it its sentence.
    let lead = best.map_or(0, |first| {
        found[first].0.start.saturating_sub(FRAGMENT_CHARS / 4)
    });
    let start = lead.min(text.len().saturating_sub(FRAGMENT_CHARS));
    // In a long word without spaces the term may begin before the next word does.
    let first_term = best.map_or(usize::MAX, |first| found[first].0.start);
    let start = word_start(text, start).min(first_term);
    start..word_end(text, start + FRAGMENT_CHARS)
}

/// The beginning of the first word at or after a byte position.
fn word_start(text: &str, at: usize) -> usize {
    if at == 0 {
        return 0;
    }
    let from = text.ceil_char_boundary(at - 1);
    text[from..]
        .find(' ')
        .map_or(from, |space| from + space + 1)
}

/// The end of the last word at or before a byte position; a text without spaces is cut inside its word.
fn word_end(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let to = text.floor_char_boundary(at);
    if text[to..].starts_with(' ') {
        return to;
    }
    text[..to]
        .rfind(' ')
        .filter(|space| *space + FRAGMENT_CHARS / 2 > to)
        .unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(analyzer: Analyzer, query: &str, text: &str, expected: &str) {
        let terms: HashSet<String> = analyzer.terms(query).into_iter().collect();
        let fragment = fragment(analyzer, &terms, 0, text);
        let mut shown = fragment.text.clone();
        for range in fragment.highlights.iter().rev() {
            shown.insert(range.end, ']');
            shown.insert(range.start, '[');
        }
        let dots = |cut| if cut { "…" } else { "" };
        assert_eq!(
            format!(
                "{}{shown}{}",
                dots(fragment.cut_before),
                dots(fragment.cut_after)
            ),
            expected
        );
    }

    #[test]
    fn marks_and_cuts() {
        let check = |query: &str, text: &str, expected: &str| {
            check(Analyzer::English, query, text, expected);
        };
        check(
            "foxes",
            "The quick\n  brown fox's den",
            "The quick brown [fox's] den",
        );
        let filler = "word ".repeat(60);
        let text = format!("{filler}alpha beta {filler}alpha {filler}");
        let expected = format!(
            "…{}[alpha] [beta] {}…",
            "word ".repeat(8),
            "word ".repeat(22).trim_end()
        );
        check("alpha beta", &text, &expected);
        check("none", &"é".repeat(200), &format!("{}…", "é".repeat(80)));
    }

    #[test]
    fn marks_of_bigrams_are_joined() {
        let text = "学生が試験に落ちた。試験は難しい。";
        let expected = "学生が[試験に]落ちた。[試験]は難しい。";
        check(Analyzer::Cjk, "試験に", text, expected);
        let terms = ["試験", "験に"].map(str::to_owned).into();
        assert_eq!(marks(Analyzer::Cjk, &terms, text), [9..18, 30..36]);
    }
}
