//! Reads the postings of query terms and adds up, for each page or block, what passes the filter.

use std::collections::HashMap;

use rayon::prelude::*;
use tantivy::Term;
use tantivy::schema::{Field, IndexRecordOption};

use crate::format::error::IndexError;
use crate::format::guard;
use crate::format::part::Segment;
use crate::format::stored::Stored;
use crate::search::grain::Grain;
use crate::search::model::TermTotals;
use crate::search::open::Index;
use crate::search::phrase;
use crate::search::query::Unit;
use crate::search::subset::Subset;

/// The postings of one term or phrase under a filter.
#[derive(Debug, Clone, Default)]
pub(crate) struct TermPostings {
    /// Pages (or blocks, numbered through) with the term in a passing block, each once, with its frequency there, by weight, in
    /// grains. Entries with frequency 0 count for nothing.
    pub entries: Vec<(u32, u32)>,
    /// Totals over passing blocks.
    pub subset: TermTotals,
    /// Totals over the blocks that statistics are taken from, where these are others.
    pub others: TermTotals,
}

/// Reads the postings of a term under a filter; `statistics` is what other blocks statistics are taken from.
pub(crate) fn gather(
    index: &Index,
    subset: &Subset,
    statistics: Option<&Subset>,
    unit: Unit,
    term: &str,
) -> Result<TermPostings, IndexError> {
    let mut gathered = Gathered::default();
    for segment in 0..index.segments.len() {
        gathered.append(of_segment(
            index,
            subset,
            statistics,
            unit,
            (segment, term),
        )?);
    }
    gathered.with_titles(index, subset, unit, term)
}

/// [`gather`] by the threads of the current rayon pool, which each read a segment.
pub(crate) fn gather_by_segment(
    index: &Index,
    subset: &Subset,
    statistics: Option<&Subset>,
    unit: Unit,
    term: &str,
) -> Result<TermPostings, IndexError> {
    let segments = (0..index.segments.len()).into_par_iter();
    let of_segments =
        segments.map(|segment| of_segment(index, subset, statistics, unit, (segment, term)));
    let mut gathered = Gathered::default();
    for of_segment in of_segments.collect::<Result<Vec<_>, IndexError>>()? {
        gathered.append(of_segment);
    }
    gathered.with_titles(index, subset, unit, term)
}

/// What a segment has of a term.
fn of_segment(
    index: &Index,
    subset: &Subset,
    statistics: Option<&Subset>,
    unit: Unit,
    of: (usize, &str),
) -> Result<Gathered, IndexError> {
    // One loop for each, so that none asks for every posting whether there are weights.
    match &subset.weights {
        None => gather_by(index, statistics, unit, of, |block| {
            u32::from(subset.passes(block))
        }),
        Some(_) => gather_by(index, statistics, unit, of, |block| subset.weight(block)),
    }
}

fn gather_by(
    index: &Index,
    statistics: Option<&Subset>,
    unit: Unit,
    (segment, term): (usize, &str),
    weight: impl Fn(u64) -> u32,
) -> Result<Gathered, IndexError> {
    let mut found = Gathered::default();
    let mut current = Entry::default();
    index.for_each_posting_of(segment, term, unit, |posting| {
        if posting.first {
            current.close(&mut found);
            current = Entry {
                id: posting.id,
                ..Entry::default()
            };
        }
        current.others += match statistics {
            Some(statistics) if statistics.passes(posting.block) => posting.tf,
            _ => 0,
        };
        // A page's length by weight fits, which is no less; but files may be damaged.
        let weighed = posting.tf.saturating_mul(weight(posting.block));
        current.passing = current.passing.saturating_add(weighed);
    })?;
    current.close(&mut found);
    Ok(found)
}

/// What was read of the postings of a term.
#[derive(Default)]
struct Gathered {
    entries: Vec<(u32, u32)>,
    /// df and cf of the passing blocks, in grains.
    passing: (u64, u64),
    /// df and cf of the others.
    others: (u64, u64),
}

impl Gathered {
    /// Adds what another segment has.
    fn append(&mut self, other: Gathered) {
        match self.entries.is_empty() {
            true => self.entries = other.entries,
            false => self.entries.extend_from_slice(&other.entries),
        }
        for (own, other) in [
            (&mut self.passing, other.passing),
            (&mut self.others, other.others),
        ] {
            *own = (own.0 + other.0, own.1 + other.1);
        }
    }

    /// Adds the titles, where they count, and is done.
    fn with_titles(
        mut self,
        index: &Index,
        subset: &Subset,
        unit: Unit,
        term: &str,
    ) -> Result<TermPostings, IndexError> {
        if let (Some(titles), Unit::Page) = (&subset.titles, unit) {
            let of_titles = index.titles_with(term)?.into_iter();
            let weighed = of_titles.map(|(page, tf)| {
                let weight = u32::from(titles.weights[page as usize]);
                (page, tf.saturating_mul(weight))
            });
            self.add_titles(weighed.collect());
        }
        Ok(self.finish(subset.grain()))
    }

    /// Adds the occurrences in titles, by weight.
    fn add_titles(&mut self, titles: HashMap<u32, u32>) {
        let mut titles = titles;
        titles.retain(|_, tf| *tf > 0);
        self.passing.1 += titles.values().copied().map(u64::from).sum::<u64>();
        for (page, tf) in &mut self.entries {
            if let Some(of_title) = titles.remove(page) {
                *tf = tf.saturating_add(of_title);
            }
        }
        self.passing.0 += titles.len() as u64;
        // In the order of pages, so that nothing depends on the map's.
        let mut rest: Vec<(u32, u32)> = titles.into_iter().collect();
        rest.sort_unstable();
        self.entries.extend(rest);
    }

    fn finish(self, grain: Grain) -> TermPostings {
        let totals = |(df, cf): (u64, u64), grain: Grain| TermTotals {
            df,
            cf: grain.hundredths(cf),
        };
        TermPostings {
            entries: self.entries,
            subset: totals(self.passing, grain),
            others: totals(self.others, Grain::One),
        }
    }
}

/// A term in a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    /// The block, numbered through.
    pub block: u64,
    /// The block in its segment.
    pub doc: u32,
    /// The page's number, or the block's where blocks are ranked.
    pub id: u32,
    /// Is it the first with this id?
    pub first: bool,
    /// How often the term stands in the block.
    pub tf: u32,
}

impl Index {
    /// Calls `each` for every block that has a term or phrase. The blocks of a page come one after another (they are side by
    /// side in one segment), so that what belongs to a page is complete when the page changes.
    pub(crate) fn for_each_posting(
        &self,
        term: &str,
        unit: Unit,
        mut each: impl FnMut(Posting),
    ) -> Result<(), IndexError> {
        let mut segments = 0..self.segments.len();
        segments.try_for_each(|segment| self.for_each_posting_of(segment, term, unit, &mut each))
    }

    /// [`Index::for_each_posting`] for the blocks of a segment.
    fn for_each_posting_of(
        &self,
        segment: usize,
        term: &str,
        unit: Unit,
        mut each: impl FnMut(Posting),
    ) -> Result<(), IndexError> {
        let Segment { stored, .. } = &self.segments[segment];
        let field = self.block_fields.terms;
        let (base, first_page) = (self.layout.base(segment), self.layout.first_page(segment));
        // The page of the last posting: a page is looked up once.
        let mut ranks = self.layout.ranks(segment);
        let (mut id, mut repeated) = (0, false);
        let mut each = |doc: u32, tf: u32| {
            let block = base + u64::from(doc);
            let mut first = doc >= ranks.end;
            if first {
                ranks.seek(doc);
                id = first_page + ranks.page();
                repeated = self.layout.is_repeated(id);
            }
            if repeated {
                return;
            }
            if unit == Unit::Block {
                // There are no more blocks than that where single ones are ranked.
                (id, first) = (block as u32, true);
            }
            each(Posting {
                block,
                doc,
                id,
                first,
                tf,
            });
        };
        guard::reading(&stored.path, || {
            for_each_of_segment(stored, field, term, &mut each)
        })
    }

    /// Number of blocks that have a term, whatever the filter; those of repeated pages are among them.
    pub(crate) fn num_blocks_with(&self, term: &str) -> Result<u64, IndexError> {
        let mut blocks = 0;
        for Segment { stored, .. } in &self.segments {
            blocks += u64::from(stored.doc_freq(self.block_fields.terms, term)?);
        }
        Ok(blocks)
    }
}

/// Calls `each` for every document of a segment that has a term or phrase.
fn for_each_of_segment(
    stored: &Stored,
    field: Field,
    term: &str,
    mut each: impl FnMut(u32, u32),
) -> Result<(), IndexError> {
    let path = &stored.path;
    let inverted = stored.reader.inverted_index(field);
    let inverted = inverted.map_err(IndexError::tantivy(path))?;
    if phrase::is_phrase(term) {
        let found = phrase::for_each_match(&inverted, field, term, |doc, tf| {
            stored.has(doc)?;
            each(doc, tf);
            Ok(())
        });
        return found.map_err(IndexError::io(path));
    }
    let term = Term::from_field_text(field, term);
    let postings = inverted
        .read_block_postings(&term, IndexRecordOption::WithFreqs)
        .map_err(IndexError::io(path))?;
    let Some(mut postings) = postings else {
        return Ok(());
    };
    while let Some(greatest) = postings.docs().iter().max() {
        stored.has(*greatest).map_err(IndexError::io(path))?;
        for (&doc, &tf) in postings.docs().iter().zip(postings.freqs()) {
            each(doc, tf);
        }
        postings.advance();
    }
    Ok(())
}

/// A page or block whose postings are being read; none if it has no occurrence.
#[derive(Default)]
struct Entry {
    id: u32,
    others: u32,
    passing: u32,
}

impl Entry {
    fn close(&self, found: &mut Gathered) {
        found.others.0 += u64::from(self.others > 0);
        found.others.1 += u64::from(self.others);
        if self.passing > 0 {
            found.passing.0 += 1;
            found.passing.1 += u64::from(self.passing);
            found.entries.push((self.id, self.passing));
        }
    }
}
