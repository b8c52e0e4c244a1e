//! Topics: the information needs of a test collection.
//!
//! The formats are told apart by their content: classic TREC markup (`<top>`, tags often unclosed), the web track's XML
//! (`<topic number="1">`), NTCIR's (`<query><qid>…<content>`), `id:text` lines, `id TAB text` lines, JSON lines, and the section
//! paths of TREC CAR. Text is a bag of words, never query syntax: character references are decoded, white space is collapsed,
//! quotes and operators stay as they are.
//!
//! Files of questions and answers (`question TAB answers`, or JSON lines with a `question`, as DPR and Natural Questions have
//! them) have no ids. Their topics are numbered from 0 in the order of the file, as Anserini does, and [`Note::Numbered`] says so.

mod jsonl;
mod latin;
mod lines;
mod tagged;
mod tags;

use super::lines::line_error;
use super::unpack::{Bound, unpacked};
use super::{Problem, TrecError};
use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, Read};
use std::path::Path;

/// The most bytes of a file of topics, all of which is in memory. The largest ones known are those of learned sparse models, which
/// repeat words by their weights: 1.1 GB for the 6,980 of MS MARCO.
const MAX_BYTES: u64 = 2 << 30;

/// Topics, and what a reader of their file should know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topics {
    /// The topics, in the order of the file.
    pub topics: Vec<Topic>,
    /// What was not as it should be, and was read all the same.
    pub notes: Vec<Note>,
}

/// One topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// The id as the file has it, without surrounding white space (leading zeros stay).
    pub id: String,
    /// Everything else, in the order of the file (JSON: by name). Names may repeat (`subtopic`).
    pub fields: Vec<Field>,
}

/// A named piece of a topic's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name in lower case; `query` is stored as `title`, `desc` as `description`, `narr` as `narrative`.
    pub name: String,
    /// Text on one line.
    pub text: String,
}

/// What was not as it should be in a file of topics that was read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Lines that are not UTF-8 were read as Windows-1252.
    Foreign {
        /// How many.
        lines: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// The topics have no ids and were numbered from 0.
    Numbered,
    /// Lines that begin with `#` were left out as comments, though they have a topic's separator.
    Comments {
        /// How many.
        lines: usize,
        /// The first of them, from 1.
        first: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Foreign { lines: 1, first } => {
                write!(f, "line {first} is not UTF-8 and was read as Windows-1252")
            }
            Note::Foreign { lines, first } => write!(
                f,
                "{lines} lines are not UTF-8 and were read as Windows-1252, line {first} the first"
            ),
            Note::Numbered => f.write_str(
                "the topics have no ids and were numbered from 0, in the order of the file",
            ),
            Note::Comments { lines: 1, first } => {
                write!(
                    f,
                    "line {first} begins with '#' and was left out as a comment"
                )
            }
            Note::Comments { lines, first } => write!(
                f,
                "{lines} lines begin with '#' and were left out as comments, line {first} the first"
            ),
        }
    }
}

impl Topic {
    /// The text of the first field of that name, in any of its spellings: `title` is also the web
    /// track's `query`.
    pub fn text(&self, field: &str) -> Option<&str> {
        let name = canonical_name(field);
        let field = self.fields.iter().find(|field| field.name == name)?;
        Some(&field.text)
    }
}

/// A topic without the field that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("topic {topic} has no field '{field}'; it has: {}", with_short_names(.has))]
pub struct NoField {
    /// Topic id.
    pub topic: String,
    /// The field.
    pub field: String,
    /// Names of the fields that it has.
    pub has: Vec<String>,
}

/// `title, description (desc)`: a field can be asked for by either name.
fn with_short_names(fields: &[String]) -> String {
    let named = fields
        .iter()
        .map(|field| match SHORT.iter().find(|(_, long)| long == field) {
            Some((short, long)) if *long != "title" => format!("{long} ({short})"),
            _ => field.clone(),
        });
    named.collect::<Vec<_>>().join(", ")
}

impl Topics {
    /// Ids and texts of one field, which is what is searched for.
    ///
    /// # Errors
    /// The first topic that has no such field.
    pub fn queries(&self, field: &str) -> Result<Vec<(String, String)>, NoField> {
        let query = |topic: &Topic| match topic.text(field) {
            Some(text) => Ok((topic.id.clone(), text.to_owned())),
            None => {
                let mut has: Vec<String> = Vec::new();
                for Field { name, .. } in &topic.fields {
                    if !has.contains(name) {
                        has.push(name.clone());
                    }
                }
                Err(NoField {
                    topic: topic.id.clone(),
                    field: field.to_owned(),
                    has,
                })
            }
        };
        self.topics.iter().map(query).collect()
    }
}

/// Reads topics from text in any of the formats.
///
/// A `{` at the beginning means JSON lines, a `<` means markup. Otherwise the first line decides, and all further lines must keep
/// to it: with a tab it is `id TAB text` (or, if what stands before the tab is more than one word, `question TAB answers`);
/// one word that begins with `enwiki:`, or has slashes and no colon, is a section path of TREC CAR; else it is `id:text`. Lines that
/// begin with `#` are comments, except in files without ids.
///
/// Errors: a topic without id or with one that is not one word, two topics with one id, a line that breaks the format, no topic
/// at all.
pub fn parse(text: &str, name: &str) -> Result<Topics, TrecError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let trimmed = text.trim_start();
    let read = match trimmed.chars().next() {
        Some('<') => Numbered {
            topics: tagged::parse(text, name)?,
            notes: Vec::new(),
        },
        Some('{') => jsonl::parse(text, name)?,
        Some('[')
            if trimmed
                .trim_start_matches('[')
                .trim_start()
                .starts_with('{') =>
        {
            return Err(line_error(name, 1, Problem::JsonArray));
        }
        _ => lines::parse(text, name)?,
    };
    let mut first_lines = HashMap::new();
    for (line, topic) in &read.topics {
        if let Some(first_line) = first_lines.insert(topic.id.as_str(), *line) {
            let id = topic.id.clone();
            return Err(line_error(
                name,
                *line,
                Problem::DuplicateTopic { id, first_line },
            ));
        }
    }
    if read.topics.is_empty() {
        return Err(TrecError::NoTopics {
            name: name.to_owned(),
            element: tagged::first_element(text),
        });
    }
    Ok(Topics {
        topics: read.topics.into_iter().map(|(_, topic)| topic).collect(),
        notes: read.notes,
    })
}

/// Reads topics from bytes, which may be packed with gzip or zstd; see [`parse`].
///
/// Lines that are not UTF-8 are taken for Windows-1252, with a [`Note::Foreign`].
pub fn read(input: impl BufRead, name: &str) -> Result<Topics, TrecError> {
    let io = |cause| TrecError::Io {
        name: name.to_owned(),
        cause,
    };
    let mut bytes = Vec::new();
    let mut input = unpacked(input, name, Bound::None)?.take(MAX_BYTES + 1);
    input.read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(TrecError::TooLarge {
            name: name.to_owned(),
            limit: MAX_BYTES,
        });
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let before = bytes.get(..at).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        return Err(line_error(name, line, Problem::NoText));
    }
    let (text, foreign) = latin::text(bytes);
    let mut topics = parse(&text, name)?;
    if let Some(&first) = foreign.first() {
        let lines = foreign.len();
        topics.notes.push(Note::Foreign { lines, first });
    }
    Ok(topics)
}

/// Reads a topics file; see [`read`].
pub fn read_file(path: &Path) -> Result<Topics, TrecError> {
    read(super::lines::open(path)?, &path.display().to_string())
}

/// Topics with the lines they begin on.
struct Numbered {
    topics: Vec<(usize, Topic)>,
    notes: Vec<Note>,
}

/// The lines with text, numbered from 1.
fn lines_with_text(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| !line.trim().is_empty())
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

fn topic(id: &str, fields: Vec<Field>) -> Result<Topic, Problem> {
    let id = id.trim().to_owned();
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    match id.is_empty() {
        true => Err(Problem::NoTopicId),
        false if id.starts_with('#') || id.contains(breaks) => Err(Problem::TopicId { id }),
        false => Ok(Topic { id, fields }),
    }
}

fn field(name: &str, text: &str) -> Field {
    let words: Vec<&str> = text.split_whitespace().collect();
    Field {
        name: canonical_name(name),
        text: words.join(" "),
    }
}

/// Other names of fields, and those that they are stored by.
const SHORT: [(&str, &str); 3] = [
    ("query", "title"),
    ("desc", "description"),
    ("narr", "narrative"),
];

fn canonical_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match SHORT.iter().find(|(short, _)| *short == name) {
        Some((_, long)) => (*long).to_owned(),
        None => name,
    }
}
