//! Topics as JSON lines.

use serde_json::{Map, Value};

use super::super::lines::line_error;
use super::super::{Problem, TrecError};
use super::note::Note;
use super::numbered::{Numbered, is_comment, lines_with_text};
use super::topic::{Field, field, topic};

/// Keys of JSON lines that hold a topic's id, in order of preference: no field can have such a name there.
pub const ID_KEYS: [&str; 9] = [
    "id",
    "_id",
    "qid",
    "query_id",
    "question_id",
    "topic_id",
    "topic",
    "number",
    "num",
];

/// Keys whose text is the title where there is neither `title` nor `query`, in order of preference: BEIR's, DPR's.
const TITLE_KEYS: [&str; 2] = ["text", "question"];

/// Reads an object a line. If none of them has an id, they are numbered from 0.
pub(super) fn parse(text: &str, name: &str) -> Result<Numbered, TrecError> {
    let mut objects = Vec::new();
    for (line, text) in lines_with_text(text).filter(|(_, line)| !is_comment(line)) {
        let object = parse_line(text).map_err(|problem| line_error(name, line, problem))?;
        objects.push((line, object));
    }
    let numbered = objects.iter().all(|(_, (id, _))| id.is_none());
    let topics = (0..).zip(objects).map(|(number, (line, (id, fields)))| {
        let id = match (id, numbered) {
            (_, true) => number.to_string(),
            (id, false) => id.unwrap_or_default(),
        };
        let topic = topic(&id, fields).map_err(|problem| line_error(name, line, problem))?;
        Ok((line, topic))
    });
    let topics: Vec<_> = topics.collect::<Result<_, TrecError>>()?;
    let notes = match numbered && !topics.is_empty() {
        true => vec![Note::Numbered],
        false => Vec::new(),
    };
    Ok(Numbered { topics, notes })
}

/// Reads one object: its id, if it has one, and its fields. Strings, numbers and booleans are fields; `null`, lists and objects
/// are no text and are left out.
fn parse_line(line: &str) -> Result<(Option<String>, Vec<Field>), Problem> {
    let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| Problem::Json {
        message: error.to_string(),
    })?;
    let has = |key: &str| object.get(key).and_then(scalar).is_some();
    let id_key = ID_KEYS.into_iter().find(|key| has(key));
    let title_key = match object.contains_key("title") || object.contains_key("query") {
        true => None,
        false => TITLE_KEYS.into_iter().find(|key| has(key)),
    };
    let mut id = None;
    let mut fields = Vec::new();
    for (key, value) in &object {
        let Some(text) = scalar(value) else {
            continue;
        };
        match Some(key.as_str()) {
            key if key == id_key => id = Some(text),
            key if key == title_key => fields.push(field("title", &text)),
            _ => fields.push(field(key, &text)),
        }
    }
    Ok((id, fields))
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
