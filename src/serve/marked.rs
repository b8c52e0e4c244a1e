//! Text with the words of a query marked.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::limits;

/// A text and where words of a query stand in it. As JSON an array of texts: what is no such word and what is one take turns, and the
/// first is what stands before the first word. No word is an object of its own: a page of nothing but the query's words would be
/// twenty times as long.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    text: String,
    /// In order; none overlaps the next.
    marks: Vec<Range<usize>>,
}

impl Marked {
    /// The beginning of a text, at most [`limits::BLOCK_BYTES`] of it, with marks that are in order and do not overlap, as far as
    /// they stand there and are no more than [`limits::MARKS`].
    pub fn new(text: &str, mut marks: Vec<Range<usize>>) -> Marked {
        let text = beginning(text);
        marks.truncate(limits::MARKS);
        marks.retain(|mark| !mark.is_empty() && mark.end <= text.len());
        Marked {
            text: text.to_owned(),
            marks,
        }
    }

    /// Bytes of the text.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// As much of a text as an answer has of one block, title or snippet.
pub fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(limits::BLOCK_BYTES)]
}

impl Serialize for Marked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let before = self.marks.iter().scan(0, |from, mark| {
            let before = &self.text[*from..mark.start];
            *from = mark.end;
            Some([before, &self.text[mark.clone()]])
        });
        let rest = &self.text[self.marks.last().map_or(0, |last| last.end)..];
        let rest = (!rest.is_empty()).then_some(rest);
        serializer.collect_seq(before.flatten().chain(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, marks: &[(usize, usize)], expected: &str) {
        let marks = marks.iter().map(|(start, end)| *start..*end).collect();
        let json = serde_json::to_string(&Marked::new(text, marks)).unwrap();
        assert_eq!(json, expected);
    }

    #[test]
    fn nothing_is_lost_and_every_second_text_is_a_mark() {
        check("größe", &[], r#"["größe"]"#);
        check("größe", &[(0, 2)], r#"["","gr","öße"]"#);
        check("größe", &[(0, 2), (2, 7)], r#"["","gr","","öße"]"#);
        check("größe", &[(4, 6)], r#"["grö","ß","e"]"#);
        check("", &[], "[]");
    }

    #[test]
    fn a_block_of_nothing_but_the_querys_words_is_bounded() {
        let text = "ab ".repeat(20_000);
        let marks = (0..20_000).map(|word| 3 * word..3 * word + 2).collect();
        let marked = Marked::new(&text, marks);
        assert_eq!(marked.bytes(), limits::BLOCK_BYTES);
        assert_eq!(marked.marks.len(), limits::MARKS);
        let json = serde_json::to_string(&marked).unwrap();
        let texts: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(texts.concat(), text[..limits::BLOCK_BYTES]);
        assert!(json.len() < limits::BLOCK_BYTES + 6 * limits::MARKS + 10);
    }
}
