//! How to sweep.

use std::sync::Arc;

use trommel_page::weight::Sieve;

use crate::format::error::IndexError;
use crate::format::manifest::Manifest;
use crate::search::model::Model;
use crate::search::shared::data::SharedStatistics;
use crate::search::shared::given::Given;
use crate::search::stats::Stats;

/// How to sweep.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SweepOptions {
    /// Each ranks every step.
    pub models: Vec<Model>,
    /// Where N, df, cf and the average length come from.
    pub stats: Stats,
    /// Pages for each topic.
    pub k: usize,
    /// Memory for postings, in bytes. Topics whose postings do not fit together are swept one batch after another; a single
    /// topic may take more.
    pub memory: usize,
    /// Statistics of a collection that this index is a part of, instead of its own; as in [`Ranking::shared`](crate::Ranking::shared).
    pub shared: Option<Arc<SharedStatistics>>,
}

/// One model, BM25; statistics of the filter itself; 1,000 pages for each topic; 1 GiB for postings.
impl Default for SweepOptions {
    fn default() -> Self {
        SweepOptions {
            models: vec![Model::default()],
            stats: Stats::default(),
            k: 1000,
            memory: 1 << 30,
            shared: None,
        }
    }
}

impl SweepOptions {
    /// The statistics that a step of an index with this manifest is to go by, if they are not the index's own.
    ///
    /// # Errors
    /// [`IndexError::Statistics`] if they do not fit.
    pub(crate) fn given(
        &self,
        manifest: &Manifest,
        sieve: &Sieve,
    ) -> Result<Option<Given>, IndexError> {
        let given = |shared| Given::new(shared, manifest, sieve, &self.stats);
        self.shared.as_ref().map(given).transpose()
    }

    /// Sets [`SweepOptions::models`].
    #[must_use]
    pub fn with_models(mut self, models: Vec<Model>) -> Self {
        self.models = models;
        self
    }

    /// Sets [`SweepOptions::stats`].
    #[must_use]
    pub fn with_stats(mut self, stats: Stats) -> Self {
        self.stats = stats;
        self
    }

    /// Sets [`SweepOptions::k`].
    #[must_use]
    pub fn with_k(mut self, k: usize) -> Self {
        self.k = k;
        self
    }

    /// Sets [`SweepOptions::shared`].
    #[must_use]
    pub fn with_shared(mut self, shared: Option<Arc<SharedStatistics>>) -> Self {
        self.shared = shared;
        self
    }

    /// Sets [`SweepOptions::memory`].
    #[must_use]
    pub fn with_memory(mut self, memory: usize) -> Self {
        self.memory = memory;
        self
    }
}
