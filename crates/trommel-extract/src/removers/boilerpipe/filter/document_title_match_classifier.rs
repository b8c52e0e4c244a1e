//! `DocumentTitleMatchClassifier`: marks blocks whose text is the page's title or its longest part.
//!
//! The original prefers parts with more words, but counts words by a pattern (`[\b]+`, a backspace) that no title
//! matches; so what counts is the length.

use super::{Document, trimmed};

/// Between which characters the longest part is looked for, one list after the other.
const DELIMITERS: [&[char]; 4] = [
    &['|', '»', ':'],
    &['|', '»', ':', '(', ')'],
    &['|', '»', ':', '(', ')', '-'],
    &['|', '»', ',', ':', '(', ')', '-'],
];

pub fn apply(document: &mut Document) {
    let title = trimmed(document.title.unwrap_or_default());
    if title.is_empty() {
        return;
    }
    let mut candidates = vec![title];
    candidates.extend(DELIMITERS.iter().filter_map(|set| longest_part(title, set)));
    candidates.dedup();
    for at in 0..document.blocks.len() {
        let text = document.text(&document.blocks[at]);
        if candidates.contains(&trimmed(&text)) {
            document.blocks[at].marks.title = true;
        }
    }
}

/// The first of the longest parts between delimiters, in UTF-16 units; none if there is one part or all have `.com` in
/// them. Like Java's `split`, empty parts at the end do not count.
fn longest_part<'a>(title: &'a str, delimiters: &[char]) -> Option<&'a str> {
    let mut parts: Vec<&str> = title
        .split(delimiters)
        .map(|part| part.trim_matches(' '))
        .collect();
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    if parts.len() == 1 {
        return None;
    }
    let (mut longest, mut length) = ("", 0);
    for part in parts.into_iter().filter(|part| !part.contains(".com")) {
        let units = part.encode_utf16().count();
        if units > length {
            (longest, length) = (part, units);
        }
    }
    Some(trimmed(longest)).filter(|_| length > 0)
}
