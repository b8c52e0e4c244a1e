//! Microdata (HTML standard §5) with the words of schema.org: elements with `itemprop`.

use super::gathered::{Gathered, words};
use super::row::Candidates;

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let mut found = Candidates::default();
    for id in gathered.elements() {
        let Some(names) = gathered.source.attribute(id, "itemprop") else {
            continue;
        };
        let value = || {
            let attributes = ["content", "datetime"];
            let declared = attributes
                .iter()
                .find_map(|name| gathered.source.attribute(id, name));
            let declared = declared
                .map(|value| words(&value))
                .filter(|value| !value.is_empty());
            declared.or_else(|| gathered.short_text(id))
        };
        for name in names.split_ascii_whitespace() {
            let values = match name {
                "headline" => &mut found.titles,
                "author" | "creator" => &mut found.authors,
                "datePublished" | "uploadDate" | "dateCreated" => &mut found.dates,
                "dateModified" => &mut found.modified,
                _ => continue,
            };
            values.extend(value());
        }
    }
    found
}
