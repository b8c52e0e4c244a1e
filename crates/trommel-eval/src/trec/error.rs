//! What can be wrong with a topics, qrels or run file.

use std::io;

use super::kind::Kind;

/// A file that could not be read or understood.
///
/// `Display` says where and what; [`TrecError::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrecError {
    /// Reading failed.
    #[error("{name}: {cause}")]
    Io {
        /// Path or display name of the input.
        name: String,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// A line is malformed.
    #[error("{name}:{line}: {problem}")]
    Line {
        /// Path or display name of the input.
        name: String,
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A topics file holds no topic.
    #[error("{name}: no topics found{}", began_with(.element.as_ref()))]
    NoTopics {
        /// Path or display name of the input.
        name: String,
        /// The first element, if it is markup.
        element: Option<String>,
    },
    /// A file of topics is larger than any can be.
    #[error("{name}: more than {limit} bytes")]
    TooLarge {
        /// Path or display name of the input.
        name: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// A file is compressed in a way that is not read.
    #[error("{name}: compressed with {format}")]
    Packed {
        /// Path or display name of the input.
        name: String,
        /// How.
        format: &'static str,
    },
    /// Two topics of a file would have the same id if ids are compared without leading letters and zeros.
    #[error(
        "{name}: topics {first} and {second} would both be {id} without leading letters and zeros"
    )]
    SameIds {
        /// Path or display name of the input.
        name: String,
        /// The id of one topic.
        first: String,
        /// The id of the other.
        second: String,
        /// What is left of both.
        id: String,
    },
}

fn began_with(element: Option<&String>) -> String {
    element.map_or_else(String::new, |name| format!(" (it begins with <{name}>)"))
}

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The line is not valid UTF-8.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// The line holds NUL, as text never does.
    #[error("the line holds NUL characters, so this is no text, or UTF-16")]
    NoText,
    /// The line is that of another kind of file.
    #[error("this is a line of {found}, not of {wanted}")]
    Kind {
        /// What it is.
        found: Kind,
        /// What it should be.
        wanted: Kind,
    },
    /// The line is longer than any line of such a file can be.
    #[error("the line is longer than {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// Wrong number of columns.
    #[error("expected {expected} columns, found {found}")]
    Columns {
        /// Number or numbers of columns that would do.
        expected: &'static str,
        /// Columns on the line.
        found: usize,
    },
    /// Too many columns and a rank that is no number: a docid with white space.
    #[error("{found} columns, and the rank {rank:?} is no number")]
    SplitDocid {
        /// Columns on the line.
        found: usize,
        /// The word in the rank column.
        rank: String,
    },
    /// A grade that is none.
    #[error("expected a whole-number grade in column {column}, found {value:?}")]
    Grade {
        /// Column, from 1.
        column: usize,
        /// The word found there.
        value: String,
    },
    /// A level of a preference that is none.
    #[error("expected a number from 0 as level in column 5, found {value:?}")]
    Level {
        /// The word found there.
        value: String,
    },
    /// A score that is no number.
    #[error("expected a number as score in column 5, found {value:?}")]
    Score {
        /// The word found there.
        value: String,
    },
    /// The same document twice under one topic.
    #[error("topic {topic}: document {docid} stood on line {first_line} already")]
    DuplicateDocument {
        /// Topic id.
        topic: String,
        /// Document id.
        docid: String,
        /// Where it stood first.
        first_line: usize,
    },
    /// The same topic twice in a topics file.
    #[error("topic {id} stood on line {first_line} already")]
    DuplicateTopic {
        /// Topic id.
        id: String,
        /// Where it stood first.
        first_line: usize,
    },
    /// A topic without an id.
    #[error("a topic without an id")]
    NoTopicId,
    /// A topic id that could not stand in judgments and runs.
    #[error("the topic id {id:?} is not one word, or begins with '#'")]
    TopicId {
        /// The id.
        id: String,
    },
    /// A line of a line-based topics file that has no separator after the id.
    #[error("expected a topic id, {separator}, and text")]
    NoSeparator {
        /// The separator of this file's format.
        separator: &'static str,
    },
    /// A JSON line that is no JSON object.
    #[error("not a JSON object: {message}")]
    Json {
        /// The JSON parser's message.
        message: String,
    },
    /// One JSON array instead of JSON lines.
    #[error("this is one JSON array, not an object a line")]
    JsonArray,
}

impl TrecError {
    /// The remedy, as one sentence without a final stop.
    pub fn hint(&self) -> &'static str {
        match self {
            TrecError::Io { cause, .. } => match cause.kind() {
                io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                    "get the file once more"
                }
                io::ErrorKind::FileTooLarge => "unpack it yourself if it is the file you meant",
                _ => "check the path and its permissions",
            },
            TrecError::NoTopics { .. } => {
                "topics are <top>, <topic> or <query> elements, `id:text`, `id TAB text`, or JSON lines"
            }
            TrecError::TooLarge { .. } => "check that these are topics; divide them if they are",
            TrecError::Packed { .. } => "unpack it first; gzip and zstd are read as they are",
            TrecError::SameIds { .. } => "compare topic ids as they are, or rename one of the two",
            TrecError::Line { problem, .. } => problem.hint(),
        }
    }
}

impl Problem {
    fn hint(&self) -> &'static str {
        match self {
            Problem::NotUtf8 => "convert it with iconv if it is text in another charset",
            Problem::NoText => "unpack the file if it is an archive; convert UTF-16 with iconv",
            Problem::Kind { wanted, .. } => match wanted {
                Kind::Topics => "check which file is which: topics are what is searched for",
                Kind::Qrels | Kind::Run => {
                    "check which file is which, and their order: judgments come before runs"
                }
            },
            Problem::TooLong { .. } => "check that this is the file you meant",
            Problem::Columns { .. } => {
                "qrels are `topic iteration docid grade`, runs are `topic Q0 docid rank score tag`"
            }
            Problem::SplitDocid { .. } => "percent-encode the white space in document ids",
            Problem::Grade { .. } => {
                "qrels are `topic iteration docid grade`, `topic docid grade`, or prels with five columns"
            }
            Problem::Level { .. } => "preferences are `topic group subgroup docid level`",
            Problem::Score { .. } => "runs are `topic Q0 docid rank score tag`",
            Problem::DuplicateDocument { .. } => "remove one of the two lines",
            Problem::DuplicateTopic { .. } => "give each topic an id of its own",
            Problem::NoTopicId => {
                "add a `number` attribute, a <num> element, or a key `id`, `qid` or `number`"
            }
            Problem::TopicId { .. } => {
                "judgments and runs name a topic by one word; give each topic such an id"
            }
            Problem::NoSeparator { .. } => {
                "the format is taken from the first line; every line must keep to it"
            }
            Problem::Json { .. } => {
                "write one JSON object a line, with keys such as `id` and `title`"
            }
            Problem::JsonArray => "write one JSON object a line, for instance with jq -c '.[]'",
        }
    }
}
