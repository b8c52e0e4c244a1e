//! The pages of a segment that have each term of a query.

use std::sync::Arc;

use tantivy::InvertedIndexReader;
use tantivy::Term;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;

use super::parts::of_query;
use super::searched::Searched;
use crate::format::error::IndexError;
use crate::format::guard;
use crate::format::page_postings::Record;
use crate::search::hit::Clause;
use crate::search::subset::Subset;

/// The terms of a query, each once, in the order in which they come.
pub(super) fn distinct(query: &[Clause]) -> Vec<&str> {
    let mut terms: Vec<&str> = Vec::new();
    for clause in query {
        if !terms.contains(&clause.term.as_str()) {
            terms.push(&clause.term);
        }
    }
    terms
}

/// The pages of a segment that have a term.
pub(super) enum List<'a> {
    /// Of a term with few blocks: ranks, and frequencies in passing blocks, which are above 0; and df and cf of the blocks that
    /// statistics are taken from.
    Few {
        ranks: Vec<u32>,
        frequencies: Vec<u32>,
        totals: (u64, u64),
    },
    /// Of any other: frequencies are those in all blocks, 0 where none of them is of a class of words that passes.
    Many {
        record: Record<'a>,
        info: TermInfo,
        least_class: u8,
    },
}

/// The lists of a segment, one for each term.
pub(super) struct Lists<'a> {
    pub lists: Vec<List<'a>>,
    pub inverted: Arc<InvertedIndexReader>,
}

impl<'a> Lists<'a> {
    /// Opens the lists of all segments.
    pub fn open_all(searched: &Searched<'a>, terms: &[&str]) -> Result<Vec<Lists<'a>>, IndexError> {
        let index = searched.index;
        let field = index.block_fields.terms;
        let inverted = index.segments.iter().map(|segment| {
            let path = &segment.stored.path;
            guard::reading(path, || {
                let inverted = segment.stored.reader.inverted_index(field);
                inverted.map_err(IndexError::tantivy(path))
            })
        });
        let inverted = inverted.collect::<Result<Vec<_>, IndexError>>()?;
        let of_segment = |segment| terms.iter().map(move |term| (segment, *term));
        let parts = (0..inverted.len()).flat_map(of_segment);
        let open = |(): &mut (), (segment, term): (usize, &str)| {
            List::open(searched, segment, &inverted[segment], term)
        };
        let lists = of_query(searched.threads, parts.collect(), || (), open)?;
        let mut lists = lists.into_iter();
        let opened = inverted.into_iter().map(|inverted| Lists {
            lists: lists.by_ref().take(terms.len()).collect(),
            inverted,
        });
        Ok(opened.collect())
    }

    /// Pages of all lists together.
    pub fn pages(&self) -> u64 {
        self.lists.iter().map(List::pages).sum()
    }
}

impl<'a> List<'a> {
    /// Opens the list of a term in a segment.
    fn open(
        searched: &Searched<'a>,
        segment: usize,
        inverted: &InvertedIndexReader,
        term: &str,
    ) -> Result<List<'a>, IndexError> {
        let opened = &searched.index.segments[segment];
        let path = &opened.stored.path;
        guard::reading(path, || {
            let term = Term::from_field_text(searched.index.block_fields.terms, term);
            let info = inverted.get_term_info(&term);
            let Some(info) = info.map_err(IndexError::io(path))? else {
                return Ok(List::none());
            };
            let number = inverted.terms().term_ord(term.serialized_value_bytes());
            let number = number.map_err(IndexError::io(path))?.unwrap_or(u64::MAX);
            let postings = opened.page_postings.as_ref();
            let record = postings.and_then(|postings| postings.get(number));
            match record {
                Some(record) => Ok(List::Many {
                    record,
                    info,
                    least_class: searched.subset.least_class,
                }),
                None => few(searched, segment, postings_of(inverted, &info, path)?),
            }
        })
    }

    /// Pages of the list.
    pub fn pages(&self) -> u64 {
        match self {
            List::Few { ranks, .. } => ranks.len() as u64,
            List::Many { record, .. } => u64::from(record.df),
        }
    }

    /// Blocks of the list, or pages where there are few.
    pub fn blocks(&self) -> u64 {
        match self {
            List::Few { ranks, .. } => ranks.len() as u64,
            List::Many { info, .. } => u64::from(info.doc_freq),
        }
    }

    fn none() -> Self {
        List::Few {
            ranks: Vec::new(),
            frequencies: Vec::new(),
            totals: (0, 0),
        }
    }
}

/// The postings of a term by block.
pub(super) fn postings_of(
    inverted: &InvertedIndexReader,
    info: &TermInfo,
    path: &std::path::Path,
) -> Result<BlockSegmentPostings, IndexError> {
    let with = IndexRecordOption::WithFreqs;
    let postings = inverted.read_block_postings_from_terminfo(info, with);
    postings.map_err(IndexError::io(path))
}

/// Reads the postings of a term to their end.
fn few<'a>(
    searched: &Searched,
    segment: usize,
    postings: BlockSegmentPostings,
) -> Result<List<'a>, IndexError> {
    let (mut ranks, mut frequencies) = (Vec::new(), Vec::new());
    let (mut totals, mut own_totals) = ((0, 0), (0, 0));
    for_each_page(searched, segment, postings, |rank, [own, others]| {
        if own > 0 {
            ranks.push(rank);
            frequencies.push(own);
            own_totals.1 += u64::from(own);
        }
        totals.0 += u64::from(others > 0);
        totals.1 += u64::from(others);
    })?;
    own_totals.0 = ranks.len() as u64;
    if searched.others.is_none() {
        totals = own_totals;
    }
    Ok(List::Few {
        ranks,
        frequencies,
        totals,
    })
}

/// Calls `each` with every page that postings name, and the frequencies in passing blocks and in those of other statistics.
pub(super) fn for_each_page(
    searched: &Searched,
    segment: usize,
    mut postings: BlockSegmentPostings,
    mut each: impl FnMut(u32, [u32; 2]),
) -> Result<(), IndexError> {
    let Searched {
        index,
        subset,
        others,
        ..
    } = *searched;
    let stored = &index.segments[segment].stored;
    let base = index.layout.base(segment);
    let mut page = index.layout.ranks(segment);
    let mut found = [0; 2];
    while let Some(last) = postings.docs().last() {
        stored.has(*last).map_err(IndexError::io(&stored.path))?;
        for (&doc, &tf) in postings.docs().iter().zip(postings.freqs()) {
            let block = base + u64::from(doc);
            if doc >= page.end {
                if found != [0; 2] {
                    each(page.rank, found);
                }
                found = [0; 2];
                page.seek(doc);
            }
            // Files may be damaged: a sum that does not fit is none that wraps.
            let passing = |subset: &Subset| tf * u32::from(subset.passes(block));
            found[0] = found[0].saturating_add(passing(subset));
            if let Some(others) = others {
                found[1] = found[1].saturating_add(passing(others));
            }
        }
        postings.advance();
    }
    if found != [0; 2] {
        each(page.rank, found);
    }
    Ok(())
}
