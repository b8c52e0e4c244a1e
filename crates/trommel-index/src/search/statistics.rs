//! The statistics of an index under a filter.

use std::sync::{Arc, Mutex, PoisonError};

use trommel_page::filter::Filter;

use crate::format::error::IndexError;
use crate::search::judge::{Judge, Wanted};
use crate::search::model::Totals;
use crate::search::open::Index;
use crate::search::query::{Stats, Unit};
use crate::search::subset::{Kept, Subset, SubsetSlot};

/// What is searched of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Pages, those without text included.
    pub pages: u64,
    /// Blocks.
    pub blocks: u64,
    /// Indexed terms.
    pub terms: u64,
}

impl Index {
    /// How much is searched. The manifest of several directories counts repeated pages too.
    ///
    /// # Errors
    /// Those of reading the blocks' counts.
    pub fn size(&self) -> Result<Size, IndexError> {
        let Kept { blocks, terms, .. } = self.kept(&Filter::default())?;
        Ok(Size {
            pages: self.pages().count() as u64,
            blocks,
            terms,
        })
    }

    /// What passes a filter in the whole index.
    pub fn kept(&self, filter: &Filter) -> Result<Kept, IndexError> {
        Ok(self.subset(filter)?.kept())
    }

    /// The statistics of the index under a filter; those that were used last are kept.
    pub(crate) fn subset(&self, filter: &Filter) -> Result<Arc<Subset>, IndexError> {
        let slot = self.subset_slot(filter);
        // Held while the subset is computed, so that threads that want the same one do not all compute it; those that want
        // another go on.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subset) = slot.as_ref() {
            return Ok(Arc::clone(subset));
        }
        let subset = Arc::new(read(self, filter)?);
        *slot = Some(Arc::clone(&subset));
        Ok(subset)
    }

    /// What statistics are taken from, where it is not what is searched.
    ///
    /// # Errors
    /// [`IndexError::NoStatistics`] if no block passes that has an indexed term.
    pub(crate) fn statistics(&self, stats: &Stats) -> Result<Option<Arc<Subset>>, IndexError> {
        let Some(filter) = stats.filter() else {
            return Ok(None);
        };
        let subset = self.subset(&filter)?;
        match subset.totals(Unit::Page).num {
            0 if !filter.is_empty() => Err(IndexError::NoStatistics(filter.to_string())),
            _ => Ok(Some(subset)),
        }
    }

    /// Where the statistics of a filter are kept. The slot that was not used for longest gives way.
    fn subset_slot(&self, filter: &Filter) -> Arc<SubsetSlot> {
        let mut kept = self.subsets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = kept.get(filter) {
            return Arc::clone(slot);
        }
        let slot = Arc::<SubsetSlot>::default();
        kept.put(filter.clone(), Arc::clone(&slot));
        slot
    }
}

/// Judges all blocks.
fn read(index: &Index, filter: &Filter) -> Result<Subset, IndexError> {
    let mut wanted = Wanted::default();
    let judge = Judge::new(index, filter, &mut wanted)?;
    wanted.pages();
    let block_lengths = index.block_lengths()?;
    let mut page_lengths = vec![0u32; index.num_pages()];
    let mut blocks = Totals::default();
    let mut kept_blocks = 0;
    let mut passing = vec![0u64; index.layout.num_blocks.div_ceil(64)];
    index.for_each_chunk(&wanted, |chunk| {
        for at in 0..chunk.count {
            if !judge.passes(chunk, at) {
                continue;
            }
            let block = chunk.first as usize + at;
            passing[block / 64] |= 1 << (block % 64);
            kept_blocks += 1;
            let length = block_lengths[block];
            if length == 0 {
                continue;
            }
            blocks.num += 1;
            blocks.terms += u64::from(length);
            let of_page = &mut page_lengths[chunk.pages[at] as usize];
            *of_page = of_page.saturating_add(length);
        }
    })?;
    let pages = Totals {
        num: page_lengths.iter().filter(|length| **length > 0).count() as u64,
        terms: blocks.terms,
    };
    Ok(Subset {
        passing: (!judge.passes_all()).then_some(passing),
        page_lengths,
        pages,
        blocks,
        kept_blocks,
        norms: Mutex::default(),
    })
}
