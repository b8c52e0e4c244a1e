//! Text as topics: what can be read, written as JSON lines, reads back the same.
#![no_main]

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use trommel::trec::Topic;
use trommel::trec::topics::{self, ID_KEYS};

/// The first text of each name.
fn fields(topic: &Topic) -> BTreeMap<&str, &str> {
    let fields = topic.fields.iter().rev();
    fields
        .map(|field| (field.name.as_str(), field.text.as_str()))
        .collect()
}

/// A topic as a line of JSON, unless it cannot be one.
fn line(topic: &Topic) -> Option<String> {
    let fields = fields(topic);
    let has = |name| fields.contains_key(name);
    let untitled = (has("text") || has("question")) && !has("title");
    if untitled || ID_KEYS.iter().any(|name| fields.contains_key(name)) {
        return None;
    }
    let mut object: Map<String, Value> = Map::new();
    object.insert("id".to_owned(), topic.id.as_str().into());
    object.extend(
        fields
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.into())),
    );
    Some(Value::Object(object).to_string())
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(read) = topics::parse(text, "topics") else {
        return;
    };
    let read = read.topics;
    assert!(!read.is_empty());
    for topic in &read {
        assert!(
            !topic.id.is_empty() && topic.id == topic.id.trim(),
            "{topic:?}"
        );
    }
    let Some(lines) = read.iter().map(line).collect::<Option<Vec<_>>>() else {
        return;
    };
    let again = topics::parse(&lines.join("\n"), "lines").expect("what was written reads");
    let again = again.topics;
    assert_eq!(read.len(), again.len());
    for (topic, again) in read.iter().zip(&again) {
        assert_eq!((&topic.id, fields(topic)), (&again.id, fields(again)));
    }
});
