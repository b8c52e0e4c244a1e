//! What ranking reads of the index under one filter.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use trommel_text::Hundredths;

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::search::gather::{TermPostings, gather, gather_by_segment};
use crate::search::grain::Grain;
use crate::search::hit::{Clause, Hit};
use crate::search::model::{Formula, TermTotals, Totals};
use crate::search::open::Index;
use crate::search::page_terms::PageTerms;
use crate::search::prune::{Pruned, Searched, prune, threads, totals_of};
use crate::search::query::{Ranking, Unit};
use crate::search::shared::error::StatisticsError;
use crate::search::shared::given::Given;
use crate::search::subset::Subset;
use crate::search::top::DocidOrder;

/// What ranking reads of the index under one filter.
pub(crate) trait View {
    fn index(&self) -> &Index;
    fn unit(&self) -> Unit;
    /// Are statistics those of the filter itself, or of another one?
    fn has_own_statistics(&self) -> bool;
    /// The collection's size by its statistics.
    fn totals(&self) -> Totals;
    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError>;
    /// By number of page (or block) the formula's norm.
    fn norms(&self, formula: &Formula) -> Result<Arc<Vec<f64>>, IndexError>;
    /// The terms of a page's blocks, and those of its title if it may count.
    fn page_terms(&self, page: u32) -> Result<Arc<PageTerms>, IndexError>;
    /// What weights, frequencies and lengths are counted in.
    fn grain(&self) -> Grain;
    /// Do titles count?
    fn has_titles(&self) -> bool;
    /// How much each block of a hit's page counts, in grains, and behind the last the title; of a block that is ranked, that block
    /// alone.
    fn weights(&self, hit: &Hit) -> Result<Vec<u32>, IndexError>;

    /// What a query with operators is answered by: pages (or blocks) besides are not in the postings, and those that no clause
    /// scores are hits as well. None where every page with a clause is a hit.
    fn answers(&self) -> Option<&Bits> {
        None
    }

    /// The pages that can be among the first `k`, with their scores, if that is known without a look at all.
    fn pruned(&self, _: &[Clause], _: &Formula, _: usize) -> Result<Option<Pruned>, IndexError> {
        Ok(None)
    }

    /// Threads that a query has.
    fn threads(&self) -> usize {
        1
    }

    /// Reads the postings of clauses, so that they are there when they are asked for one by one.
    fn gather(&self, _: &[Clause]) -> Result<(), IndexError> {
        Ok(())
    }

    /// The term's statistics; its postings need not have been read.
    fn statistics_of(&self, term: &str) -> Result<TermTotals, IndexError> {
        match self.given() {
            Some(given) => given.term(term),
            None => self.term_totals(term, &*self.postings(term)?),
        }
    }

    /// Statistics that are searched by instead of the index's own.
    fn given(&self) -> Option<&Given> {
        None
    }

    /// The order of docids, where it is known.
    fn docid_order(&self) -> Option<&DocidOrder> {
        None
    }

    /// The term's statistics, by its postings.
    fn term_totals(&self, term: &str, postings: &TermPostings) -> Result<TermTotals, IndexError> {
        match (self.given(), self.has_own_statistics()) {
            (Some(given), _) => given.term(term),
            (None, true) => Ok(postings.subset),
            (None, false) => Ok(postings.others),
        }
    }
}

/// The view of one search.
pub(crate) struct SearchView<'a> {
    index: &'a Index,
    subset: Arc<Subset>,
    unit: Unit,
    /// What statistics are taken from, where it is not the subset itself.
    statistics: Option<Arc<Subset>>,
    /// What they are instead of either.
    given: Option<Given>,
    totals: Totals,
    postings: Mutex<HashMap<String, Arc<TermPostings>>>,
}

impl<'a> SearchView<'a> {
    /// # Errors
    /// Those of reading the index, and [`IndexError::NoStatistics`].
    pub fn new(index: &'a Index, ranking: &Ranking) -> Result<Self, IndexError> {
        let view = SearchView::of_part(index, ranking)?;
        ranking.stats.check(&view.totals)?;
        Ok(view)
    }

    /// [`SearchView::new`] for an index whose statistics are not the whole collection's: there may be none.
    pub fn of_part(index: &'a Index, ranking: &Ranking) -> Result<Self, IndexError> {
        index.can_rank(ranking.unit)?;
        let subset = index.subset(&ranking.filter, &ranking.weights)?;
        let given = given(index, ranking)?;
        let statistics = match given {
            Some(_) => None,
            None => index.statistics(&ranking.stats)?,
        };
        let own_totals = || statistics.as_ref().unwrap_or(&subset).totals(ranking.unit);
        let totals = given.as_ref().map_or_else(own_totals, Given::totals);
        Ok(SearchView {
            index,
            subset,
            unit: ranking.unit,
            statistics,
            given,
            totals,
            postings: Mutex::default(),
        })
    }

    /// [`View::pruned`]; `counting` says whether all pages with a clause are to be counted.
    pub fn pruned_counting(
        &self,
        query: &[Clause],
        formula: &Formula,
        k: usize,
        counting: bool,
    ) -> Result<Option<Pruned>, IndexError> {
        let Some(searched) = self.searched() else {
            return Ok(None);
        };
        prune(
            &searched,
            query,
            formula,
            &self.norms(formula)?,
            k,
            counting,
        )
    }

    /// What may be pruned.
    fn searched(&self) -> Option<Searched<'_>> {
        let is_pruned = self.unit == Unit::Page && !self.index.exhaustive;
        is_pruned.then(|| Searched {
            index: self.index,
            subset: &self.subset,
            others: self.statistics.as_deref(),
            given: self.given.as_ref(),
            threads: self.threads(),
            totals: self.totals,
        })
    }
}

/// The statistics that a search in an index is to go by, if they are not its own.
///
/// # Errors
/// [`IndexError::Statistics`] if they do not fit.
fn given(index: &Index, ranking: &Ranking) -> Result<Option<Given>, IndexError> {
    let given = |shared| {
        if ranking.unit == Unit::Block {
            return Err(StatisticsError::OtherSearch("things than blocks").of_search());
        }
        Given::new(shared, &index.manifest, &ranking.sieve(), &ranking.stats)
    };
    ranking.shared.as_ref().map(given).transpose()
}

impl View for SearchView<'_> {
    fn index(&self) -> &Index {
        self.index
    }

    fn unit(&self) -> Unit {
        self.unit
    }

    fn has_own_statistics(&self) -> bool {
        self.statistics.is_none()
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError> {
        let mut known = self.postings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(postings) = known.get(term) {
            return Ok(Arc::clone(postings));
        }
        let postings = Arc::new(gather(
            self.index,
            &self.subset,
            self.statistics.as_deref(),
            self.unit,
            term,
        )?);
        known.insert(term.to_owned(), Arc::clone(&postings));
        Ok(postings)
    }

    fn norms(&self, formula: &Formula) -> Result<Arc<Vec<f64>>, IndexError> {
        let Subset {
            page_lengths,
            weights,
            ..
        } = &*self.subset;
        let norms = |lengths: &mut dyn Iterator<Item = f64>| {
            self.subset.norms(self.unit, formula, &self.totals, lengths)
        };
        Ok(match (self.unit, weights) {
            (Unit::Page, _) => {
                let grain = self.grain();
                norms(&mut page_lengths.iter().map(|length| grain.to_f64(*length)))
            }
            (Unit::Block, None) => {
                let lengths = self.index.block_lengths()?.into_iter();
                norms(&mut lengths.map(f64::from))
            }
            (Unit::Block, Some(_)) => {
                let lengths = (0..).zip(self.index.block_lengths()?);
                norms(&mut lengths.map(|(block, length)| {
                    let hundredths = u64::from(length) * u64::from(self.subset.weight(block));
                    Hundredths::new(hundredths).to_f64()
                }))
            }
        })
    }

    fn pruned(
        &self,
        query: &[Clause],
        formula: &Formula,
        k: usize,
    ) -> Result<Option<Pruned>, IndexError> {
        self.pruned_counting(query, formula, k, false)
    }

    fn threads(&self) -> usize {
        match self.index.one_thread {
            true => 1,
            false => threads(),
        }
    }

    fn gather(&self, query: &[Clause]) -> Result<(), IndexError> {
        if self.threads() == 1 {
            return Ok(());
        }
        let known = || self.postings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut missing: Vec<&str> = query.iter().map(|clause| clause.term.as_str()).collect();
        missing.sort_unstable();
        missing.dedup();
        missing.retain(|term| !known().contains_key(*term));
        let (subset, others) = (&self.subset, self.statistics.as_deref());
        // Not under the lock: a thread that waits takes up other work, which may want it.
        let gathered = missing.par_iter().map(|term| {
            let postings = gather_by_segment(self.index, subset, others, self.unit, term)?;
            Ok(((*term).to_owned(), Arc::new(postings)))
        });
        let gathered = gathered.collect::<Result<Vec<_>, IndexError>>()?;
        known().extend(gathered);
        Ok(())
    }

    fn statistics_of(&self, term: &str) -> Result<TermTotals, IndexError> {
        if let Some(given) = &self.given {
            return given.term(term);
        }
        if let Some(searched) = self.searched()
            && let Some(totals) = totals_of(&searched, term)?
        {
            return Ok(totals);
        }
        self.term_totals(term, &*self.postings(term)?)
    }

    fn given(&self) -> Option<&Given> {
        self.given.as_ref()
    }

    fn grain(&self) -> Grain {
        self.subset.grain()
    }

    fn has_titles(&self) -> bool {
        self.subset.titles.is_some()
    }

    fn page_terms(&self, page: u32) -> Result<Arc<PageTerms>, IndexError> {
        let terms = self.index.page_terms(page, self.has_titles());
        terms.map(Arc::new)
    }

    fn weights(&self, hit: &Hit) -> Result<Vec<u32>, IndexError> {
        let blocks = (0u32..).zip(self.index.layout.blocks(hit.page));
        let weight = |(number, block)| match hit.block.is_none_or(|own| own == number) {
            true => self.subset.weight(block),
            false => 0,
        };
        let title = self.subset.titles.as_ref().filter(|_| hit.block.is_none());
        let title = title.map_or(0, |titles| titles.weights[hit.page as usize]);
        Ok(blocks.map(weight).chain([u32::from(title)]).collect())
    }
}
