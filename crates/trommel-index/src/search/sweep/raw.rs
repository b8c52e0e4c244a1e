//! The postings of terms as they are read once for all steps.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::format::error::IndexError;
use crate::search::model::TermTotals;
use crate::search::open::Index;
use crate::search::query::Unit;
use crate::search::subset::Subset;

/// What is read of the postings of terms, besides the blocks.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    /// What other blocks statistics are taken from.
    pub statistics: Option<&'a Subset>,
    /// The titles, too.
    pub titles: bool,
}

/// What a posting takes, about: as it is read, and again in the series that is being swept.
const BYTES_PER_POSTING: usize = 40;

/// The postings of a term.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Blocks, numbered as in their segments, with the term's frequency.
    pub blocks: Vec<(u32, u32)>,
    /// From which of `pages` on the blocks are of another segment, and the number of its first one.
    pub bases: Vec<(usize, u64)>,
    /// Pages with the number of their blocks in `blocks`.
    pub pages: Vec<(u32, u32)>,
    /// Pages that have it in their titles, with its frequency there.
    pub titles: HashMap<u32, u32>,
    /// Totals over the blocks that statistics are taken from, where these are others.
    pub others: TermTotals,
}

/// Postings of terms that feedback asked for, which other series will ask for too.
#[derive(Default)]
pub(super) struct FeedbackPostings {
    /// By term, and the number of postings of all.
    known: Mutex<(HashMap<String, Arc<Raw>>, usize)>,
}

impl FeedbackPostings {
    /// The postings of a term, kept as long as all take no more than `memory` bytes.
    pub(super) fn get(
        &self,
        index: &Index,
        term: &str,
        read: Reading,
        memory: usize,
    ) -> Result<Arc<Raw>, IndexError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(raw) = known().0.get(term) {
            return Ok(Arc::clone(raw));
        }
        let raw = Arc::new(index.read_raw(term, read)?);
        let (terms, postings) = &mut *known();
        if !terms.contains_key(term) {
            make_room(terms, postings, raw.blocks.len(), memory);
            terms.insert(term.to_owned(), Arc::clone(&raw));
        }
        Ok(raw)
    }
}

/// Counts the postings of one more term, and forgets all others if they do not fit into `memory` bytes together.
pub(super) fn make_room<T>(
    terms: &mut HashMap<String, T>,
    postings: &mut usize,
    more: usize,
    memory: usize,
) {
    if (*postings + more).saturating_mul(BYTES_PER_POSTING) > memory {
        terms.clear();
        *postings = 0;
    }
    *postings += more;
}

impl Index {
    /// Reads the postings of the first topics, as many as fit; says how many topics these are.
    pub(super) fn read_batch(
        &self,
        topics: &[Vec<String>],
        memory: usize,
        read: Reading,
    ) -> Result<(HashMap<String, Raw>, usize), IndexError> {
        let mut terms: HashMap<String, Raw> = HashMap::new();
        let mut used = 0;
        for (count, topic) in topics.iter().enumerate() {
            let new: BTreeSet<&String> = topic.iter().filter(|t| !terms.contains_key(*t)).collect();
            let mut wanted = 0;
            for term in &new {
                wanted += self.num_blocks_with(term)? as usize * BYTES_PER_POSTING;
            }
            if count > 0 && used + wanted > memory {
                return Ok((terms, count));
            }
            used += wanted;
            let raw: Vec<(String, Raw)> = new
                .into_par_iter()
                .map(|term| Ok((term.clone(), self.read_raw(term, read)?)))
                .collect::<Result<_, IndexError>>()?;
            terms.extend(raw);
        }
        Ok((terms, topics.len()))
    }

    /// All postings of a term.
    pub(super) fn read_raw(&self, term: &str, read: Reading) -> Result<Raw, IndexError> {
        let mut raw = Raw::default();
        let mut counted = None;
        let mut others = (0, 0);
        self.for_each_posting(term, Unit::Page, |posting| {
            if posting.first {
                raw.pages.push((posting.id, 0));
            }
            if let Some((_, count)) = raw.pages.last_mut() {
                *count += 1;
            }
            raw.blocks.push((posting.doc, posting.tf));
            let base = posting.block - u64::from(posting.doc);
            if raw.bases.last().is_none_or(|(_, last)| *last != base) {
                raw.bases.push((raw.pages.len() - 1, base));
            }
            if (read.statistics).is_some_and(|others| others.passes(posting.block)) {
                others.0 += u64::from(counted != Some(posting.id));
                others.1 += u64::from(posting.tf);
                counted = Some(posting.id);
            }
        })?;
        raw.others = TermTotals::whole(others.0, others.1);
        if read.titles {
            raw.titles = self.titles_with(term)?.into_iter().collect();
        }
        Ok(raw)
    }
}
