//! Facets: how many pages, or blocks, have each value of an attribute that is no number, under a filter.

use std::collections::BTreeMap;

use trommel_page::attribute::{Attribute, Date, Kind, PageWord};
use trommel_page::filter::Filter;
use trommel_page::weight::Weights;

use crate::format::error::IndexError;
use crate::format::guard;
use crate::format::schema::DAY;
use crate::search::judge::{Chunk, Wanted};
use crate::search::open::Index;

/// A value with the number of pages, or blocks, that have it.
pub type ValueCount = (String, u64);

impl Index {
    /// How many of the pages that a filter leaves have each value of an attribute: of a word about pages its values, of the date its
    /// years. Of the tag, how many of the blocks that pass. What is most frequent stands first, then by value; pages without a value
    /// are not counted, and numbers have no facets.
    ///
    /// # Errors
    /// Those of [`Index::require`].
    pub fn facet(
        &self,
        attribute: &Attribute,
        filter: &Filter,
    ) -> Result<Vec<ValueCount>, IndexError> {
        let subset = self.subset(filter, &Weights::default())?;
        let is_kept = |page: u32| subset.page_lengths[page as usize] > 0;
        let mut counts = BTreeMap::<String, u64>::new();
        match &attribute.kind {
            Kind::Number(_) | Kind::Confidence => {}
            Kind::Tag => self.count_tags(|block| subset.passes(block), &mut counts)?,
            Kind::Word(word) => {
                let derive = |text: String| match word.derive {
                    Some(derive) => derive(&text),
                    None => text,
                };
                self.count_words(word.of, is_kept, derive, &mut counts)?;
            }
            Kind::Date => self.count_years(is_kept, &mut counts)?,
        }
        let mut counts: Vec<ValueCount> =
            counts.into_iter().filter(|(_, count)| *count > 0).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Ok(counts)
    }

    fn count_tags(
        &self,
        passes: impl Fn(u64) -> bool,
        counts: &mut BTreeMap<String, u64>,
    ) -> Result<(), IndexError> {
        let names = self.tags()?;
        let mut by_number: Vec<Vec<u64>> = names.iter().map(|of| vec![0; of.len()]).collect();
        let mut wanted = Wanted::default();
        wanted.tags();
        self.for_each_chunk(&wanted, |chunk: &Chunk| {
            let by_number = &mut by_number[chunk.segment];
            for (block, tag) in (chunk.first..).zip(&chunk.tags) {
                if passes(block)
                    && let Some(count) = by_number.get_mut(*tag as usize)
                {
                    *count += 1;
                }
            }
        })?;
        let all = names.into_iter().flatten();
        for (name, count) in all.zip(by_number.into_iter().flatten()) {
            *counts.entry(name).or_default() += count;
        }
        // Blocks in no structural tag have the empty one, which is no value to choose.
        counts.remove("");
        Ok(())
    }

    fn count_words(
        &self,
        word: PageWord,
        is_kept: impl Fn(u32) -> bool,
        derive: impl Fn(String) -> String,
        counts: &mut BTreeMap<String, u64>,
    ) -> Result<(), IndexError> {
        for part in &self.parts {
            guard::reading(&part.pages.path, || {
                let Some((column, words)) = part.words(word)? else {
                    return Ok(());
                };
                let mut by_number = vec![0u64; words.len()];
                for doc in 0..part.pages.reader.max_doc() {
                    if let Some(ord) = column.term_ords(doc).next()
                        && is_kept(part.first_page + doc)
                    {
                        by_number[ord as usize] += 1;
                    }
                }
                for (word, count) in words.into_iter().zip(by_number) {
                    *counts.entry(derive(word)).or_default() += count;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn count_years(
        &self,
        is_kept: impl Fn(u32) -> bool,
        counts: &mut BTreeMap<String, u64>,
    ) -> Result<(), IndexError> {
        for part in &self.parts {
            guard::reading(&part.pages.path, || {
                let column = part.dates()?;
                for doc in 0..part.pages.reader.max_doc() {
                    let day = column
                        .first(doc)
                        .map(|time| time.into_timestamp_secs().div_euclid(DAY));
                    if let Some(date) = day.and_then(Date::from_days)
                        && is_kept(part.first_page + doc)
                    {
                        *counts.entry(date.year().to_string()).or_default() += 1;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
