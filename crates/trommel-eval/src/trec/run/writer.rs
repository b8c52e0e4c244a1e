//! Writing runs that every evaluator reads in the same order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};

use trommel_text::{breaks_words, to_word};

use super::ScoredDoc;

/// Why a run could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunWriteError {
    /// Writing failed.
    #[error("cannot write the run")]
    Io {
        /// The error of the operating system.
        #[source]
        cause: io::Error,
    },
    /// A run tag or topic id that would not be one column of the file, or would look like a comment or the beginning of a file.
    #[error(
        "the {what} {value:?} must be one word without white space that does not begin with `#` or a byte-order mark"
    )]
    NotOneWord {
        /// `run tag` or `topic id`.
        what: &'static str,
        /// The text in question.
        value: String,
    },
    /// A document without an id.
    #[error("topic {topic}: a document with an empty id")]
    EmptyDocid {
        /// Topic id.
        topic: String,
    },
    /// A score that is infinite or not a number.
    #[error("topic {topic}: document {docid} has the score {score}")]
    ScoreNotFinite {
        /// Topic id.
        topic: String,
        /// Document id.
        docid: String,
        /// The score.
        score: f32,
    },
    /// The same document twice under one topic.
    #[error("topic {topic}: document {docid} was retrieved twice")]
    DuplicateDocument {
        /// Topic id.
        topic: String,
        /// Document id as written.
        docid: String,
    },
}

impl From<io::Error> for RunWriteError {
    fn from(cause: io::Error) -> Self {
        RunWriteError::Io { cause }
    }
}

/// Writes a run topic by topic, so that only one topic is in memory.
///
/// Lines are `topic Q0 docid rank score tag` with ranks from 1, ordered by score descending, then by
/// document id descending (trec_eval's order, by bytes of the id as written). Scores are printed as
/// the shortest decimal that reads back as the same `f32`. Two different scores differ in at most
/// nine digits, which double precision keeps apart, so readers of single (trec_eval 9) and of double
/// precision (trec_eval 10) see the same order and the same ties.
///
/// White space and control characters of a document id are percent-encoded, one-to-one: see [`to_word`].
#[derive(Debug)]
pub struct RunWriter<W: Write> {
    out: W,
    tag: String,
}

impl<W: Write> RunWriter<W> {
    /// A writer whose lines carry `tag`, which must be one word.
    ///
    /// # Errors
    /// [`RunWriteError::NotOneWord`] for a tag that is not one word.
    pub fn new(out: W, tag: &str) -> Result<Self, RunWriteError> {
        require_one_word("run tag", tag)?;
        let tag = tag.to_owned();
        Ok(RunWriter { out, tag })
    }

    /// Writes the documents of one topic, given in any order.
    ///
    /// # Errors
    /// [`RunWriteError`]: a topic id that is not one word, a document without an id, a score that is no number, or a write that fails.
    pub fn write_topic<'a>(
        &mut self,
        topic: &str,
        docs: impl IntoIterator<Item = (&'a str, f32)>,
    ) -> Result<(), RunWriteError> {
        let lines = run_lines(topic, docs)?;
        self.write_lines(topic, &lines)
    }

    /// Writes the documents of one topic as they were read from a run, in the order given: words and scores stay as they are.
    ///
    /// # Errors
    /// A write that fails.
    pub(super) fn write_read(
        &mut self,
        topic: &str,
        docs: &[ScoredDoc],
    ) -> Result<(), RunWriteError> {
        let lines = docs.iter().map(|doc| (doc.docid.as_str(), doc.score + 0.0));
        self.write_lines(topic, &lines.collect::<Vec<_>>())
    }

    fn write_lines<D: AsRef<str>, S: fmt::Display>(
        &mut self,
        topic: &str,
        lines: &[(D, S)],
    ) -> Result<(), RunWriteError> {
        // Text is copied by hand: a run may have millions of lines, and the formatter costs more than the ranking.
        let mut text = Vec::new();
        for (rank, (docid, score)) in (1..).zip(lines) {
            for part in [topic, " Q0 ", docid.as_ref()] {
                text.extend_from_slice(part.as_bytes());
            }
            write!(text, " {rank} {score} ")?;
            text.extend_from_slice(self.tag.as_bytes());
            text.push(b'\n');
        }
        Ok(self.out.write_all(&text)?)
    }

    /// Flushes and gives the output back.
    ///
    /// # Errors
    /// [`RunWriteError::Io`] if what is left cannot be written.
    pub fn finish(mut self) -> Result<W, RunWriteError> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The documents of a topic as a run file has them: each document's word, and the scores, in their order; see [`RunWriter`].
///
/// # Errors
/// [`RunWriteError`]: a topic id that is not one word, a document without an id or twice, a score that is no number.
pub fn run_lines<'a>(
    topic: &str,
    docs: impl IntoIterator<Item = (&'a str, f32)>,
) -> Result<Vec<(Cow<'a, str>, f32)>, RunWriteError> {
    require_one_word("topic id", topic)?;
    let mut lines: Vec<(Cow<'a, str>, f32)> = Vec::new();
    for (docid, score) in docs {
        let topic = topic.to_owned();
        if docid.is_empty() {
            return Err(RunWriteError::EmptyDocid { topic });
        }
        if !score.is_finite() {
            let docid = docid.to_owned();
            return Err(RunWriteError::ScoreNotFinite {
                topic,
                docid,
                score,
            });
        }
        // Adding zero turns -0 into 0: they tie, so they must print alike.
        lines.push((to_word(docid), score + 0.0));
    }
    let mut seen = HashSet::with_capacity(lines.len());
    if let Some((docid, _)) = lines.iter().find(|(docid, _)| !seen.insert(docid.as_ref())) {
        let (topic, docid) = (topic.to_owned(), docid.to_string());
        return Err(RunWriteError::DuplicateDocument { topic, docid });
    }
    lines.sort_by(|(a_id, a), (b_id, b)| b.total_cmp(a).then_with(|| b_id.cmp(a_id)));
    Ok(lines)
}

fn require_one_word(what: &'static str, value: &str) -> Result<(), RunWriteError> {
    if value.is_empty() || value.starts_with(['#', '\u{feff}']) || value.contains(breaks_words) {
        let value = value.to_owned();
        return Err(RunWriteError::NotOneWord { what, value });
    }
    Ok(())
}
