//! Text with the words of a query marked.

use std::ops::Range;

use serde::Serialize;

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub text: String,
    /// Is it a word of the query?
    #[serde(rename = "match")]
    pub matches: bool,
}

/// A text cut at marks, which are in order and do not overlap.
pub fn parts(text: &str, marks: &[Range<usize>]) -> Vec<Part> {
    let mut parts = Vec::with_capacity(2 * marks.len() + 1);
    let mut push = |range: Range<usize>, matches| {
        if !range.is_empty() {
            let text = text[range].to_owned();
            parts.push(Part { text, matches });
        }
    };
    let mut from = 0;
    for mark in marks {
        push(from..mark.start, false);
        push(mark.clone(), true);
        from = mark.end;
    }
    push(from..text.len(), false);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marks: &[(usize, usize)], expected: &[(&str, bool)]) {
        let marks: Vec<Range<usize>> = marks.iter().map(|(start, end)| *start..*end).collect();
        let parts = parts("größe", &marks);
        let found = parts.iter().map(|part| (part.text.as_str(), part.matches));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_empty() {
        check(&[], &[("größe", false)]);
        check(&[(0, 2)], &[("gr", true), ("öße", false)]);
        check(&[(0, 2), (2, 7)], &[("gr", true), ("öße", true)]);
        check(&[(4, 6)], &[("grö", false), ("ß", true), ("e", false)]);
        assert!(parts("", &[]).is_empty());
    }
}
