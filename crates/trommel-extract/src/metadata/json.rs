//! JSON of strangers: read with limits, gone through without recursion.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Values that are looked at, of all scripts of a page.
const MOST_OBJECTS: usize = 20_000;
/// What stands deeper belongs to something else; and what is kept of an object has all in it that stands in it.
const DEEPEST: usize = 16;
/// Bytes of JSON-LD that are read, of all scripts of a page.
const MOST_BYTES: usize = 4 << 20;

/// The objects of a page's JSON-LD that say what they are, in their order, with those that others name by `@id`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Objects {
    /// Objects with a `@type`.
    pub typed: Vec<Map<String, Value>>,
    /// Names of objects by their `@id`.
    names: HashMap<String, String>,
}

/// Reads JSON. serde_json refuses what is nested deeper than 128; damage that is common is mended: comments and CDATA around it, line breaks
/// in strings, a semicolon behind.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let mut text = text.trim();
    for (before, behind) in [
        ("<!--", "-->"),
        ("//<![CDATA[", "//]]>"),
        ("/*<![CDATA[*/", "/*]]>*/"),
        ("<![CDATA[", "]]>"),
    ] {
        text = text.strip_prefix(before).unwrap_or(text).trim();
        text = text.strip_suffix(behind).unwrap_or(text).trim();
    }
    text = text.trim_end_matches(';').trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str(text).ok().or_else(|| {
        let mended: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        serde_json::from_str(&mended).ok()
    })
}

/// The objects of JSON-LD texts.
pub(super) fn objects<'t>(texts: impl Iterator<Item = &'t str>) -> Objects {
    let mut found = Objects::default();
    let (mut seen, mut bytes) = (0, 0);
    for text in texts {
        bytes += text.len();
        if bytes > MOST_BYTES {
            break;
        }
        let Some(value) = parse(text) else { continue };
        // The last that is put down is looked at first: in the order of the text.
        let mut pending = vec![(value, 0)];
        while let Some((value, depth)) = pending.pop() {
            seen += 1;
            if seen > MOST_OBJECTS {
                return found;
            }
            match value {
                _ if depth > DEEPEST => {}
                Value::Array(values) => {
                    let inner = values.into_iter().rev();
                    pending.extend(inner.map(|value| (value, depth + 1)));
                }
                Value::Object(object) => {
                    let inner = object
                        .values()
                        .filter(|value| value.is_object() || value.is_array());
                    let inner: Vec<Value> = inner.cloned().collect();
                    pending.extend(inner.into_iter().rev().map(|value| (value, depth + 1)));
                    found.take(object);
                }
                _ => {}
            }
        }
    }
    found
}

impl Objects {
    fn take(&mut self, object: Map<String, Value>) {
        if let (Some(Value::String(id)), Some(Value::String(name))) =
            (object.get("@id"), object.get("name"))
        {
            self.names.entry(id.clone()).or_insert_with(|| name.clone());
        }
        if object.contains_key("@type") {
            self.typed.push(object);
        }
    }

    /// The names that a value says: itself, or its `name`, or that of the object which it names; of each of a list.
    pub fn names(&self, value: &Value) -> Vec<String> {
        let one = |value: &Value| match value {
            Value::String(text) => Some(self.names.get(text).unwrap_or(text).clone()),
            Value::Object(object) => {
                let name = match object.get("name") {
                    Some(Value::Array(names)) => names.first().and_then(Value::as_str),
                    name => name.and_then(Value::as_str),
                };
                let named = || {
                    self.names
                        .get(object.get("@id")?.as_str()?)
                        .map(String::as_str)
                };
                name.or_else(named).map(str::to_owned)
            }
            _ => None,
        };
        match value {
            Value::Array(values) => values.iter().filter_map(one).collect(),
            value => one(value).into_iter().collect(),
        }
    }
}

/// Does an object say that it is one of these, or something that ends so?
pub(super) fn is_of_type(object: &Map<String, Value>, endings: &[&str]) -> bool {
    let fits = |kind: &str| endings.iter().any(|ending| kind.ends_with(ending));
    match object.get("@type") {
        Some(Value::String(kind)) => fits(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(fits),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_json_is_refused_or_cut() {
        assert_eq!(parse(&"[".repeat(1_000_000)), None);
        assert_eq!(
            parse(&format!("{}{}", "{\"a\":".repeat(100_000), "1")),
            None
        );
        assert_eq!(parse("alert(1)"), None);
        let many = format!(
            "[{}{{}}]",
            "{\"@type\":\"Article\"},".repeat(3 * MOST_OBJECTS)
        );
        assert!(objects([many.as_str()].into_iter()).typed.len() <= MOST_OBJECTS);
    }

    #[test]
    fn common_damage_is_mended() {
        let expected = serde_json::json!({"@type": "Article", "name": "a b"});
        for text in [
            "<!-- {\"@type\": \"Article\", \"name\": \"a b\"} -->",
            "//<![CDATA[\n{\"@type\": \"Article\", \"name\": \"a\nb\"};\n//]]>",
        ] {
            assert_eq!(parse(text), Some(expected.clone()), "{text}");
        }
    }
}
