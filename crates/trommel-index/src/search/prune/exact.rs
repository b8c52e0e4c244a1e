//! The frequencies of terms in the passing blocks of a page.

use std::ops::Range;

use tantivy::postings::{BlockSegmentPostings, TermInfo};

use super::cursor::Cursor;
use super::list::{List, Lists, postings_of};
use super::searched::Searched;
use crate::format::error::IndexError;

/// A list whose pages are asked for in ascending order.
pub(super) enum Exact<'l> {
    /// The frequencies of the list are those in passing blocks.
    Listed(Box<Cursor<'l>>),
    /// Its blocks say it, of which none was asked for yet: to open them costs more than many a page.
    Unopened(&'l TermInfo),
    /// Its blocks say it.
    Blocks(Box<Blocks>),
}

/// A place in the postings of a term by block.
pub(super) struct Blocks {
    postings: BlockSegmentPostings,
    /// In the group of postings that is unpacked.
    at: usize,
}

impl<'l> Exact<'l> {
    pub fn new(searched: &Searched, list: &'l List<'l>) -> Exact<'l> {
        match list {
            List::Many { info, .. } if searched.subset.passing.is_some() => Exact::Unopened(info),
            list => Exact::Listed(Box::new(Cursor::new(list))),
        }
    }

    /// Are the frequencies of the list those in passing blocks?
    pub fn is_listed(&self) -> bool {
        matches!(self, Exact::Listed(_))
    }

    /// The frequency in the passing blocks of a page; `documents` are its blocks in the segment, of which `base` is the number of the segment's first.
    pub fn frequency(
        &mut self,
        searched: &Searched,
        (segment, lists): (usize, &Lists),
        rank: u32,
        documents: &Range<u32>,
        base: u64,
    ) -> Result<u32, IndexError> {
        let info = match self {
            Exact::Listed(cursor) => return Ok(cursor.find(rank)),
            Exact::Blocks(blocks) => return Ok(blocks.frequency(searched, documents, base)),
            Exact::Unopened(info) => info,
        };
        let path = &searched.index.segments[segment].stored.path;
        let postings = postings_of(&lists.inverted, info, path)?;
        let mut blocks = Box::new(Blocks { postings, at: 0 });
        let frequency = blocks.frequency(searched, documents, base);
        *self = Exact::Blocks(blocks);
        Ok(frequency)
    }
}

impl Blocks {
    fn frequency(&mut self, searched: &Searched, documents: &Range<u32>, base: u64) -> u32 {
        self.seek(documents.start);
        let mut frequency = 0;
        loop {
            let docs = self.postings.docs();
            let Some(doc) = docs.get(self.at) else {
                if docs.is_empty() {
                    return frequency;
                }
                self.postings.advance();
                self.at = 0;
                continue;
            };
            if *doc >= documents.end {
                return frequency;
            }
            let passes = u32::from(searched.subset.passes(base + u64::from(*doc)));
            frequency = frequency.saturating_add(self.postings.freqs()[self.at] * passes);
            self.at += 1;
        }
    }

    /// Goes to the first document that is not before one.
    fn seek(&mut self, document: u32) {
        let docs = self.postings.docs();
        match docs.last() {
            Some(last) if *last >= document => {
                self.at += docs[self.at..].partition_point(|doc| *doc < document);
            }
            _ => self.at = self.postings.seek(document),
        }
    }
}
