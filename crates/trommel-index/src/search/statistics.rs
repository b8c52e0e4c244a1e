//! The statistics of an index under a filter.

use std::sync::{Arc, Mutex, PoisonError};

use trommel_page::filter::Filter;
use trommel_page::weight::{Unweighable, Weights};

use crate::format::error::IndexError;
use crate::search::grain::Grain;
use crate::search::judge::{Judge, Wanted, Weigher};
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
        Ok(self.subset(filter, &Weights::default())?.kept())
    }

    /// The statistics of the index under a filter and weights; those that were used last are kept.
    pub(crate) fn subset(
        &self,
        filter: &Filter,
        weights: &Weights,
    ) -> Result<Arc<Subset>, IndexError> {
        let slot = self.subset_slot(filter, weights);
        // Held while the subset is computed, so that threads that want the same one do not all compute it; those that want
        // another go on.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(subset) = slot.as_ref() {
            return Ok(Arc::clone(subset));
        }
        let subset = Arc::new(read(self, filter, weights)?);
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
        let subset = self.subset(&filter, &Weights::default())?;
        match subset.totals(Unit::Page).num {
            0 if !filter.is_empty() => Err(IndexError::NoStatistics(filter.to_string())),
            _ => Ok(Some(subset)),
        }
    }

    /// Where the statistics of a filter and weights are kept. The slot that was not used for longest gives way.
    fn subset_slot(&self, filter: &Filter, weights: &Weights) -> Arc<SubsetSlot> {
        let key = (filter.clone(), weights.clone());
        let mut kept = self.subsets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = kept.get(&key) {
            return Arc::clone(slot);
        }
        let slot = Arc::<SubsetSlot>::default();
        kept.put(key, Arc::clone(&slot));
        slot
    }
}

/// Judges and weighs all blocks.
fn read(index: &Index, filter: &Filter, weights: &Weights) -> Result<Subset, IndexError> {
    let mut wanted = Wanted::default();
    let judge = Judge::new(index, filter, &mut wanted)?;
    let weigher = match weights.is_one() {
        true => None,
        false => Some(Weigher::new(index, weights, &mut wanted)?),
    };
    wanted.pages();
    let grain = match weigher {
        None => Grain::One,
        Some(_) => Grain::Hundredth,
    };
    let block_lengths = index.block_lengths()?;
    let num_blocks = index.layout.num_blocks;
    let mut page_lengths = vec![0u64; index.num_pages()];
    let (mut num, mut terms) = (0, 0);
    let (mut kept_blocks, mut kept_terms) = (0, 0);
    let mut passing = vec![0u64; num_blocks.div_ceil(64)];
    let mut of_blocks = weigher.as_ref().map(|_| vec![0u16; num_blocks]);
    let mut failed: Option<(u32, Unweighable)> = None;
    index.for_each_chunk(&wanted, |chunk| {
        for at in 0..chunk.count {
            if !judge.passes(chunk, at) {
                continue;
            }
            let block = chunk.first as usize + at;
            let mut weight = 1;
            if let (Some(weigher), Some(of_blocks)) = (&weigher, &mut of_blocks) {
                let hundredths = weigher.weight(chunk, at).unwrap_or_else(|error| {
                    failed.get_or_insert((block as u32, error));
                    0
                });
                of_blocks[block] = hundredths;
                weight = u64::from(hundredths);
            }
            if weight == 0 {
                continue;
            }
            passing[block / 64] |= 1 << (block % 64);
            kept_blocks += 1;
            let length = u64::from(block_lengths[block]);
            if length == 0 {
                continue;
            }
            num += 1;
            kept_terms += length;
            terms += length * weight;
            page_lengths[chunk.pages[at] as usize] += length * weight;
        }
    })?;
    if let Some((block, error)) = failed {
        let (page, blocks) = index.layout.page(block);
        let name = format!("block {} of '{}'", block - blocks.start, index.docid(page));
        return Err(IndexError::Weights(Box::new(weights.error(&error, &name))));
    }
    let blocks = Totals {
        num,
        terms: grain.hundredths(terms),
    };
    let titles = index.titles(&[filter], weights)?;
    if let Some(titles) = &titles {
        for (page, length) in (0..).zip(&mut page_lengths) {
            *length += titles.length(page);
        }
    }
    let pages = Totals {
        num: page_lengths.iter().filter(|length| **length > 0).count() as u64,
        terms: grain.hundredths(page_lengths.iter().sum()),
    };
    let length = |(page, length): (u32, u64)| {
        u32::try_from(length).map_err(|_| IndexError::TooHeavy {
            docid: index.docid(page).to_owned(),
            length: grain.hundredths(length),
        })
    };
    let page_lengths = (0..).zip(page_lengths).map(length);
    let page_lengths = page_lengths.collect::<Result<Vec<_>, _>>()?;
    let all_pass = judge.passes_all() && weigher.is_none();
    Ok(Subset {
        passing: (!all_pass).then_some(passing),
        weights: of_blocks,
        titles,
        page_lengths,
        pages,
        blocks,
        kept_blocks,
        kept_terms,
        norms: Mutex::default(),
    })
}
