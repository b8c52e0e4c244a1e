//! The statistics of an index under a filter.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use trommel_page::filter::Filter;
use trommel_page::weight::{Unweighable, Weights};

use crate::format::columns;
use crate::format::error::IndexError;
use crate::format::part::Segment;
use crate::format::term_histogram::Lookup;
use crate::format::word_class::least_class;
use crate::search::grain::Grain;
use crate::search::judge::{Chunk, Judge, Wanted, Weigher};
use crate::search::model::Totals;
use crate::search::open::Index;
use crate::search::query::Stats;
use crate::search::subset::{Kept, Subset, SubsetSlot};
use crate::search::titles::Titles;

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
    pub(crate) fn statistics(&self, stats: &Stats) -> Result<Option<Arc<Subset>>, IndexError> {
        let subset = |filter| self.subset(&filter, &Weights::default());
        stats.filter().map(subset).transpose()
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
    if weights.is_one() {
        let passing = judged(index, &judge, &wanted)?;
        let passes = |block: u32| passing[(block / 64) as usize] >> (block % 64) & 1;
        let counted = Counted::new(index, passes)?;
        let passing = (!judge.passes_all()).then_some(passing);
        let subset = counted.subset(index, Grain::One, passing, None, None)?;
        return Ok(Subset {
            lookup: Lookup::of(filter),
            least_class: least_class(filter),
            ..subset
        });
    }
    let weigher = Weigher::new(index, weights, &mut wanted)?;
    let of_blocks = weighed(index, (&judge, &weigher), &wanted, weights)?;
    let mut counted = Counted::new(index, |block| u64::from(of_blocks[block as usize]))?;
    let titles = index.titles(filter, weights)?;
    if let Some(titles) = &titles {
        for (page, length) in (0..).zip(&mut counted.page_lengths) {
            *length += titles.length(page);
        }
    }
    counted.subset(index, Grain::Hundredth, None, Some(of_blocks), titles)
}

/// A bit for each block, numbered through, set where it passes.
fn judged(index: &Index, judge: &Judge, wanted: &Wanted) -> Result<Vec<u64>, IndexError> {
    let mut passing = vec![0u64; index.layout.num_blocks.div_ceil(64)];
    index.for_each_chunk(wanted, |chunk| {
        for at in 0..chunk.count {
            let block = chunk.first as usize + at;
            passing[block / 64] |= u64::from(judge.passes(chunk, at)) << (block % 64);
        }
    })?;
    Ok(passing)
}

/// The weight of each block, numbered through, in hundredths; 0 where it does not pass, which is not weighed.
fn weighed(
    index: &Index,
    (judge, weigher): (&Judge, &Weigher),
    wanted: &Wanted,
    weights: &Weights,
) -> Result<Vec<u16>, IndexError> {
    let mut of_blocks = vec![0u16; index.layout.num_blocks];
    // The first block that cannot be weighed, whatever the order in which threads find them.
    let failed: Mutex<Option<(u32, Unweighable)>> = Mutex::default();
    let mut rest = of_blocks.as_mut_slice();
    for (segment, Segment { columns, .. }) in index.segments.iter().enumerate() {
        let (of_segment, after) = rest.split_at_mut(columns.num_blocks() as usize);
        rest = after;
        let chunks = of_segment.par_chunks_mut(columns::CHUNK).enumerate();
        chunks.try_for_each_init(Chunk::default, |chunk, (number, of_chunk)| {
            let blocks = ((number * columns::CHUNK) as u32, of_chunk.len());
            index.read_chunk(wanted, segment, blocks, chunk)?;
            for (at, weight) in of_chunk.iter_mut().enumerate() {
                if !judge.passes(chunk, at) {
                    continue;
                }
                match weigher.weight(chunk, at) {
                    Ok(hundredths) => *weight = hundredths,
                    Err(error) => {
                        let block = chunk.first + at as u32;
                        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                        if failed.as_ref().is_none_or(|(first, _)| block < *first) {
                            *failed = Some((block, error));
                        }
                    }
                }
            }
            Ok(())
        })?;
    }
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some((block, error)) = failed else {
        return Ok(of_blocks);
    };
    let (page, blocks) = index.layout.page(block);
    let name = format!("block {} of '{}'", block - blocks.start, index.docid(page));
    Err(IndexError::Weights(Box::new(weights.error(&error, &name))))
}

/// What all blocks together count.
struct Counted {
    /// By page, in grains.
    page_lengths: Vec<u64>,
    /// Blocks with an indexed term, and their lengths in grains.
    blocks: (u64, u64),
    kept_blocks: u64,
    kept_terms: u64,
}

impl Counted {
    /// Counts each block by its weight in grains.
    fn new(index: &Index, weight: impl Fn(u32) -> u64) -> Result<Counted, IndexError> {
        let block_lengths = index.block_lengths()?;
        let mut counted = Counted {
            page_lengths: Vec::with_capacity(index.num_pages()),
            blocks: (0, 0),
            kept_blocks: 0,
            kept_terms: 0,
        };
        for page in 0..index.num_pages() as u32 {
            let mut of_page = 0;
            for block in index.layout.blocks(page) {
                let weight = weight(block);
                let length = u64::from(block_lengths[block as usize]);
                let kept = u64::from(weight > 0);
                counted.kept_blocks += kept;
                counted.kept_terms += length * kept;
                counted.blocks.0 += u64::from(length * weight > 0);
                of_page += length * weight;
            }
            counted.blocks.1 += of_page;
            counted.page_lengths.push(of_page);
        }
        Ok(counted)
    }

    fn subset(
        self,
        index: &Index,
        grain: Grain,
        passing: Option<Vec<u64>>,
        weights: Option<Vec<u16>>,
        titles: Option<Titles>,
    ) -> Result<Subset, IndexError> {
        let totals = |(num, terms): (u64, u64)| Totals {
            num,
            terms: grain.hundredths(terms),
        };
        let with_terms = self.page_lengths.iter().filter(|length| **length > 0);
        let pages = (with_terms.count() as u64, self.page_lengths.iter().sum());
        let length = |(page, length): (u32, u64)| {
            u32::try_from(length).map_err(|_| IndexError::TooHeavy {
                docid: index.docid(page).to_owned(),
                length: grain.hundredths(length),
            })
        };
        let page_lengths = (0..).zip(self.page_lengths).map(length);
        Ok(Subset {
            passing,
            weights,
            titles,
            page_lengths: page_lengths.collect::<Result<_, _>>()?,
            pages: totals(pages),
            blocks: totals(self.blocks),
            kept_blocks: self.kept_blocks,
            kept_terms: self.kept_terms,
            lookup: None,
            least_class: 0,
            known: Mutex::default(),
            norms: Mutex::default(),
        })
    }
}
