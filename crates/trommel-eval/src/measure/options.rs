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
    /// Number of documents in the collection (`-N`), which trec_eval's `utility` takes; 0 if unknown.
    pub num_docs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            complete: false,
            relevance_level: 1,
            max_docs: None,
            judged_only: false,
            num_docs: 0,
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

    /// The same with another [`Options::num_docs`].
    #[must_use]
    pub fn with_num_docs(mut self, num_docs: usize) -> Self {
        self.num_docs = num_docs;
        self
    }
}
