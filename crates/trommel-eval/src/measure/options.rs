//! What is evaluated, and over which topics.

/// What is evaluated, and over which topics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Average over all judged topics, those missing from the run counting as empty (trec_eval `-c`).
    /// Otherwise over the topics that are in both.
    pub complete: bool,
    /// Lowest grade that is relevant (`-l`). Levels below 0 act as 0.
    pub relevance_level: i32,
    /// Only the first so many documents of each topic (`-M`).
    pub max_docs: Option<usize>,
    /// Drop unjudged documents from the rankings, after `max_docs` (`-J`).
    pub judged_only: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            complete: false,
            relevance_level: 1,
            max_docs: None,
            judged_only: false,
        }
    }
}
