//! `time` elements.

use trommel_page::Tag;

use super::gathered::{Gathered, words};
use super::row::Candidates;

/// Words in the classes of an element or one around it that say that the day is that of a change, or of something else.
const OTHER: [&str; 8] = [
    "updated", "modified", "comment", "related", "sidebar", "event", "widget", "footer",
];

/// Elements that are looked at.
const MOST: usize = 1_000;

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let mut found = Candidates::default();
    let times = gathered
        .elements()
        .filter(|id| *gathered.page.tag(*id) == Tag::Time);
    for id in times.take(MOST) {
        let declared = gathered.source.attribute(id, "datetime");
        let value = declared
            .map(|value| words(&value))
            .filter(|value| !value.is_empty());
        let Some(value) = value.or_else(|| gathered.short_text(id)) else {
            continue;
        };
        let around = || gathered.page.ancestors(id).take(4);
        let classes = || around().map(|id| gathered.page.class(id).to_ascii_lowercase());
        let is_published = gathered.source.attribute(id, "pubdate").is_some()
            || gathered
                .page
                .class(id)
                .to_ascii_lowercase()
                .contains("publish");
        let is_other = around()
            .any(|id| matches!(gathered.page.tag(id), Tag::Aside | Tag::Footer | Tag::Nav))
            || classes().any(|class| OTHER.iter().any(|word| class.contains(word)));
        match (is_published, is_other) {
            (true, _) => found.dates.insert(0, value),
            (false, false) => found.dates.push(value),
            (false, true) => found.modified.push(value),
        }
    }
    found
}
