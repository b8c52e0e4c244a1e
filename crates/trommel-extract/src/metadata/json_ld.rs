//! JSON-LD with the words of schema.org.

use serde_json::{Map, Value};

use super::gathered::{Gathered, words};
use super::json::is_of_type;
use super::row::Candidates;

/// What a page is about, the most telling first: schema.org's types by how they end.
const MAIN: [&[&str]; 3] = [
    &["Article", "Posting", "Report", "Recipe", "HowTo"],
    &[
        "Question",
        "Event",
        "Course",
        "Book",
        "VideoObject",
        "Product",
        "Service",
        "SoftwareApplication",
    ],
    &["WebPage", "Page"],
];

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let mut found = Candidates::default();
    for (rank, types) in MAIN.iter().enumerate() {
        let of_type = gathered
            .objects
            .typed
            .iter()
            .filter(|it| is_of_type(it, types));
        for object in of_type {
            let text = |name: &str| object.get(name).and_then(Value::as_str).map(words);
            found.titles.extend(text("headline"));
            found.titles.extend(text("name"));
            found.authors.extend(authors(gathered, object));
            found.dates.extend(text("datePublished"));
            found.dates.extend(text("uploadDate"));
            found.dates.extend(text("dateCreated"));
            found.modified.extend(text("dateModified"));
            found.descriptions.extend(text("description"));
            found.sites.extend(
                object
                    .get("publisher")
                    .map(|it| gathered.objects.names(it))
                    .unwrap_or_default(),
            );
        }
        // What a page of a kind says of itself goes before what all pages say; a first one goes before others.
        if rank == 0 && !found.titles.is_empty() {
            break;
        }
    }
    found
}

/// The people that an object names as its authors; several are one text.
fn authors(gathered: &Gathered, object: &Map<String, Value>) -> Option<String> {
    let value = object.get("author").or_else(|| object.get("creator"))?;
    let mut names: Vec<String> = Vec::new();
    for name in gathered.objects.names(value) {
        let name = words(&name);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}
