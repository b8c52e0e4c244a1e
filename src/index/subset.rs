//! The index as a filter leaves it: which blocks pass, how long pages are, and the totals that models need.

use super::{Filter, Index, IndexError, Unit};

/// The index under a filter.
pub(super) struct Subset {
    /// For each segment a bit for each block, set where it passes; none where all pass.
    passing: Option<Vec<Vec<u64>>>,
    /// Indexed terms in the passing blocks of each page.
    pub page_lengths: Vec<u32>,
    pages: Totals,
    blocks: Totals,
}

/// Size of a collection: of its pages, or of its blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// N: pages (or blocks) with at least one indexed term in a passing block.
    pub num: u64,
    /// |C|: indexed terms in passing blocks.
    pub terms: u64,
}

impl Totals {
    /// Average length; 0 for an empty collection.
    pub fn average_length(&self) -> f64 {
        if self.num == 0 {
            return 0.0;
        }
        self.terms as f64 / self.num as f64
    }
}

impl Subset {
    pub fn read(index: &Index, filter: &Filter) -> Result<Subset, IndexError> {
        let labels = filter.extractor.as_deref();
        let labels = labels.map(|name| index.labels(name)).transpose()?;
        let mut page_lengths = vec![0u32; index.num_pages()];
        let mut blocks = Totals::default();
        let mut passing = Vec::new();
        for (segment, reader) in index.blocks.segment_readers().iter().enumerate() {
            let columns = &index.columns[segment];
            let max_doc = reader.max_doc();
            let mut bits = vec![0u64; max_doc.div_ceil(64) as usize];
            for doc in 0..max_doc {
                if filter.has_bounds() && !filter.passes(&columns.counts(doc), index.unit) {
                    continue;
                }
                if let Some(labels) = &labels {
                    let (page, block) = (columns.page.get_val(doc), columns.block.get_val(doc));
                    let number = index.layout.number(page as u32, block as u32);
                    if !labels.is_content(number) {
                        continue;
                    }
                }
                bits[(doc / 64) as usize] |= 1 << (doc % 64);
                let length = columns.num_terms.get_val(doc);
                if length > 0 {
                    blocks.num += 1;
                    blocks.terms += length;
                    let page = columns.page.get_val(doc) as usize;
                    if let Some(sum) = page_lengths.get_mut(page) {
                        *sum = sum.saturating_add(length as u32);
                    }
                }
            }
            passing.push(bits);
        }
        let pages = Totals {
            num: page_lengths.iter().filter(|length| **length > 0).count() as u64,
            terms: blocks.terms,
        };
        Ok(Subset {
            passing: (!filter.is_empty()).then_some(passing),
            page_lengths,
            pages,
            blocks,
        })
    }

    /// The size of the collection in what is ranked.
    pub fn totals(&self, unit: Unit) -> Totals {
        match unit {
            Unit::Page => self.pages,
            Unit::Block => self.blocks,
        }
    }

    /// Does a block pass the filter?
    pub fn passes(&self, segment: u32, doc: u32) -> bool {
        match &self.passing {
            None => true,
            Some(segments) => {
                segments[segment as usize][(doc / 64) as usize] >> (doc % 64) & 1 == 1
            }
        }
    }
}

impl Index {
    /// Which blocks of a page pass a filter, in order.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if the filter's extractor has no labels in the index.
    pub fn passing(&self, page: u32, filter: &Filter) -> Result<Vec<bool>, IndexError> {
        let subset = self.subset(filter)?;
        let extent = self.layout.extent(page);
        Ok((0..extent.count)
            .map(|block| subset.passes(extent.segment, extent.first_doc + block))
            .collect())
    }
}
