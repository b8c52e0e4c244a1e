//! Topics in markup: classic `<top>` elements, the web track's `<topic>` elements, and NTCIR's `<query>` elements.
//!
//! Real files are neither SGML nor XML: tags stay open, `&` and `<` stand in text. So this reads tags,
//! not documents. Any opening tag inside a topic begins a field and ends the one before; a field's own
//! closing tag ends it; text outside of fields and attributes other than the id are not part of the
//! topic.
//!
//! `<query>` is a field inside of the web track's topics, and outside of any a topic: of NTCIR's We Want Web task, with `<qid>` and
//! `<content>`, or with its text right in it.

use super::super::TrecError;
use super::super::lines::line_error;
use super::tags::{Token, Tokens, attribute, decode};
use super::topic::{Field, Topic, canonical_name, field, topic};

/// Tags that mark up words inside a field and so do not begin one.
const INLINE: [&str; 12] = [
    "b", "i", "u", "em", "strong", "q", "a", "p", "br", "sub", "sup", "span",
];

/// Labels that the classic format repeats at the beginning of a field.
const LABELS: [(&str, &str); 5] = [
    ("num", "Number:"),
    ("number", "Number:"),
    ("title", "Topic:"),
    ("description", "Description:"),
    ("narrative", "Narrative:"),
];

/// Topics with the lines they begin on.
type Topics = Vec<(usize, Topic)>;

pub(super) fn parse(text: &str, name: &str) -> Result<Topics, TrecError> {
    let mut topics = Vec::new();
    let mut open: Option<Builder> = None;
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next_token() {
        match token {
            Token::Open { name: tag, .. } | Token::Close { name: tag }
                if INLINE.contains(&tag.as_str()) =>
            {
                if let Some(builder) = &mut open {
                    builder.push_text(" ");
                }
            }
            Token::Open {
                name: tag,
                attributes,
            } if begins_topic(&tag, open.as_ref()) => {
                finish(open.take(), name, &mut topics)?;
                let id = attribute(attributes, &["number", "num", "id", "qid"]);
                open = Some(Builder::new(tag, tokens.line, id));
            }
            Token::Close { name: tag } if open.as_ref().is_some_and(|it| it.ends_with(&tag)) => {
                finish(open.take(), name, &mut topics)?;
            }
            Token::Open { name: tag, .. } => {
                if let Some(builder) = &mut open {
                    builder.fields.push((canonical_name(&tag), String::new()));
                    builder.in_field = true;
                }
            }
            Token::Close { name: tag } => {
                if let Some(builder) = &mut open {
                    let last = builder.fields.last();
                    builder.in_field &= last.is_some_and(|(name, _)| *name != canonical_name(&tag));
                }
            }
            Token::Text(text) => {
                if let Some(builder) = &mut open {
                    builder.push_text(&decode(text));
                }
            }
            Token::Verbatim(text) => {
                if let Some(builder) = &mut open {
                    builder.push_text(text);
                }
            }
        }
    }
    finish(open, name, &mut topics)?;
    Ok(topics)
}

/// The name of the first element, for a message about markup without topics.
pub(super) fn first_element(text: &str) -> Option<String> {
    let mut tokens = Tokens::new(text);
    loop {
        if let Token::Open { name, .. } = tokens.next_token()? {
            return Some(name);
        }
    }
}

fn is_topic(tag: &str) -> bool {
    matches!(tag, "top" | "topic")
}

/// The element of NTCIR's topics.
const QUERY: &str = "query";

fn begins_topic(tag: &str, open: Option<&Builder>) -> bool {
    is_topic(tag) || tag == QUERY && open.is_none_or(|open| open.element == QUERY)
}

struct Builder {
    element: String,
    line: usize,
    id: Option<String>,
    fields: Vec<(String, String)>,
    in_field: bool,
}

impl Builder {
    fn new(element: String, line: usize, id: Option<String>) -> Builder {
        let is_query = element == QUERY;
        Builder {
            element,
            line,
            id,
            // What stands right in a query is its text.
            fields: is_query
                .then(|| ("title".to_owned(), String::new()))
                .into_iter()
                .collect(),
            in_field: is_query,
        }
    }

    /// Does a closing tag end the topic?
    fn ends_with(&self, tag: &str) -> bool {
        is_topic(tag) || tag == QUERY && self.element == QUERY
    }

    fn push_text(&mut self, text: &str) {
        if let (true, Some((_, content))) = (self.in_field, self.fields.last_mut()) {
            content.push_str(text);
        }
    }
}

fn finish(builder: Option<Builder>, name: &str, topics: &mut Topics) -> Result<(), TrecError> {
    let Some(builder) = builder else {
        return Ok(());
    };
    let mut id = builder.id;
    let mut fields: Vec<Field> = Vec::new();
    let is_query = builder.element == QUERY;
    for (name, text) in &builder.fields {
        let text = without_label(name, text.trim());
        match name.as_str() {
            "num" | "number" | "qid" if id.is_none() => id = Some(text.to_owned()),
            "title" if is_query && text.is_empty() => {}
            "content" if is_query => fields.push(field("title", text)),
            _ => fields.push(field(name, text)),
        }
    }
    match topic(&id.unwrap_or_default(), fields) {
        Ok(topic) => topics.push((builder.line, topic)),
        Err(problem) => return Err(line_error(name, builder.line, problem)),
    }
    Ok(())
}

fn without_label<'a>(name: &str, text: &'a str) -> &'a str {
    let label = LABELS
        .iter()
        .find(|(field, _)| *field == name)
        .map(|(_, label)| *label);
    label
        .and_then(|label| Some((label, text.get(..label.len())?)))
        .filter(|(label, start)| start.eq_ignore_ascii_case(label))
        .and_then(|(label, _)| text.get(label.len()..))
        .unwrap_or(text)
}
