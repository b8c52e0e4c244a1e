//! Which words are typical of thin and of dense text: WWW 2009 §3.

use std::collections::HashMap;

use serde::Serialize;
use trommel_page::Block;
use trommel_text::Analyzer;

use super::histogram::rounded_density;
use super::power_law::{self, PowerLaw};

/// π₁ is the blocks of rounded density up to this, π₂ the denser ones.
pub const LAST_OF_THIN: usize = 8;
/// From this |ε| on the paper takes a term for typical.
pub const TYPICAL: f64 = 0.05;

/// A word and how typical it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Term {
    /// The word, in lower case.
    pub term: String,
    /// ε, −1..=1: below 0 the word is typical of thin text, above of dense text.
    pub typicality: f64,
    /// Pages with the word in thin blocks.
    pub thin_pages: u32,
    /// Pages with the word in dense blocks.
    pub dense_pages: u32,
}

impl Term {
    /// Pages with it in dense blocks by those in thin ones, one more each.
    fn ratio(&self) -> f64 {
        (f64::from(self.dense_pages) + 1.0) / (f64::from(self.thin_pages) + 1.0)
    }
}

/// The typical terms of a collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Typicality {
    /// Pages that a term must stand on to count.
    pub min_pages: u32,
    /// Terms that count.
    pub terms: usize,
    /// Those with an ε of −0.05 or less.
    pub typical_of_thin: usize,
    /// Those with an ε of 0.05 or more.
    pub typical_of_dense: usize,
    /// The most typical terms of thin text, the most typical first.
    pub thin: Vec<Term>,
    /// Those of dense text.
    pub dense: Vec<Term>,
    /// How the ratios of all terms fall with their rank.
    pub power_law: Option<PowerLaw>,
}

/// Equation 2: ε = log_{N+1} (w₂ + 1)/(w₁ + 1), from the numbers of pages with a term in π₁ and π₂ and of all pages.
pub fn typicality(thin_pages: u32, dense_pages: u32, pages: u32) -> f64 {
    let ratio = (f64::from(dense_pages) + 1.0) / (f64::from(thin_pages) + 1.0);
    match pages {
        0 => 0.0,
        _ => ratio.ln() / f64::from(pages).ln_1p(),
    }
}

/// Counts the pages of every word.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    pages: u32,
    counts: HashMap<Box<str>, Counts>,
}

/// Pages with a word in π₁, in π₂, in either, and the last page that was counted for each, numbered from 1.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    pages: [u32; 3],
    last: [u32; 3],
}

impl Terms {
    /// Counts the words of a page.
    pub fn add(&mut self, blocks: &[Block]) {
        self.pages = self.pages.saturating_add(1);
        let page = self.pages;
        for block in blocks {
            let part = usize::from(rounded_density(block) > LAST_OF_THIN);
            Analyzer::Plain.for_each_term(&block.text, |found| {
                let counts = match self.counts.get_mut(found.term) {
                    Some(counts) => counts,
                    None => self.counts.entry(found.term.into()).or_default(),
                };
                for place in [part, 2] {
                    if counts.last[place] != page {
                        counts.last[place] = page;
                        counts.pages[place] += 1;
                    }
                }
            });
        }
    }

    /// The terms of at least `min_pages` pages, and the `top` most typical ones.
    pub fn finish(self, min_pages: u32, top: usize) -> Typicality {
        let pages = self.pages;
        let counted = self.counts.into_iter();
        let mut terms: Vec<Term> = counted
            .filter(|(_, counts)| counts.pages[2] >= min_pages)
            .map(|(term, counts)| {
                let [thin_pages, dense_pages, _] = counts.pages;
                Term {
                    term: term.into(),
                    typicality: typicality(thin_pages, dense_pages, pages),
                    thin_pages,
                    dense_pages,
                }
            })
            .collect();
        let by_typicality = |a: &Term, b: &Term| {
            a.typicality
                .total_cmp(&b.typicality)
                .then_with(|| a.term.cmp(&b.term))
        };
        terms.sort_by(by_typicality);
        let number = |passes: fn(&Term) -> bool| terms.iter().filter(|it| passes(it)).count();
        let thin = terms.iter().take(top);
        let thin = thin.filter(|it| it.typicality < 0.0).cloned().collect();
        let mut dense: Vec<Term> = terms.iter().rev().take(top).cloned().collect();
        dense.retain(|it| it.typicality > 0.0);
        dense.sort_by(|a, b| {
            let higher = b.typicality.total_cmp(&a.typicality);
            higher.then_with(|| a.term.cmp(&b.term))
        });
        Typicality {
            min_pages,
            terms: terms.len(),
            typical_of_thin: number(|it| it.typicality <= -TYPICAL),
            typical_of_dense: number(|it| it.typicality >= TYPICAL),
            power_law: power_law::fit(terms.iter().map(Term::ratio).collect()),
            thin,
            dense,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str, density: u32) -> Block {
        Block {
            text: text.to_owned(),
            num_words_in_full_lines: density,
            num_lines: 1,
            ..Block::default()
        }
    }

    #[test]
    fn pages_are_counted_once() {
        let mut terms = Terms::default();
        terms.add(&[
            block("Login login", 2),
            block("login", 8),
            block("storm The", 9),
        ]);
        terms.add(&[block("storm the", 12), block("the", 3)]);
        terms.add(&[block("login", 1)]);
        let found = terms.finish(2, 10);
        assert_eq!((found.terms, found.min_pages), (3, 2));
        let row = |term: &Term| (term.term.clone(), term.thin_pages, term.dense_pages);
        let thin: Vec<_> = found.thin.iter().map(row).collect();
        assert_eq!(thin, [("login".to_owned(), 2, 0)]);
        let dense: Vec<_> = found.dense.iter().map(row).collect();
        assert_eq!(
            dense,
            [("storm".to_owned(), 0, 2), ("the".to_owned(), 1, 2)]
        );
        // log₄ 1/3 and log₄ 3/1, by the definition.
        let expected = 3f64.ln() / 4f64.ln();
        assert!((found.thin[0].typicality + expected).abs() < 1e-12);
        assert!((found.dense[0].typicality - expected).abs() < 1e-12);
        assert_eq!((found.typical_of_thin, found.typical_of_dense), (1, 2));
    }

    /// The ends of the scale: on no page of one part and on all N of the other.
    #[test]
    fn scale() {
        assert!((typicality(0, 50, 50) - 1.0).abs() < 1e-12);
        assert!((typicality(50, 0, 50) + 1.0).abs() < 1e-12);
        assert_eq!(typicality(7, 7, 50), 0.0);
        assert_eq!(typicality(0, 0, 0), 0.0);
    }
}
