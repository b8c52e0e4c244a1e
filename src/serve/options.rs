//! What is served.

use std::num::NonZeroUsize;

use super::advice::Advise;
use crate::index::Index;
use crate::measure::{self, Measure};
use crate::trec::Qrels;

/// What is served, and how.
#[non_exhaustive]
pub struct ServeOptions {
    /// The index.
    pub index: Index,
    /// Topics, ids and texts, that can be searched for by id.
    pub topics: Vec<(String, String)>,
    /// Their judgments.
    pub judged: Option<Judged>,
    /// Names, besides `localhost` and addresses in numbers, under which the server may be asked.
    pub host_names: Vec<String>,
    /// Searches at once.
    pub threads: NonZeroUsize,
    /// What is said about problems that no other request can mend.
    pub advise: Advise,
}

/// Judgments and what is made of them.
pub struct Judged {
    /// The judgments.
    pub qrels: Qrels,
    /// Measures whose values for a run are means over topics.
    pub measures: Vec<Measure>,
    /// How topics are scored.
    pub options: measure::Options,
}

impl ServeOptions {
    /// An index without topics, for whoever asks by an address in numbers or as `localhost`, on one thread.
    pub fn new(index: Index) -> Self {
        ServeOptions {
            index,
            topics: Vec::new(),
            judged: None,
            host_names: Vec::new(),
            threads: NonZeroUsize::MIN,
            advise: |_| None,
        }
    }
}
