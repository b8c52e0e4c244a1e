//! The statistics of an index under a filter.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::directory::OwnedBytes;
use trommel_page::filter::Filter;
use trommel_page::weight::{Unweighable, Weights};

use crate::format::error::IndexError;
use crate::format::layout::aligned;
use crate::format::part::Segment;
use crate::format::term_histogram::Lookup;
use crate::format::word_class::least_class;
use crate::format::{columns, guard};
use crate::search::cache::{Bounds, Cache};
use crate::search::grain::Grain;
use crate::search::judge::{Chunk, Judge, Wanted, Weigher};
use crate::search::model::Totals;
use crate::search::open::Index;
use crate::search::page_lengths::PageLengths;
use crate::search::query::Unit;
use crate::search::stats::Stats;
use crate::search::subset::{Kept, Subset, SubsetSlot, next_number};
use crate::search::threads::in_parallel;

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
    /// Keeps what filters and weights make of the index as files in a directory, which is made when it is first needed, and takes it from
    /// there where it is, by whatever process it was made. Results are the same. The directory may be removed at any time; it keeps the 32
    /// files that were written last, and other indexes may have theirs there as well.
    ///
    /// What cannot be read or written there, or is damaged, is no error: `warn` is told, and the index searched without.
    #[must_use]
    pub fn with_cache(
        self,
        directory: &Path,
        warn: impl Fn(&str) + Send + Sync + 'static,
    ) -> Index {
        let manifests = self.directories.iter().map(|it| &it.manifest);
        let cache = Cache::of(directory, manifests, Box::new(warn));
        Index { cache, ..self }
    }

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

    /// May what is asked for be ranked?
    ///
    /// # Errors
    /// [`IndexError::TooManyToRank`] for single blocks of more than 32 bits number. A ranking keeps some 30 bytes for each, so that
    /// memory would not do either.
    pub(crate) fn can_rank(&self, unit: Unit) -> Result<(), IndexError> {
        match unit == Unit::Block && self.layout.end > u64::from(u32::MAX) {
            true => Err(IndexError::TooManyToRank {
                blocks: self.layout.num_blocks,
            }),
            false => Ok(()),
        }
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
        let subset = Arc::new(self.kept_or_read(filter, weights)?);
        *slot = Some(Arc::clone(&subset));
        Ok(subset)
    }

    /// The statistics of the index under a filter and weights: what another process has kept of them, if there is a cache.
    fn kept_or_read(&self, filter: &Filter, weights: &Weights) -> Result<Subset, IndexError> {
        self.layout.verify()?;
        let cache = self.cache.as_ref();
        let bounds = Bounds {
            pages: self.num_pages(),
            end: self.layout.end,
        };
        if let Some(subset) = cache.and_then(|cache| cache.get(bounds, filter, weights)) {
            return Ok(subset);
        }
        let subset = read(self, filter, weights)?;
        if let Some(cache) = cache {
            cache.put(filter, weights, &subset);
        }
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
    let weigher = match weights.is_one() {
        true => None,
        false => Some(Weigher::new(index, weights, &mut wanted)?),
    };
    // What is kept of each block: a bit, a weight, or nothing where all pass.
    let bits = match (&weigher, judge.passes_all()) {
        (Some(_), _) => 16,
        (None, false) => 1,
        (None, true) => 0,
    };
    let mut kept = vec![0; index.layout.end as usize / 8 * bits];
    let tasks = tasks(index, bits, &mut kept);
    let counting = Counting {
        index,
        judge: &judge,
        weigher: weigher.as_ref().map(|weigher| (weigher, weights)),
        wanted: &wanted,
        page_lengths: PageLengths::new(index.num_pages()),
    };
    let mut counted = Counted::default();
    for of_task in in_parallel(tasks, |task| counting.count(task))? {
        counted.add(of_task);
    }
    let grain = match weigher {
        None => Grain::One,
        Some(_) => Grain::Hundredth,
    };
    let titles = index.titles(filter, weights)?;
    let page_lengths = counting.page_lengths;
    for page in (0..index.num_pages() as u32).filter(|_| titles.is_some()) {
        let length = titles.as_ref().map_or(0, |titles| titles.length(page));
        page_lengths.add(page, length);
    }
    let page_lengths = page_lengths.finish().map_err(|(page, length)| {
        let docid = index.docid(page).to_owned();
        let length = grain.hundredths(length);
        IndexError::TooHeavy { docid, length }
    })?;
    let with_terms = page_lengths.iter().filter(|length| **length > 0);
    let pages = with_terms.fold((0, 0), |(num, terms), length| {
        (num + 1, terms + u64::from(*length))
    });
    let totals = |(num, terms): (u64, u64)| Totals {
        num,
        terms: grain.hundredths(terms),
    };
    let mut kept = Some(OwnedBytes::new(kept));
    Ok(Subset {
        passing: kept.take_if(|_| bits == 1),
        weights: kept.take_if(|_| bits == 16),
        titles,
        page_lengths,
        pages: totals(pages),
        blocks: totals(counted.blocks),
        kept_blocks: counted.kept_blocks,
        kept_terms: counted.kept_terms,
        lookup: match weigher {
            None => Lookup::of(filter),
            Some(_) => None,
        },
        least_class: least_class(filter),
        number: next_number(),
        known: Mutex::default(),
        totals: Mutex::default(),
        norms: Mutex::default(),
    })
}

/// Some consecutive blocks of a segment that one thread counts.
struct Task<'k> {
    segment: usize,
    first: u32,
    count: u32,
    /// Where to put what is kept of them.
    kept: &'k mut [u8],
}

/// Blocks of a task: whole chunks.
const TASK: u32 = columns::CHUNK as u32 * if cfg!(test) { 1 } else { 256 };

/// All blocks, of each of which so many bits are kept.
fn tasks<'k>(index: &Index, bits: usize, mut kept: &'k mut [u8]) -> Vec<Task<'k>> {
    let mut tasks = Vec::new();
    for (segment, Segment { columns, .. }) in index.segments.iter().enumerate() {
        let (mut first, blocks) = (0, columns.num_blocks());
        while first < blocks {
            let count = TASK.min(blocks - first);
            let of_task = aligned(count) as usize / 8 * bits;
            let (of_task, rest) = std::mem::take(&mut kept).split_at_mut(of_task);
            kept = rest;
            tasks.push(Task {
                segment,
                first,
                count,
                kept: of_task,
            });
            first += count;
        }
    }
    tasks
}

/// What blocks are counted by.
struct Counting<'a> {
    index: &'a Index,
    judge: &'a Judge,
    /// What weighs blocks, and by what; none where each that passes counts 1.
    weigher: Option<(&'a Weigher, &'a Weights)>,
    wanted: &'a Wanted,
    /// In grains.
    page_lengths: PageLengths,
}

impl Counting<'_> {
    /// Counts some blocks.
    fn count(&self, task: Task) -> Result<Counted, IndexError> {
        let Task {
            segment,
            first,
            count,
            mut kept,
        } = task;
        let Segment {
            columns, stored, ..
        } = &self.index.segments[segment];
        let first_page = self.index.layout.first_page(segment);
        let mut ranks = self.index.layout.ranks(segment);
        let mut of_page = 0;
        let mut counted = Counted::default();
        let mut chunk = Chunk::default();
        let (mut lengths, mut weights) = ([0; columns::CHUNK], [0; columns::CHUNK]);
        let mut weighed = [0; columns::CHUNK];
        for (offset, count) in columns::chunks(count) {
            let first = first + offset;
            let blocks = (first, count);
            self.index
                .read_chunk(self.wanted, segment, blocks, &mut chunk)?;
            guard::reading(&stored.path, || {
                columns.read_num_terms(first, &mut lengths[..count])
            })?;
            let passing = self.judge.passing(&chunk);
            for (at, weight) in weights[..count].iter_mut().enumerate() {
                *weight = u16::from(passing.contains(at));
            }
            match self.weigher {
                Some((weigher, by)) => {
                    weigh(weigher, &chunk, &mut weights).map_err(|(at, error)| {
                        let block = chunk.first + at as u64;
                        let (page, blocks) = self.index.layout.page(block);
                        let docid = self.index.docid(page);
                        let name = format!("block {} of '{docid}'", block - blocks.start);
                        IndexError::Weights(Box::new(by.error(&error, &name)))
                    })?;
                    let bytes = weights[..count].iter().flat_map(|it| it.to_le_bytes());
                    kept.iter_mut()
                        .zip(bytes)
                        .for_each(|(kept, byte)| *kept = byte);
                    kept = kept.get_mut(2 * count..).unwrap_or_default();
                }
                None => {
                    let bytes = passing.bytes();
                    kept.iter_mut()
                        .zip(bytes)
                        .for_each(|(kept, byte)| *kept = byte);
                    kept = kept.get_mut(count / 8..).unwrap_or_default();
                }
            }
            counted.add_blocks(&lengths[..count], &weights[..count], &mut weighed);
            let mut at = 0;
            while at < count {
                let doc = first + at as u32;
                if doc >= ranks.end {
                    if of_page > 0 {
                        self.page_lengths.add(first_page + ranks.page(), of_page);
                    }
                    of_page = 0;
                    ranks.seek(doc);
                }
                let end = count.min((ranks.end - first) as usize);
                of_page += weighed[at..end].iter().sum::<u64>();
                at = end;
            }
        }
        if of_page > 0 {
            self.page_lengths.add(first_page + ranks.page(), of_page);
        }
        Ok(counted)
    }
}

/// Weighs the blocks of a chunk that have a weight.
///
/// # Errors
/// The first that cannot be weighed.
fn weigh(
    weigher: &Weigher,
    chunk: &Chunk,
    weights: &mut [u16],
) -> Result<(), (usize, Unweighable)> {
    let weights = weights[..chunk.count].iter_mut().enumerate();
    for (at, weight) in weights.filter(|(_, weight)| **weight > 0) {
        *weight = weigher.weight(chunk, at).map_err(|error| (at, error))?;
    }
    Ok(())
}

/// What some blocks together count.
#[derive(Default)]
struct Counted {
    /// Blocks with an indexed term, and their lengths in grains.
    blocks: (u64, u64),
    kept_blocks: u64,
    kept_terms: u64,
}

impl Counted {
    /// Adds blocks, and gives their lengths in grains. A loop for each sum is one that processors have instructions for.
    fn add_blocks(&mut self, lengths: &[u32], weights: &[u16], weighed: &mut [u64]) {
        let both = || lengths.iter().zip(weights);
        for (weighed, (length, weight)) in weighed.iter_mut().zip(both()) {
            *weighed = u64::from(*length) * u64::from(*weight);
        }
        let weighed = &weighed[..lengths.len()];
        let kept = weights.iter().map(|weight| u32::from(*weight > 0));
        self.kept_blocks += u64::from(kept.sum::<u32>());
        let terms = both().map(|(length, weight)| match *weight > 0 {
            true => u64::from(*length),
            false => 0,
        });
        self.kept_terms += terms.sum::<u64>();
        let with_terms = weighed.iter().map(|weighed| u64::from(*weighed > 0));
        self.blocks.0 += with_terms.sum::<u64>();
        self.blocks.1 += weighed.iter().sum::<u64>();
    }

    /// Adds what comes behind.
    fn add(&mut self, other: Counted) {
        self.blocks.0 += other.blocks.0;
        self.blocks.1 += other.blocks.1;
        self.kept_blocks += other.kept_blocks;
        self.kept_terms += other.kept_terms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::writer::{Provenance, Writer, WriterOptions};
    use crate::format::extents::{Extent, ExtentFile};
    use crate::format::layout::Layout;

    #[test]
    fn single_blocks_are_ranked_as_far_as_32_bits_go() {
        let place = tempfile::tempdir().unwrap();
        let writer = Writer::create(place.path(), &WriterOptions::default()).unwrap();
        writer.finish(Provenance::default()).unwrap();
        let mut index = Index::open(place.path()).unwrap();
        let most = (1 << 31) - 1;
        let extents = [Extent {
            segment: 0,
            first_doc: 0,
            count: most,
        }];
        for segments in [1, 2] {
            let part = || (ExtentFile::made(&extents, 1), vec![most]);
            index.layout = Layout::new((0..segments).map(|_| part()).collect()).unwrap();
            assert!(index.can_rank(Unit::Page).is_ok());
            let blocks = index.can_rank(Unit::Block);
            match segments {
                1 => assert!(blocks.is_ok()),
                _ => assert!(
                    blocks
                        .unwrap_err()
                        .to_string()
                        .contains("4294967294 blocks")
                ),
            }
        }
    }
}
