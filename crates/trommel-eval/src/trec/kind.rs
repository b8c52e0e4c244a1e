//! The three kinds of files.

use std::fmt;

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Topics.
    Topics,
    /// Relevance judgments.
    Qrels,
    /// A run.
    Run,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Topics => "topics",
            Kind::Qrels => "relevance judgments (topic, iteration, docid, grade)",
            Kind::Run => "a run (topic, Q0, docid, rank, score, tag)",
        })
    }
}
