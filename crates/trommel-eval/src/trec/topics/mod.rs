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
mod note;
mod numbered;
mod tagged;
mod tags;
mod topic;

use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::path::Path;

use numbered::Numbered;

use super::lines::line_error;
use super::unpack::{Bound, unpacked};
use super::{Problem, TrecError};

pub use jsonl::ID_KEYS;
pub use note::Note;
pub use topic::{Field, NoField, Topic};

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
/// # Errors
/// A topic without id or with one that is not one word, two topics with one id, a line that breaks the format, no topic
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
///
/// # Errors
/// As [`parse`], and input that cannot be read or unpacked, or is larger than any file of topics.
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
///
/// # Errors
/// As [`read`], and a file that cannot be opened.
pub fn read_file(path: &Path) -> Result<Topics, TrecError> {
    read(super::lines::open(path)?, &path.display().to_string())
}
