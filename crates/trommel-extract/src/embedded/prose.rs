//! Texts that are gathered of a script's data.

use std::collections::HashSet;

use trommel_text::escape_markup;

/// A text of fewer words is none.
pub(super) const WORDS: usize = 25;
/// A string of fewer words is a label.
const SENTENCE: usize = 6;
/// Bytes of texts that are gathered.
const MOST: usize = 4 << 20;

/// Texts, each once.
#[derive(Default)]
pub(super) struct Texts {
    texts: Vec<String>,
    known: HashSet<String>,
    bytes: usize,
    /// Their words.
    pub words: usize,
}

impl Texts {
    /// Adds a text: markup, or paragraphs with line feeds between them.
    pub fn add(&mut self, text: &str) {
        if self.bytes + text.len() > MOST || !self.known.insert(text.to_owned()) {
            return;
        }
        self.bytes += text.len();
        self.words += words(text);
        self.texts.push(match is_markup(text) {
            true => format!("<div>{text}</div>\n"),
            false => {
                let lines = text
                    .split(['\n', '\r'])
                    .filter(|line| !line.trim().is_empty());
                lines
                    .map(|line| format!("<p>{}</p>\n", escape_markup(line)))
                    .collect()
            }
        });
    }

    /// All of it as markup.
    pub fn markup(self) -> Option<String> {
        (!self.texts.is_empty()).then(|| format!("<!DOCTYPE html><body>\n{}", self.texts.concat()))
    }
}

/// Does a text have tags in it?
fn is_markup(text: &str) -> bool {
    let tags = [
        "</p>",
        "</div>",
        "</li>",
        "</h1>",
        "</h2>",
        "</h3>",
        "</span>",
        "</a>",
        "<br",
        "</strong>",
    ];
    tags.iter().any(|tag| text.contains(tag))
}

/// Words in a text, tags aside.
fn words(text: &str) -> usize {
    let mut in_tag = false;
    let shown: String = text
        .chars()
        .map(|c| {
            in_tag = c == '<' || in_tag && c != '>';
            if in_tag || c == '>' { ' ' } else { c }
        })
        .collect();
    shown.split_whitespace().count()
}

/// Is a string of a program's data a text for readers? It has words with spaces between them, most of letters, and is no program itself.
pub(super) fn is_prose(text: &str) -> bool {
    let text = text.trim();
    if text.len() < 40
        || text.starts_with(['{', '[', '/', '#', '.'])
        || text.starts_with("http")
        || text.starts_with("data:")
    {
        return false;
    }
    if [
        "function(",
        "function (",
        "=>",
        "var(--",
        "@media",
        "{{",
        "!important",
    ]
    .iter()
    .any(|it| text.contains(it))
    {
        return false;
    }
    if is_markup(text) {
        return words(text) >= SENTENCE;
    }
    let letters = text
        .chars()
        .filter(|c| c.is_alphabetic() || c.is_whitespace())
        .count();
    words(text) >= SENTENCE && 10 * letters >= 8 * text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_told_from_data() {
        for text in [
            "A rain barrel keeps the rain of a wet week for a dry one.",
            "<p>Clean the gutter before you set it <b>up</b>, please.</p>",
        ] {
            assert!(is_prose(text), "{text}");
        }
        for text in [
            "Read more",
            "https://a.example/some/very/long/address/of/a/picture/in/a/folder.jpg",
            "M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z m0 0",
            "function (a) { return a + 1 } and some words behind it that go on",
            "{\"a\": \"some words in a text of JSON that go on and on\"}",
        ] {
            assert!(!is_prose(text), "{text}");
        }
    }

    #[test]
    fn texts_are_there_once() {
        let mut texts = Texts::default();
        for text in [
            "one two\n\nthree <b>",
            "one two\n\nthree <b>",
            "<p>four</p>",
        ] {
            texts.add(text);
        }
        let markup = texts.markup().unwrap();
        assert!(
            markup.ends_with("<p>one two</p>\n<p>three &lt;b&gt;</p>\n<div><p>four</p></div>\n"),
            "{markup}"
        );
    }
}
