//! The index as a filter leaves it: which blocks pass, how long pages are, and the totals that models need.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::columns::{CHUNK, Wanted, chunks};
use super::labels::OpenSet;
use super::part::Segment;
use super::{Filter, Formula, Index, IndexError, Unit};
use crate::extractor::Confidence;
use crate::page::Block;

/// The index under a filter.
pub(super) struct Subset {
    /// A bit for each block, numbered through, set where it passes; none where all pass.
    passing: Option<Vec<u64>>,
    /// Indexed terms in the passing blocks of each page.
    pub page_lengths: Vec<u32>,
    pages: Totals,
    blocks: Totals,
    kept_blocks: u64,
    /// The norms that were asked for last.
    norms: Mutex<Option<KnownNorms>>,
}

struct KnownNorms {
    unit: Unit,
    formula: Formula,
    /// The collection that they were computed for.
    totals: Totals,
    norms: Arc<Vec<f64>>,
}

/// Size of a collection: of its pages, or of its blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// N: pages (or blocks) with at least one indexed term in a passing block.
    pub num: u64,
    /// |C|: indexed terms in passing blocks.
    pub terms: u64,
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

impl Totals {
    /// Average length; 0 for an empty collection.
    pub fn average_length(&self) -> f64 {
        if self.num == 0 {
            return 0.0;
        }
        self.terms as f64 / self.num as f64
    }
}

/// A filter with the labels that it asks for.
pub(super) struct Judge<'a> {
    index: &'a Index,
    filter: &'a Filter,
    bounds_counts: bool,
    /// Whose content counts.
    labels: Option<Arc<OpenSet>>,
    /// Whose confidence counts, and the least one.
    confidence: Option<(Arc<OpenSet>, Confidence)>,
}

impl<'a> Judge<'a> {
    pub fn new(index: &'a Index, filter: &'a Filter) -> Result<Self, IndexError> {
        let extractor = filter.extractor.as_deref();
        let labels = extractor.map(|name| index.labels(name)).transpose()?;
        let confidence = |least: Confidence| {
            let set = index.confidences_of(extractor)?;
            Ok::<_, IndexError>((index.labels(&set.name)?, least))
        };
        Ok(Judge {
            index,
            filter,
            bounds_counts: filter.bounds_counts(),
            labels,
            confidence: filter.min_confidence.map(confidence).transpose()?,
        })
    }

    /// Do all blocks pass?
    pub fn passes_all(&self) -> bool {
        self.filter.is_empty() && self.index.layout.repeated.is_none()
    }

    /// Does a block, numbered through, pass? Its counts are looked at only if the filter bounds them.
    pub fn passes(&self, block: u32, counts: &Block) -> bool {
        if self.bounds_counts && !self.filter.passes(counts, self.index.unit) {
            return false;
        }
        let layout = &self.index.layout;
        if layout.repeated.is_some() && layout.is_repeated(layout.page(block).0) {
            return false;
        }
        if self.labels.is_none() && self.confidence.is_none() {
            return true;
        }
        let number = layout.in_page_order(block);
        let (labels, confidence) = (&self.labels, &self.confidence);
        labels.as_ref().is_none_or(|set| set.is_content(number))
            && (confidence.as_ref()).is_none_or(|(set, least)| set.confidence(number) >= *least)
    }
}

impl Subset {
    pub fn read(index: &Index, filter: &Filter) -> Result<Subset, IndexError> {
        let judge = Judge::new(index, filter)?;
        let wanted = Wanted::by(filter, index.unit);
        let mut page_lengths = vec![0u32; index.num_pages()];
        let mut blocks = Totals::default();
        let mut kept_blocks = 0;
        let mut passing = vec![0u64; index.layout.num_blocks.div_ceil(64)];
        let mut counts = vec![Block::default(); CHUNK];
        let mut lengths = [0; CHUNK];
        let (mut page, mut end) = (0, 0);
        for (Segment { columns, .. }, base) in index.segments.iter().zip(&index.layout.segment_base)
        {
            for (first, count) in chunks(columns.num_blocks()) {
                if judge.bounds_counts {
                    columns.read_counts(first, wanted, &mut counts[..count]);
                }
                let lengths = &mut lengths[..count];
                columns.read_num_terms(first, lengths);
                for (block, (counts, length)) in (base + first..).zip(counts.iter().zip(lengths)) {
                    if !judge.passes(block, counts) {
                        continue;
                    }
                    passing[(block / 64) as usize] |= 1 << (block % 64);
                    kept_blocks += 1;
                    if *length == 0 {
                        continue;
                    }
                    blocks.num += 1;
                    blocks.terms += u64::from(*length);
                    if block >= end {
                        let (its_page, its_blocks) = index.layout.page(block);
                        (page, end) = (its_page as usize, its_blocks.end);
                    }
                    page_lengths[page] = page_lengths[page].saturating_add(*length);
                }
            }
        }
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

    pub fn kept(&self) -> Kept {
        Kept {
            pages: self.pages.num,
            blocks: self.kept_blocks,
            terms: self.blocks.terms,
        }
    }

    /// The size of the collection in what is ranked.
    pub fn totals(&self, unit: Unit) -> Totals {
        match unit {
            Unit::Page => self.pages,
            Unit::Block => self.blocks,
        }
    }

    /// The norms of all pages (or blocks) of these lengths; the last ones are kept.
    pub fn norms(
        &self,
        unit: Unit,
        formula: &Formula,
        totals: &Totals,
        lengths: &[u32],
    ) -> Arc<Vec<f64>> {
        let mut kept = self.norms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.as_ref()
            && (known.unit, known.formula, known.totals) == (unit, *formula, *totals)
        {
            return Arc::clone(&known.norms);
        }
        let norms = lengths.iter().map(|length| formula.norm(*length, totals));
        let norms = Arc::new(norms.collect());
        *kept = Some(KnownNorms {
            unit,
            formula: *formula,
            totals: *totals,
            norms: Arc::clone(&norms),
        });
        norms
    }

    /// Does a block, numbered through, pass the filter?
    #[inline]
    pub fn passes(&self, block: u32) -> bool {
        let bits = self.passing.as_ref();
        bits.is_none_or(|bits| bits[(block / 64) as usize] >> (block % 64) & 1 == 1)
    }
}

impl Index {
    /// Which blocks of a page pass a filter, in order.
    ///
    /// # Errors
    /// Those of [`Index::require`].
    pub fn passing(&self, page: u32, filter: &Filter) -> Result<Vec<bool>, IndexError> {
        let subset = self.subset(filter)?;
        let blocks = self.layout.blocks(page);
        Ok(blocks.map(|block| subset.passes(block)).collect())
    }
}
