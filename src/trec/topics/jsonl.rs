//! Topics as JSON lines.

use super::super::Problem;
use super::{Topic, field, topic};
use serde_json::{Map, Value};

/// Keys that hold the id, in order of preference.
const ID_KEYS: [&str; 8] = [
    "id", "_id", "qid", "query_id", "topic_id", "topic", "number", "num",
];

/// Reads one object. Strings, numbers and booleans are fields; `null`, lists and objects are no text
/// and are left out. Without `title` or `query`, the key `text` is the title (as in BEIR).
pub(super) fn parse_line(line: &str) -> Result<Topic, Problem> {
    let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| Problem::Json {
        message: error.to_string(),
    })?;
    let id_key = ID_KEYS
        .into_iter()
        .find(|key| object.get(*key).and_then(scalar).is_some());
    let Some(id_key) = id_key else {
        return Err(Problem::NoTopicId);
    };
    let has_title = object.contains_key("title") || object.contains_key("query");
    let mut id = String::new();
    let mut fields = Vec::new();
    for (key, value) in &object {
        match scalar(value) {
            Some(text) if key == id_key => id = text,
            Some(text) if key == "text" && !has_title => fields.push(field("title", &text)),
            Some(text) => fields.push(field(key, &text)),
            None => {}
        }
    }
    topic(&id, fields)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
