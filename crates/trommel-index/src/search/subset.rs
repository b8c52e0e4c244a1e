//! The index as a filter leaves it: which blocks pass, how long pages are, and the totals that models need.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Serialize;
use tantivy::directory::OwnedBytes;
use trommel_page::filter::Filter;
use trommel_page::weight::Weights;

use crate::format::layout::Layout;
use crate::format::recent::Recent;
use crate::format::term_histogram::Lookup;
use crate::search::filtered::WIDTH;
use crate::search::grain::Grain;
use crate::search::model::{Formula, TermTotals, Totals};
use crate::search::query::Unit;

/// The index under a filter.
pub(crate) struct Subset {
    /// A bit for each block, numbered through, set where it passes; none where all pass, or weights say it.
    pub passing: Option<OwnedBytes>,
    /// For each block, numbered through, its weight in hundredths as little-endian u16, 0 if it does not pass; none where those that
    /// pass count 1.
    pub weights: Option<OwnedBytes>,
    /// The titles, where they count.
    pub titles: Option<Titles>,
    /// Indexed terms in the passing blocks of each page, each by its weight, in [`Subset::grain`]s.
    pub page_lengths: Vec<u32>,
    pub pages: Totals,
    pub blocks: Totals,
    pub kept_blocks: u64,
    /// Indexed terms in passing blocks.
    pub kept_terms: u64,
    /// How df and cf of frequent terms are looked up, where the filter is one bound.
    pub lookup: Option<Lookup>,
    /// The lowest class of words of a block that passes.
    pub least_class: u8,
    /// Tells it from all others of the process.
    pub number: u64,
    /// df and cf of frequent terms that were asked for.
    pub known: Mutex<HashMap<String, (u64, u64)>>,
    /// df and cf of terms that other filters were searched with.
    pub totals: Mutex<HashMap<String, TermTotals>>,
    /// The norms that were asked for last.
    pub norms: Mutex<Option<KnownNorms>>,
}

/// The titles of all pages under a filter.
#[derive(Debug, Default)]
pub(crate) struct Titles {
    /// By page the title's weight, in hundredths: 0 if it does not pass.
    pub weights: Vec<u16>,
    /// By page its indexed terms.
    pub lengths: Vec<u32>,
}

impl Titles {
    /// The length of a page's title in hundredths.
    pub fn length(&self, page: u32) -> u64 {
        let page = page as usize;
        u64::from(self.weights[page]) * u64::from(self.lengths[page])
    }
}

pub(crate) struct KnownNorms {
    unit: Unit,
    formula: Formula,
    /// The collection that they were computed for.
    totals: Totals,
    norms: Arc<Vec<f64>>,
    /// The same by rank, once they were asked for.
    by_rank: Option<Arc<RankedNorms>>,
}

/// The norms of pages by rank, those of all segments in a row.
pub(crate) struct RankedNorms {
    /// NaN for a page without a term in a passing block.
    pub norms: Vec<f64>,
    /// By range of [`WIDTH`] pages the greatest norm, or more, where scores grow with the norm.
    pub greatest: Option<Vec<f32>>,
    coded: OnceLock<CodedNorms>,
}

/// The norms of pages by rank in a quarter of the room, since few differ: what is read here and there is sooner at hand.
pub(crate) struct CodedNorms {
    /// By rank which of `values` it is.
    codes: Vec<u16>,
    values: Vec<f64>,
}

impl RankedNorms {
    /// The norms, coded the first time.
    pub fn coded(&self) -> &CodedNorms {
        self.coded.get_or_init(|| CodedNorms::new(&self.norms))
    }
}

impl CodedNorms {
    fn new(norms: &[f64]) -> CodedNorms {
        let mut known: HashMap<u64, u16> = HashMap::new();
        let mut values = Vec::new();
        let code = |norm: &f64| {
            if let Some(code) = known.get(&norm.to_bits()) {
                return Some(*code);
            }
            let code = u16::try_from(values.len()).ok()?;
            known.insert(norm.to_bits(), code);
            values.push(*norm);
            Some(code)
        };
        match norms.iter().map(code).collect() {
            Some(codes) => CodedNorms { codes, values },
            None => CodedNorms {
                codes: Vec::new(),
                values: norms.to_vec(),
            },
        }
    }

    /// The norm of the page of a rank, which must be there.
    #[inline]
    pub fn norm(&self, rank: u32) -> f64 {
        let code = self.codes.get(rank as usize);
        self.values[code.map_or(rank as usize, |code| usize::from(*code))]
    }
}

/// A number that no other subset of the process has.
pub(crate) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Relaxed)
}

/// What passes a filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Pages with at least one indexed term in a passing block.
    pub pages: u64,
    /// Passing blocks, those without an indexed term included.
    pub blocks: u64,
    /// Indexed terms in passing blocks.
    pub terms: u64,
}

impl Subset {
    pub fn kept(&self) -> Kept {
        Kept {
            pages: self.pages.num,
            blocks: self.kept_blocks,
            terms: self.kept_terms,
        }
    }

    /// The size of the collection in what is ranked.
    pub fn totals(&self, unit: Unit) -> Totals {
        match unit {
            Unit::Page => self.pages,
            Unit::Block => self.blocks,
        }
    }

    /// What lengths and weighted counts are counted in.
    pub fn grain(&self) -> Grain {
        match self.weights {
            None => Grain::One,
            Some(_) => Grain::Hundredth,
        }
    }

    /// The norms of all pages (or blocks) of these lengths; the last ones are kept.
    pub fn norms(
        &self,
        unit: Unit,
        formula: &Formula,
        totals: &Totals,
        lengths: impl Iterator<Item = f64>,
    ) -> Arc<Vec<f64>> {
        let mut kept = self.norms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.as_ref()
            && (known.unit, known.formula, known.totals) == (unit, *formula, *totals)
        {
            return Arc::clone(&known.norms);
        }
        let norms = lengths.map(|length| formula.norm(length, totals));
        let norms = Arc::new(norms.collect());
        *kept = Some(KnownNorms {
            unit,
            formula: *formula,
            totals: *totals,
            norms: Arc::clone(&norms),
            by_rank: None,
        });
        norms
    }

    /// The norms of pages by their ranks in the segments, NaN for those without a term in a passing block. `norms` are those of all pages by this
    /// formula, which are asked for before.
    pub fn by_rank(&self, layout: &Layout, norms: &Arc<Vec<f64>>) -> Arc<RankedNorms> {
        let mut kept = self.norms.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept
            .as_mut()
            .filter(|known| Arc::ptr_eq(&known.norms, norms));
        if let Some(ranked) = known.as_ref().and_then(|known| known.by_rank.as_ref()) {
            return Arc::clone(ranked);
        }
        let norm = |page: u32| match self.page_lengths[page as usize] {
            0 => f64::NAN,
            _ => norms[page as usize],
        };
        let norms: Vec<f64> = layout.pages_by_rank().map(norm).collect();
        let greatest = known.as_ref().is_none_or(|it| it.formula.grows_with_norm());
        let greatest = greatest.then(|| {
            let ranges = norms.chunks(WIDTH as usize);
            let most = |norms: &[f64]| norms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            ranges.map(|norms| most(norms) as f32).collect()
        });
        let ranked = Arc::new(RankedNorms {
            norms,
            greatest,
            coded: OnceLock::new(),
        });
        if let Some(known) = known {
            known.by_rank = Some(Arc::clone(&ranked));
        }
        ranked
    }

    /// Does a block, numbered through, count?
    #[inline]
    pub fn passes(&self, block: u64) -> bool {
        if let Some(weights) = &self.weights {
            return weight(weights, block) > 0;
        }
        let bits = self.passing.as_ref();
        bits.is_none_or(|bits| bits[(block / 8) as usize] >> (block % 8) & 1 == 1)
    }

    /// How much a block, numbered through, counts, in [`Subset::grain`]s; 0 if it does not pass.
    #[inline]
    pub fn weight(&self, block: u64) -> u32 {
        match &self.weights {
            None => u32::from(self.passes(block)),
            Some(weights) => u32::from(weight(weights, block)),
        }
    }
}

#[inline]
fn weight(weights: &[u8], block: u64) -> u16 {
    u16::from_le_bytes(weights.as_chunks().0[block as usize])
}

/// The statistics of the filters and weights that were asked for last, once they are computed.
pub(crate) type Subsets = Mutex<Recent<(Filter, Weights), Arc<SubsetSlot>>>;

/// The statistics of a filter, once they are computed.
pub(crate) type SubsetSlot = Mutex<Option<Arc<Subset>>>;

/// How many filters' statistics are kept: a person moves between a few, and a sweep uses each once.
pub(crate) const KEPT_SUBSETS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_come_back_from_their_codes() {
        for different in [1u32, 700, 65_536, 65_537, 90_000] {
            let norms: Vec<f64> = (0..100_000u32)
                .map(|rank| f64::from(rank * 7 % different))
                .collect();
            let coded = CodedNorms::new(&norms);
            assert_eq!(coded.codes.is_empty(), different > 65_536);
            for (rank, norm) in (0..).zip(&norms) {
                assert_eq!(coded.norm(rank), *norm);
            }
        }
    }
}
