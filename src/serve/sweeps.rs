//! Sweeps that were asked for.

use axum::body::Bytes;

use super::limits;
use super::problem::Problem;
use super::turn::Turn;
use crate::index::{Model, Recent, Stats};
use crate::weight::Sieve;

/// The sweep that is computed, and results.
pub struct Sweeps {
    /// Those that ended; an error as it is told.
    pub done: Recent<Asked, Result<Bytes, Problem>>,
    pub running: Option<Turn<Asked>>,
}

impl Default for Sweeps {
    fn default() -> Self {
        Sweeps {
            done: Recent::new(limits::SWEEPS),
            running: None,
        }
    }
}

/// What a sweep's result depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub dimension: String,
    pub sieve: Sieve,
    pub model: Model,
    pub stats: Stats,
}
