//! Are rankings and judgments of the same topics and documents? Where they are not, every measure is 0 for the wrong reason.
//!
//! That a document is not judged is nothing: most of a collection never is. What is told is a run of which nothing is judged
//! (an error), and one that has no judged document for more than half of its judged topics, or of whose topics fewer than half are
//! judged (warnings).

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use crate::trec::{Qrels, Run, TopicIds};

/// Ids that a message names.
const EXAMPLES: usize = 3;

/// Judgments that know nothing of what they are to judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// No topic is judged.
    #[error("no topic of {of} is judged: it has {found}, the judgments have {judged}{}", loosely(.of_loose, 0))]
    Topics {
        /// What has the topics: a run, or a file of topics.
        of: String,
        /// Its topic ids.
        found: Examples,
        /// The judged ones.
        judged: Examples,
        /// How many topics would be judged if ids were compared loosely.
        of_loose: usize,
    },
    /// No document is judged, for whatever topic.
    #[error("no document of {of} is judged: it has {found}, the judgments have {judged}")]
    Documents {
        /// What has the documents: a run, or an index.
        of: String,
        /// Its docids.
        found: Examples,
        /// The judged ones.
        judged: Examples,
    },
}

/// Compares runs with the judgments, one after the other.
#[derive(Debug, Default)]
pub struct Agreement {
    runs: usize,
    /// Of the runs of which no document is judged.
    unknown: Vec<Mismatch>,
}

impl Agreement {
    /// Takes a run, named `of`; gives warnings. An empty run is no error, since it is what a search may give.
    ///
    /// # Errors
    /// [`Mismatch::Topics`] for one of whose topics none is judged.
    pub fn add(&mut self, run: &Run, qrels: &Qrels, of: &str) -> Result<Vec<String>, Mismatch> {
        let topics = run.topics.keys().map(String::as_str);
        let mut warnings = Vec::from_iter(topics_agree(topics, qrels, of)?);
        self.runs += 1;
        match documents_agree(run, qrels, of) {
            Ok(warning) => warnings.extend(warning),
            Err(mismatch) => self.unknown.push(mismatch),
        }
        Ok(warnings)
    }

    /// Gives a warning for each of several runs of which no document is judged, which may be what it found.
    ///
    /// # Errors
    /// [`Mismatch::Documents`] if no document of any run is judged.
    pub fn finish(mut self) -> Result<Vec<String>, Mismatch> {
        if self.unknown.len() == self.runs
            && let Some(mismatch) = self.unknown.pop()
        {
            return Err(mismatch);
        }
        Ok(self.unknown.iter().map(Mismatch::to_string).collect())
    }
}

/// The first few of some ids, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examples {
    first: Vec<String>,
    more: usize,
}

impl Examples {
    /// The first few of some ids.
    pub fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Examples {
        let mut ids = ids.into_iter();
        Examples {
            first: ids.by_ref().take(EXAMPLES).map(str::to_owned).collect(),
            more: ids.count(),
        }
    }
}

impl fmt::Display for Examples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.first.join(", ");
        match self.more {
            0 => f.write_str(&first),
            more => write!(f, "{first} and {more} more"),
        }
    }
}

/// Compares the ids of topics that were searched, those `of` a run or file, with the judged ones. Gives a warning if fewer than half
/// are judged.
///
/// # Errors
/// [`Mismatch::Topics`] if there are some on both sides, but none in common.
pub fn topics_agree<'a>(
    searched: impl Iterator<Item = &'a str>,
    qrels: &Qrels,
    of: &str,
) -> Result<Option<String>, Mismatch> {
    let searched: BTreeSet<&str> = searched.collect();
    let is_judged = |id: &&&str| qrels.topics.contains_key(**id);
    let judged = searched.iter().filter(is_judged).count();
    if searched.is_empty() || qrels.topics.is_empty() || 2 * judged >= searched.len() {
        return Ok(None);
    }
    let loose: HashSet<&str> = qrels
        .topics
        .keys()
        .map(|id| TopicIds::Loose.of(id))
        .collect();
    let is_judged = |id: &&&str| loose.contains(TopicIds::Loose.of(id));
    let of_loose = searched.iter().filter(is_judged).count();
    match judged {
        0 => Err(Mismatch::Topics {
            of: of.to_owned(),
            found: Examples::of(searched),
            judged: Examples::of(qrels.topics.keys().map(String::as_str)),
            of_loose,
        }),
        _ => Ok(Some(format!(
            "only {judged} of the {} topics of {of} are judged{}",
            searched.len(),
            loosely(&of_loose, judged)
        ))),
    }
}

fn loosely(of_loose: &usize, judged: usize) -> String {
    match *of_loose > judged {
        false => String::new(),
        true => format!("; without leading letters and zeros {of_loose} would be"),
    }
}

/// Compares the documents of a run with the judged ones. Gives a warning if it has no judged document for more than half of the
/// topics that are judged.
///
/// # Errors
/// [`Mismatch::Documents`] if no document of the run is judged, for whatever topic.
pub fn documents_agree(run: &Run, qrels: &Qrels, of: &str) -> Result<Option<String>, Mismatch> {
    let docids = || {
        let documents = run.topics.values().flatten();
        documents.map(|doc| doc.docid.as_str().into()).collect()
    };
    let qrels = &*qrels.in_words(docids);
    let (mut shared, mut touched) = (0, 0);
    for (topic, judgments) in &qrels.topics {
        let docs = run.topics.get(topic).filter(|docs| !docs.is_empty());
        shared += usize::from(docs.is_some());
        let mut docs = docs.into_iter().flatten();
        touched += usize::from(docs.any(|doc| judgments.contains_key(&doc.docid)));
    }
    if 2 * touched >= shared {
        return Ok(None);
    }
    if touched > 0 {
        return Ok(Some(format!(
            "for {} of {shared} judged topics no document of {of} is judged",
            shared - touched
        )));
    }
    let judged = qrels.topics.values().flat_map(|judgments| judgments.keys());
    let judged: BTreeSet<&str> = judged.map(String::as_str).collect();
    let found = run.topics.values().flatten().map(|doc| doc.docid.as_str());
    match found.clone().any(|docid| judged.contains(docid)) {
        true => Ok(Some(format!(
            "no document of {of} is judged for its topic, though some are for others: are these the same topics?"
        ))),
        false => Err(Mismatch::Documents {
            of: of.to_owned(),
            found: Examples::of(found.collect::<BTreeSet<_>>()),
            judged: Examples::of(judged),
        }),
    }
}
