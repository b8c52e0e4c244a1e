//! Titles of pages as blocks, where weights count them.
//!
//! A title is a block that no remover judges and that all keep: every verdict on it is content, every confidence 1.00. It is the
//! first on its page, has no links, and its other values are counted as a block's are. It is no result of its own where blocks are
//! ranked.

use std::ops::Range;

use trommel_page::attribute::{Attribute, Date, Kind, Place};
use trommel_page::filter::{Facts, Filter};
use trommel_page::weight::{Weights, title_block};

use crate::format::error::IndexError;
use crate::format::page_record::PageRecord;
use crate::format::part::Part;
use crate::search::expression::Field;
use crate::search::open::Index;
use crate::search::subset::Titles;
use crate::search::threads::in_parallel;

/// What is known of a title besides its text.
struct TitleFacts<'a> {
    index: &'a Index,
    page: u32,
    record: &'a PageRecord,
}

impl Facts for TitleFacts<'_> {
    fn is_content(&self, _: &str) -> bool {
        true
    }

    fn confidence(&self, _: Option<&str>) -> Option<u32> {
        Some(100)
    }

    fn word(&self, attribute: &Attribute) -> Option<String> {
        let Kind::Word(word) = &attribute.kind else {
            return None;
        };
        let own = self.index.page_word(self.page, word.of).ok()?;
        let own = (!own.is_empty()).then_some(own)?;
        Some(match word.derive {
            Some(derive) => derive(&own),
            None => own,
        })
    }

    fn date(&self) -> Option<Date> {
        Date::of_time(&self.record.date)
    }
}

/// Titles that one thread reads in a row.
const CHUNK: u32 = 1024;

impl Index {
    /// The titles of all pages under a filter; none if the weights do not count titles.
    ///
    /// # Errors
    /// [`IndexError::Weights`] for a title that cannot be weighed, and those of reading.
    pub(crate) fn titles(
        &self,
        filter: &Filter,
        weights: &Weights,
    ) -> Result<Option<Titles>, IndexError> {
        if !weights.weigh_titles() {
            return Ok(None);
        }
        let read = self.for_each_title((0, 0), |place, facts, docid| {
            if !filter.passes(place, facts) {
                return Ok((0, 0));
            }
            let weight = weights.weight(place, facts).map_err(|error| {
                let title = format!("the title of '{docid}'");
                IndexError::Weights(Box::new(weights.error(&error, &title)))
            })?;
            let mut length = 0;
            let text = &place.block.text;
            self.analyzer.for_each_term(text, |_| length += 1);
            Ok((weight, length))
        })?;
        let (weights, lengths) = read.into_iter().unzip();
        Ok(Some(Titles { weights, lengths }))
    }

    /// By page how many leading filters its title passes, of which each is within the one before.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn title_levels(&self, filters: &[Filter]) -> Result<Vec<u16>, IndexError> {
        self.for_each_title(0, |place, facts, _| {
            Ok(filters.partition_point(|filter| filter.passes(place, facts)) as u16)
        })
    }

    /// By page what is made of its title and docid; `none` where a page has no title, or is left out.
    fn for_each_title<T: Copy + Send + Sync>(
        &self,
        none: T,
        make: impl Fn(&Place, &TitleFacts, &str) -> Result<T, IndexError> + Sync,
    ) -> Result<Vec<T>, IndexError> {
        let end = self.num_pages() as u32;
        let starts = (0..end).step_by(CHUNK as usize);
        let chunks = starts.map(|start| start..end.min(start + CHUNK)).collect();
        let made = in_parallel(chunks, |pages: Range<u32>| {
            let titles = pages.map(|page| self.title(page, none, &make));
            titles.collect::<Result<Vec<_>, IndexError>>()
        })?;
        Ok(made.into_iter().flatten().collect())
    }

    fn title<T>(
        &self,
        page: u32,
        none: T,
        make: &impl Fn(&Place, &TitleFacts, &str) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let record = self.page(page)?;
        if record.title.is_empty() || self.is_repeated(page) {
            return Ok(none);
        }
        let words = self.page_word_counts(page)?;
        let block = title_block(&record.title);
        let place = Place {
            block: &block,
            position: 0,
            words_before: 0,
            page_words: words.into_iter().fold(0, u32::saturating_add),
            unit: self.unit,
        };
        let facts = TitleFacts {
            index: self,
            page,
            record: &record,
        };
        make(&place, &facts, &record.docid)
    }

    /// Number of pages that have a term in their titles; repeated ones are among them.
    pub(crate) fn num_titles_with(&self, term: &str) -> Result<u64, IndexError> {
        let field = self.page_fields.title_terms;
        let mut titles = 0;
        for Part { pages, .. } in &self.parts {
            titles += u64::from(pages.doc_freq(field, term)?);
        }
        Ok(titles)
    }

    /// The pages that have a term or phrase in their titles, and how often.
    pub(crate) fn titles_with(&self, term: &str) -> Result<Vec<(u32, u32)>, IndexError> {
        self.pages_having(Field::Title, term)
    }
}
