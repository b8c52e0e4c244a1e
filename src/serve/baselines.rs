//! Unfiltered rankings of the queries that were asked last: a slider that moves asks for the same one at each step.

use std::collections::HashMap;
use std::sync::Arc;

use super::limits;
use crate::index::{Query, Ranking, Recent};

/// The ranking without a filter.
pub struct Baseline {
    pub total: usize,
    /// By page and block the rank.
    pub ranks: HashMap<(u32, Option<u32>), u32>,
}

/// Baselines by query and ranking.
pub type Baselines = Recent<(Query, Ranking), Arc<Baseline>>;

/// None yet.
pub fn baselines() -> Baselines {
    Recent::new(limits::BASELINES)
}
