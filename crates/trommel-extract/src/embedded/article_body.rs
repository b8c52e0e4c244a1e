//! The texts of schema.org's objects: `articleBody`, `text`, `reviewBody`, `description`, `acceptedAnswer`.

use serde_json::Value;

use super::prose::{Texts, WORDS};
use crate::metadata::Gathered;

/// What holds a whole text, and what an introduction at most.
const WHOLE: [&str; 3] = ["articleBody", "reviewBody", "text"];
const PART: [&str; 1] = ["description"];

pub(super) fn read(gathered: &Gathered) -> Option<String> {
    let of = |names: &[&str]| {
        let mut texts = Texts::default();
        for object in &gathered.objects.typed {
            let values = names.iter().filter_map(|name| object.get(*name));
            for text in values.filter_map(Value::as_str) {
                texts.add(text);
            }
        }
        texts
    };
    let whole = of(&WHOLE);
    if whole.words >= WORDS {
        return whole.markup();
    }
    let part = of(&PART);
    // A sentence for search engines is no text.
    (part.words >= 3 * WORDS).then(|| part.markup()).flatten()
}
