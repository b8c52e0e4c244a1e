//! One run of several: those of a collection's shards.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufRead, Write};
use std::mem;

use super::writer::{RunWriteError, RunWriter};
use super::{ScoredDoc, parse_in_order, rank_order};
use crate::trec::TrecError;

/// The best documents of each topic in several runs that have different documents. Runs are added one by one, and of each topic no more
/// than is asked for is kept.
#[derive(Debug, Clone)]
pub struct JoinedRun {
    k: usize,
    tag: Option<String>,
    topics: BTreeMap<String, Vec<ScoredDoc>>,
    order: Vec<String>,
}

impl JoinedRun {
    /// A run of at most `k` documents for each topic. `order` are the topics in the order that they are to have; others follow as they come.
    pub fn new(k: usize, order: Vec<String>) -> JoinedRun {
        JoinedRun {
            k,
            tag: None,
            topics: BTreeMap::new(),
            order,
        }
    }

    /// Adds a run.
    ///
    /// # Errors
    /// As [`parse`](super::parse); a document that another run has for the same topic.
    pub fn add(&mut self, input: impl BufRead, name: &str) -> Result<(), JoinError> {
        let (run, order) = parse_in_order(input, name)?;
        if !run.topics.is_empty() {
            self.tag.get_or_insert(run.tag);
        }
        for (topic, docs) in run.topics {
            let own = self.topics.entry(topic);
            let topic = own.key().clone();
            let own = own.or_default();
            own.extend(docs);
            own.sort_by(rank_order);
            // Looked for before the best are kept: of a run that comes twice the second half of them may be gone then.
            let mut seen = HashSet::with_capacity(own.len());
            if let Some(doc) = own.iter().find(|doc| !seen.insert(&doc.docid)) {
                return Err(JoinError::Repeated {
                    run: name.to_owned(),
                    docid: doc.docid.clone(),
                    topic,
                });
            }
            own.truncate(self.k);
        }
        self.order = merged(mem::take(&mut self.order), order);
        Ok(())
    }

    /// The tag of the first run that is not empty.
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// Writes the topics in their order.
    ///
    /// # Errors
    /// A tag that is not one word, a write that fails.
    pub fn write<W: Write>(&self, out: W, tag: &str) -> Result<W, RunWriteError> {
        let mut writer = RunWriter::new(out, tag)?;
        for topic in &self.order {
            if let Some(docs) = self.topics.get(topic) {
                writer.write_read(topic, docs)?;
            }
        }
        writer.finish()
    }
}

/// Why runs cannot be joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// A run cannot be read.
    #[error(transparent)]
    Read(#[from] TrecError),
    /// Two runs have a document for the same topic.
    #[error("{run}: topic {topic}: document {docid} stands in another of the runs, too")]
    Repeated {
        /// The later of the runs.
        run: String,
        /// Topic id.
        topic: String,
        /// Document id.
        docid: String,
    },
}

/// Both rows in one that keeps the order of the first, and puts what only the second has behind what stands before it there.
fn merged(first: Vec<String>, second: Vec<String>) -> Vec<String> {
    let known: HashSet<&String> = first.iter().collect();
    // What comes behind each of the first row; behind nothing, what comes before all.
    let mut behind: HashMap<Option<&String>, Vec<&String>> = HashMap::new();
    let mut last = None;
    for topic in &second {
        match known.contains(topic) {
            true => last = Some(topic),
            false => behind.entry(last).or_default().push(topic),
        }
    }
    let mut merged = Vec::new();
    merged.extend(behind.remove(&None).into_iter().flatten().cloned());
    for topic in &first {
        merged.push(topic.clone());
        merged.extend(behind.remove(&Some(topic)).into_iter().flatten().cloned());
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(k: usize, order: &[&str], runs: &[&str]) -> Result<String, JoinError> {
        let order = order.iter().map(|topic| (*topic).to_owned()).collect();
        let mut joined = JoinedRun::new(k, order);
        for run in runs {
            joined.add(run.as_bytes(), "run")?;
        }
        let tag = joined.tag().unwrap_or("none").to_owned();
        Ok(String::from_utf8(joined.write(Vec::new(), &tag).unwrap()).unwrap())
    }

    const A: &str = "3 Q0 b 1 2.5 t\n3 Q0 a 2 0.1 t\n1 Q0 a 1 -0.000001 t\n";
    const B: &str = "3 Q0 c 1 2.5 t\n2 Q0 d 1 123456790 t\n1 Q0 c 1 -3 t\n";

    #[test]
    fn the_best_of_both_by_score_and_docid() {
        let all = "3 Q0 c 1 2.5 t\n3 Q0 b 2 2.5 t\n3 Q0 a 3 0.1 t\n2 Q0 d 1 123456790 t\n\
            1 Q0 a 1 -0.000001 t\n1 Q0 c 2 -3 t\n";
        assert_eq!(joined(9, &[], &[A, B]).unwrap(), all);
        assert_eq!(joined(9, &[], &[B, "", A]).unwrap(), all);
        assert_eq!(joined(9, &[], &[all]).unwrap(), all);
        let best = "1 Q0 a 1 -0.000001 t\n2 Q0 d 1 123456790 t\n3 Q0 c 1 2.5 t\n";
        assert_eq!(joined(1, &["1", "2", "3"], &[A, B]).unwrap(), best);
        assert_eq!(joined(5, &["1"], &[]).unwrap(), "");
    }

    #[test]
    fn a_document_in_two_runs_is_refused() {
        let error = joined(9, &[], &[A, A]).unwrap_err().to_string();
        assert_eq!(
            error,
            "run: topic 1: document a stands in another of the runs, too"
        );
        assert!(matches!(joined(9, &[], &["x"]), Err(JoinError::Read(_))));
    }

    #[test]
    fn orders_are_merged() {
        let row = |text: &str| -> Vec<String> { text.chars().map(String::from).collect() };
        for (first, second, both) in [
            ("ad", "abcd", "abcd"),
            ("bd", "abce", "abced"),
            ("", "ab", "ab"),
            ("ab", "", "ab"),
            ("ab", "ba", "ab"),
        ] {
            assert_eq!(merged(row(first), row(second)), row(both));
        }
    }
}
