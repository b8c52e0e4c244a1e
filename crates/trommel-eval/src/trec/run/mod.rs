//! Runs: ranked documents for each topic.

mod joined;
mod writer;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use super::kind::Kind;
use super::kind_of::kind_of;
use super::lines::{Lines, columns, line_error, open};
use super::{Problem, TrecError};

pub use joined::{JoinError, JoinedRun};
pub use writer::{RunWriteError, RunWriter, run_lines};

/// A run: what one system retrieved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// The run tag; of a file, the tag of its last line (as in trec_eval), empty for an empty file.
    pub tag: String,
    /// Topic id → retrieved documents. [`parse`] leaves them in [`rank_order`].
    pub topics: BTreeMap<String, Vec<ScoredDoc>>,
}

/// A retrieved document.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredDoc {
    /// Document id.
    pub docid: String,
    /// Score, in double precision as trec_eval 10 reads it (trec_eval 9 reads single precision).
    pub score: f64,
}

/// trec_eval's order: score descending, then document id descending by bytes. Ranks in files play no
/// part. Zero and negative zero tie.
pub fn rank_order(a: &ScoredDoc, b: &ScoredDoc) -> Ordering {
    (b.score + 0.0)
        .total_cmp(&(a.score + 0.0))
        .then_with(|| b.docid.cmp(&a.docid))
}

/// Reads a run: `topic Q0 docid rank score tag`. The second and the fourth column are ignored, and so
/// is anything after the sixth, as in trec_eval. Stricter than trec_eval, a score must be a number all
/// through and not NaN. A document twice under one topic is an error. The input may be packed with gzip or zstd.
///
/// # Errors
/// [`TrecError`]: input that cannot be read or unpacked, a line that breaks the format, a document that stands twice.
pub fn parse(input: impl BufRead, name: &str) -> Result<Run, TrecError> {
    Ok(parse_in_order(input, name)?.0)
}

/// [`parse`], with the topics in the order in which they first come.
fn parse_in_order(input: impl BufRead, name: &str) -> Result<(Run, Vec<String>), TrecError> {
    let mut lines = Lines::new(input, name)?;
    let mut run = Run::default();
    let mut order = Vec::new();
    let mut line_numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    while let Some((line, text)) = lines.next_line()? {
        let first = run.topics.is_empty();
        let wrong = |problem: Problem| match kind_of(text) {
            Some(found @ (Kind::Topics | Kind::Qrels)) if first => {
                let wanted = Kind::Run;
                line_error(name, line, Problem::Kind { found, wanted })
            }
            _ => line_error(name, line, problem),
        };
        let (topic, doc, tag) = parse_line(text).map_err(wrong)?;
        match (run.topics.get_mut(topic), line_numbers.get_mut(topic)) {
            (Some(docs), Some(numbers)) => {
                docs.push(doc);
                numbers.push(line);
            }
            _ => {
                order.push(topic.to_owned());
                run.topics.insert(topic.to_owned(), vec![doc]);
                line_numbers.insert(topic.to_owned(), vec![line]);
            }
        }
        if run.tag != tag {
            tag.clone_into(&mut run.tag);
        }
    }
    let duplicate = run
        .topics
        .iter()
        .zip(line_numbers.values())
        .filter_map(|((topic, docs), numbers)| first_duplicate(topic, docs, numbers))
        .min_by_key(|(line, _)| *line);
    if let Some((line, problem)) = duplicate {
        return Err(line_error(name, line, problem));
    }
    for docs in run.topics.values_mut() {
        docs.sort_by(rank_order);
    }
    Ok((run, order))
}

/// Reads a run file; see [`parse`].
///
/// # Errors
/// As [`parse`], and a file that cannot be opened.
pub fn read_file(path: &Path) -> Result<Run, TrecError> {
    parse(open(path)?, &path.display().to_string())
}

fn parse_line(text: &str) -> Result<(&str, ScoredDoc, &str), Problem> {
    let mut words = columns(text);
    let six = [(); 6].map(|()| words.next());
    let extra = words.count();
    let [
        Some(topic),
        Some(_),
        Some(docid),
        Some(rank),
        Some(score),
        Some(tag),
    ] = six
    else {
        let found = six.iter().flatten().count();
        return Err(Problem::Columns {
            expected: "6",
            found,
        });
    };
    if extra > 0 && rank.parse::<f64>().is_err() {
        let (found, rank) = (6 + extra, rank.to_owned());
        return Err(Problem::SplitDocid { found, rank });
    }
    match score.parse::<f64>() {
        Ok(score) if !score.is_nan() => {
            let docid = docid.to_owned();
            Ok((topic, ScoredDoc { docid, score }, tag))
        }
        _ => Err(Problem::Score {
            value: score.to_owned(),
        }),
    }
}

/// The first line of a topic that repeats a document. `docs` and `lines` are in file order.
fn first_duplicate(topic: &str, docs: &[ScoredDoc], lines: &[usize]) -> Option<(usize, Problem)> {
    let mut by_docid: Vec<(&str, usize)> = docs
        .iter()
        .zip(lines)
        .map(|(doc, &line)| (doc.docid.as_str(), line))
        .collect();
    by_docid.sort_unstable();
    by_docid
        .windows(2)
        .filter_map(|pair| match pair {
            [(a, first), (b, second)] if a == b => Some((*second, (*b, *first))),
            _ => None,
        })
        .min()
        .map(|(line, (docid, first_line))| {
            let (topic, docid) = (topic.to_owned(), docid.to_owned());
            (
                line,
                Problem::DuplicateDocument {
                    topic,
                    docid,
                    first_line,
                },
            )
        })
}
