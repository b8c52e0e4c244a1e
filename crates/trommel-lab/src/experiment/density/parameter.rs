//! What a fit gives.

use serde::Serialize;

/// A fitted parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// As the paper writes it.
    pub symbol: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// The fitted value.
    pub value: f64,
    /// The paper's, for its own collection.
    pub published: Option<f64>,
}
