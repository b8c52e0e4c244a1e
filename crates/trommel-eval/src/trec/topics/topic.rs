//! A topic and its fields.

use super::super::Problem;

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

pub(super) fn topic(id: &str, fields: Vec<Field>) -> Result<Topic, Problem> {
    let id = id.trim().to_owned();
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    match id.is_empty() {
        true => Err(Problem::NoTopicId),
        false if id.starts_with('#') || id.contains(breaks) => Err(Problem::TopicId { id }),
        false => Ok(Topic { id, fields }),
    }
}

pub(super) fn field(name: &str, text: &str) -> Field {
    let words: Vec<&str> = text.split_whitespace().collect();
    Field {
        name: canonical_name(name),
        text: words.join(" "),
    }
}

/// Other names of fields, and those that they are stored by.
const SHORT: [(&str, &str); 3] = [
    ("query", "title"),
    ("desc", "description"),
    ("narr", "narrative"),
];

pub(super) fn canonical_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match SHORT.iter().find(|(short, _)| *short == name) {
        Some((_, long)) => (*long).to_owned(),
        None => name,
    }
}

/// A topic without the field that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("topic {topic} has no field '{field}'; it has: {}", with_short_names(.has))]
pub struct NoField {
    /// Topic id.
    pub topic: String,
    /// The field.
    pub field: String,
    /// Names of the fields that it has.
    pub has: Vec<String>,
}

/// `title, description (desc)`: a field can be asked for by either name.
fn with_short_names(fields: &[String]) -> String {
    let named = fields
        .iter()
        .map(|field| match SHORT.iter().find(|(_, long)| long == field) {
            Some((short, long)) if *long != "title" => format!("{long} ({short})"),
            _ => field.clone(),
        });
    named.collect::<Vec<_>>().join(", ")
}
