//! Statistics that a search is given, instead of its own.

use std::sync::Arc;

use trommel_page::weight::Sieve;

use super::data::{Counted, FeedbackPage, SharedStatistics, StepStatistics, VERSION};
use super::error::StatisticsError;
use crate::format::error::IndexError;
use crate::format::manifest::Manifest;
use crate::search::model::{TermTotals, Totals};
use crate::search::stats::Stats;

/// The statistics of one filter with weights.
#[derive(Clone)]
pub(crate) struct Given {
    shared: Arc<SharedStatistics>,
    step: usize,
}

impl Given {
    /// Those of a search in an index with this manifest.
    ///
    /// # Errors
    /// [`IndexError::Statistics`] if they are of other indexes or of another search.
    pub fn new(
        shared: &Arc<SharedStatistics>,
        manifest: &Manifest,
        sieve: &Sieve,
        stats: &Stats,
    ) -> Result<Given, IndexError> {
        (shared.check_index(manifest)).map_err(StatisticsError::of_search)?;
        if shared.stats != *stats {
            return Err(StatisticsError::OtherStats {
                found: shared.stats.clone(),
                wanted: stats.clone(),
            }
            .of_search());
        }
        let step = shared.steps.iter().position(|step| step.sieve == *sieve);
        let step = step.ok_or_else(|| StatisticsError::NoStep(sieve.clone()).of_search())?;
        let shared = Arc::clone(shared);
        let given = Given { shared, step };
        stats.check(&given.totals())?;
        Ok(given)
    }

    fn step(&self) -> &StepStatistics {
        &self.shared.steps[self.step]
    }

    /// N and |C|.
    pub fn totals(&self) -> Totals {
        let StepStatistics { n, length, .. } = *self.step();
        Totals {
            num: n,
            terms: length,
        }
    }

    /// df and cf of a term.
    ///
    /// # Errors
    /// [`IndexError::Statistics`] if it was not counted.
    pub fn term(&self, term: &str) -> Result<TermTotals, IndexError> {
        let step = self.step();
        let Some(&Counted(df, cf)) = step.terms.get(term) else {
            return Err(StatisticsError::NoTerm {
                term: term.to_owned(),
                sieve: step.sieve.clone(),
            }
            .of_search());
        };
        Ok(TermTotals { df, cf })
    }

    /// The pages that a query's feedback comes from.
    ///
    /// # Errors
    /// [`IndexError::Statistics`] if they are not known.
    pub fn feedback(&self, model: &str, query: &[String]) -> Result<&[FeedbackPage], IndexError> {
        let known = self.step().feedback(model, query);
        let error = || StatisticsError::NoFeedback {
            query: query.join(" "),
            model: model.to_owned(),
        };
        known.ok_or_else(|| error().of_search())
    }

    /// [`Given::feedback`], none where it is not known.
    pub fn known_feedback(&self, model: &str, query: &[String]) -> Option<&[FeedbackPage]> {
        self.step().feedback(model, query)
    }

    /// The terms of all pages that feedback comes from.
    pub fn feedback_terms(&self) -> impl Iterator<Item = &String> {
        self.step().feedback_terms()
    }
}

impl SharedStatistics {
    /// Are they of indexes with the blocks and terms of this one?
    fn check_index(&self, manifest: &Manifest) -> Result<(), StatisticsError> {
        match () {
            () if self.version != VERSION => Err(StatisticsError::Version {
                found: self.version,
                expected: VERSION,
            }),
            () if self.segmenter != manifest.segmenter => {
                Err(StatisticsError::OtherIndex("segmenter"))
            }
            () if self.analyzer != manifest.analyzer => {
                Err(StatisticsError::OtherIndex("analyzer"))
            }
            () => Ok(()),
        }
    }
}
