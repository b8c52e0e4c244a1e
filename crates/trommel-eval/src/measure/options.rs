//! What is evaluated, and over which topics.

/// What is evaluated, and over which topics.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

impl Options {
    /// The same with another [`Options::complete`].
    #[must_use]
    pub fn with_complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// The same with another [`Options::relevance_level`].
    #[must_use]
    pub fn with_relevance_level(mut self, relevance_level: i32) -> Self {
        self.relevance_level = relevance_level;
        self
    }

    /// The same with another [`Options::max_docs`].
    #[must_use]
    pub fn with_max_docs(mut self, max_docs: Option<usize>) -> Self {
        self.max_docs = max_docs;
        self
    }

    /// The same with another [`Options::judged_only`].
    #[must_use]
    pub fn with_judged_only(mut self, judged_only: bool) -> Self {
        self.judged_only = judged_only;
        self
    }
}
