//! The terms of a page, made again from its text.

use std::collections::HashMap;

use crate::format::error::IndexError;
use crate::search::open::Index;

/// The terms of a page: for each, in alphabetical order, the blocks that have it and how often.
pub(crate) type PageTerms = Vec<(String, Vec<(u32, u32)>)>;

impl Index {
    /// The terms of a page as they were indexed, made again from the stored text; those of its title, if asked for, as of a block
    /// behind the last.
    pub(crate) fn page_terms(&self, page: u32, with_title: bool) -> Result<PageTerms, IndexError> {
        let mut texts: Vec<String> = self
            .page_blocks(page)?
            .into_iter()
            .map(|it| it.text)
            .collect();
        if with_title {
            texts.push(self.page(page)?.title);
        }
        let mut terms: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        for (number, text) in (0u32..).zip(texts) {
            self.analyzer.for_each_term(&text, |term| {
                let blocks = match terms.get_mut(term.term) {
                    Some(blocks) => blocks,
                    None => terms.entry(term.term.to_owned()).or_default(),
                };
                match blocks.last_mut() {
                    Some((last, tf)) if *last == number => *tf += 1,
                    _ => blocks.push((number, 1)),
                }
            });
        }
        let mut terms: PageTerms = terms.into_iter().collect();
        terms.sort_unstable();
        Ok(terms)
    }
}
