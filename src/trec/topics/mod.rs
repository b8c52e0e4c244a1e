//! Topics: the information needs of a test collection.
//!
//! Five formats, told apart by their content: classic TREC markup (`<top>`, tags often unclosed), the
//! web track's XML (`<topic number="1">`), `id:text` lines, `id TAB text` lines, and JSON lines.
//! Text is a bag of words, never query syntax: character references are decoded, white space is
//! collapsed, quotes and operators stay as they are.

mod jsonl;
mod tagged;
mod tags;

use super::lines::{Lines, line_error, open};
use super::{Problem, TrecError};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

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

impl Topic {
    /// The text of the first field of that name, in any of its spellings: `title` is also the web
    /// track's `query`.
    pub fn text(&self, field: &str) -> Option<&str> {
        let name = canonical_name(field);
        let field = self.fields.iter().find(|field| field.name == name)?;
        Some(&field.text)
    }
}

/// Reads topics from text in any of the formats.
///
/// A `{` at the beginning means JSON lines, a `<` means markup. Otherwise the first line decides: with
/// a tab it is `id TAB text`, else `id:text`; all further lines must keep to it.
///
/// Errors: a topic without id, two topics with one id, a line that breaks the format, no topic at all.
pub fn parse(text: &str, name: &str) -> Result<Vec<Topic>, TrecError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let numbered = match text.trim_start().chars().next() {
        Some('<') => tagged::parse(text, name)?,
        Some('{') => parse_lines(text, name, jsonl::parse_line)?,
        _ => match first_data_line(text).is_some_and(|line| line.contains('\t')) {
            true => parse_lines(text, name, |line| parse_separated(line, '\t', "a tab"))?,
            false => parse_lines(text, name, |line| parse_separated(line, ':', "a colon"))?,
        },
    };
    let mut first_lines = HashMap::new();
    for (line, topic) in &numbered {
        if let Some(first_line) = first_lines.insert(topic.id.as_str(), *line) {
            let id = topic.id.clone();
            return Err(line_error(
                name,
                *line,
                Problem::DuplicateTopic { id, first_line },
            ));
        }
    }
    if numbered.is_empty() {
        return Err(TrecError::NoTopics {
            name: name.to_owned(),
        });
    }
    Ok(numbered.into_iter().map(|(_, topic)| topic).collect())
}

/// Reads a topics file; see [`parse`].
pub fn read_file(path: &Path) -> Result<Vec<Topic>, TrecError> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    if let Err(cause) = open(path)?.read_to_end(&mut bytes) {
        return Err(TrecError::Io { name, cause });
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => parse(text, &name),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
            Err(line_error(&name, line, Problem::NotUtf8))
        }
    }
}

fn first_data_line(text: &str) -> Option<&str> {
    text.lines()
        .find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// Topics with the lines they begin on.
type Numbered = Vec<(usize, Topic)>;

fn parse_lines(
    text: &str,
    name: &str,
    parse_line: impl Fn(&str) -> Result<Topic, Problem>,
) -> Result<Numbered, TrecError> {
    let mut lines = Lines::new(text.as_bytes(), name);
    let mut topics = Vec::new();
    while let Some((line, text)) = lines.next_line()? {
        let topic = parse_line(text).map_err(|problem| line_error(name, line, problem))?;
        topics.push((line, topic));
    }
    Ok(topics)
}

fn parse_separated(
    line: &str,
    separator: char,
    separator_name: &'static str,
) -> Result<Topic, Problem> {
    let Some((id, text)) = line.split_once(separator) else {
        return Err(Problem::NoSeparator {
            separator: separator_name,
        });
    };
    topic(id, vec![field("title", text)])
}

fn topic(id: &str, fields: Vec<Field>) -> Result<Topic, Problem> {
    let id = id.trim().to_owned();
    match id.is_empty() {
        true => Err(Problem::NoTopicId),
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

fn canonical_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "query" => "title".to_owned(),
        "desc" => "description".to_owned(),
        "narr" => "narrative".to_owned(),
        _ => name,
    }
}
