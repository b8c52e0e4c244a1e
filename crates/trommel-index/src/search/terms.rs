//! All terms under a filter, and what scorers want to know of some.

/// Terms whose postings are read at the same time.
const TOGETHER: usize = 4096;

use rayon::prelude::*;
use tantivy::termdict::TermMerger;
use trommel_page::filter::Filter;
use trommel_page::weight::Weights;

use crate::format::error::IndexError;
use crate::format::guard;
use crate::search::gather::gather;
use crate::search::model::{TermTotals, Totals};
use crate::search::open::Index;
use crate::search::query::{Ranking, Unit};
use crate::search::view::{SearchView, View};

impl Index {
    /// The statistics that a ranking goes by: N and |C|, and df and cf of each term, as the analyzer makes it. Of the ranking the filter, the
    /// weights, the unit, and where statistics come from bear on it.
    ///
    /// # Errors
    /// Those of a search by this ranking.
    pub fn term_statistics(
        &self,
        terms: &[String],
        ranking: &Ranking,
    ) -> Result<(Totals, Vec<TermTotals>), IndexError> {
        let view = SearchView::new(self, ranking)?;
        let of_terms = terms.par_iter().map(|term| view.statistics_of(term));
        Ok((view.totals(), of_terms.collect::<Result<_, _>>()?))
    }

    /// The terms of each page under a filter: by its number how many stand in passing blocks.
    ///
    /// # Errors
    /// Those of a search under the filter.
    pub fn page_term_counts(&self, filter: &Filter) -> Result<Vec<u64>, IndexError> {
        let subset = self.subset(filter, &Weights::default())?;
        let length = |page: u32| match self.is_repeated(page) {
            true => 0,
            false => u64::from(subset.page_lengths[page as usize]),
        };
        Ok((0..self.num_pages() as u32).map(length).collect())
    }

    /// Calls `each` with every term that stands in a passing block, in the order of their bytes, and the pages that have it there with its
    /// frequency, in the order of their numbers; on the threads of the current rayon pool the postings are read.
    ///
    /// # Errors
    /// Those of the index, and of `each`.
    pub fn for_each_term<E: From<IndexError>>(
        &self,
        filter: &Filter,
        mut each: impl FnMut(&str, &[(u32, u32)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let subset = self.subset(filter, &Weights::default())?;
        let field = self.block_fields.terms;
        let mut inverted = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            let path = &segment.stored.path;
            let of_segment = segment.stored.reader.inverted_index(field);
            inverted.push(of_segment.map_err(IndexError::tantivy(path))?);
        }
        let streams = inverted
            .iter()
            .zip(&self.segments)
            .map(|(inverted, segment)| {
                let stream = inverted.terms().stream();
                stream.map_err(IndexError::io(&segment.stored.path))
            });
        let mut terms = TermMerger::new(streams.collect::<Result<Vec<_>, _>>()?);
        let mut next = || -> Result<Vec<String>, IndexError> {
            let mut some = Vec::new();
            guard::reading(self.path(), || {
                while some.len() < TOGETHER && terms.advance() {
                    some.push(String::from_utf8_lossy(terms.key()).into_owned());
                }
                Ok(some)
            })
        };
        loop {
            let some = next()?;
            if some.is_empty() {
                return Ok(());
            }
            let postings = some.par_iter().map(|term| {
                let mut found = gather(self, &subset, None, Unit::Page, term)?.entries;
                found.retain(|(_, tf)| *tf > 0);
                found.sort_unstable();
                Ok(found)
            });
            let postings = postings.collect::<Result<Vec<_>, IndexError>>()?;
            for (term, postings) in some.iter().zip(&postings) {
                if !postings.is_empty() {
                    each(term, postings)?;
                }
            }
        }
    }
}
