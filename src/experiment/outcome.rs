//! What an experiment gives, with the sweeps that it made.

use serde::Serialize;

use super::sweep::Swept;

/// The results of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Its tables and curves.
    #[serde(flatten)]
    pub figures: trommel_lab::experiment::Outcome,
    /// Sweeps, each with a name that tells it from the others; the name may be empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<(String, Swept)>,
}

impl From<trommel_lab::experiment::Outcome> for Outcome {
    fn from(figures: trommel_lab::experiment::Outcome) -> Self {
        Outcome {
            figures,
            swept: Vec::new(),
        }
    }
}
