//! JSON from which a program of the page starts: scripts of type `application/json` (Next.js's `__NEXT_DATA__`, Apollo, Angular's transfer state), and
//! objects that a script gives a name in `window`.

use serde_json::Value;

use super::prose::{Texts, WORDS, is_prose};
use crate::metadata::{Gathered, parse_json};

/// Values that are looked at.
const MOST_VALUES: usize = 200_000;
/// Keys behind which nothing is text for readers.
const OTHER: [&str; 14] = [
    "seo",
    "meta",
    "metadata",
    "translations",
    "i18n",
    "messages",
    "locale",
    "locales",
    "footer",
    "header",
    "navigation",
    "menu",
    "cookie",
    "config",
];

pub(super) fn read(gathered: &Gathered) -> Option<String> {
    let mut texts = Texts::default();
    let mut values = 0;
    for script in &gathered.scripts {
        if script.is_json_ld {
            continue;
        }
        let json = match script.is_json {
            true => parse_json(script.text),
            false => assigned(script.text).and_then(parse_json),
        };
        let mut pending: Vec<Value> = json.into_iter().collect();
        while let Some(value) = pending.pop() {
            values += 1;
            if values > MOST_VALUES {
                break;
            }
            match value {
                Value::String(text) if is_prose(&text) => texts.add(&text),
                Value::Array(values) => pending.extend(values.into_iter().rev()),
                Value::Object(object) => {
                    let is_read =
                        |key: &str| !OTHER.iter().any(|other| key.eq_ignore_ascii_case(other));
                    let read: Vec<Value> = object
                        .into_iter()
                        .filter(|(key, _)| is_read(key))
                        .map(|(_, value)| value)
                        .collect();
                    pending.extend(read.into_iter().rev());
                }
                _ => {}
            }
        }
    }
    (texts.words >= WORDS).then(|| texts.markup()).flatten()
}

/// The object in a script like `window.__STATE__ = {…};`: from its first brace to the one that closes it.
fn assigned(script: &str) -> Option<&str> {
    let (name, value) = script.split_once('=')?;
    let name = name.trim();
    let is_name = name.len() <= 100
        && (name.starts_with("window.")
            || name.starts_with("var ")
            || name.starts_with("self.")
            || name.starts_with("window["));
    let value = value.trim_start();
    if !is_name || !value.starts_with('{') {
        return None;
    }
    let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
    for (at, byte) in value.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' if !in_text => depth += 1,
            b'}' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return Some(&value[..=at]);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_that_are_given_a_name() {
        for (script, expected) in [
            (
                "window.__STATE__ = {\"a\": \"}\\\"\"};\nrun();",
                Some("{\"a\": \"}\\\"\"}"),
            ),
            ("var x = {\"a\": {}}", Some("{\"a\": {}}")),
            ("if (a == {}) {}", None),
            ("window.x = {", None),
        ] {
            assert_eq!(assigned(script), expected, "{script}");
        }
    }
}
