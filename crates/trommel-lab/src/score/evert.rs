//! The CleanEval metric in Stefan Evert's version (`cleaneval.py` 1.0, 2008): precision, recall and F of the words that an
//! alignment of output and gold text matches.
//!
//! As there: lines that begin with `URL` are dropped; control characters are white space; a segment marker `<p>`, `<h>` or
//! `<l>` is a word of its own; words are parted by ASCII white space; white space (or a marker) at the beginning and at the end
//! of the text gives one empty word each. Bytes are compared, whatever the encoding.

use std::borrow::Cow;

use super::counts::Counts;
use super::measure::{Text, TextMeasure};
use super::sequence_matcher::matches;

pub(super) const MEASURE: TextMeasure = TextMeasure {
    name: "evert",
    summary: "CleanEval's edit distance in Evert's version: words and segment markers in aligned stretches",
    source: "Evert's cleaneval.py 1.0 (2008), for CleanEval (Baroni et al., LREC 2008)",
    counts_empty_gold: false,
    compare,
};

fn compare(output: &Text, gold: &Text) -> Counts {
    let (output, gold) = (without_urls(&output.marked), without_urls(&gold.marked));
    let (output, gold) = (words(&output), words(&gold));
    let mut counts = Counts {
        common: 0,
        output: output.len() as u64,
        gold: gold.len() as u64,
    };
    matches(&output, &gold, |_| counts.common += 1);
    counts
}

/// Python's `\s` on bytes.
fn is_space(byte: u8) -> bool {
    matches!(byte, 9..=13 | b' ')
}

/// Python's `^\s*URL.*$`, on each line, replaced by nothing.
fn without_urls(text: &[u8]) -> Cow<'_, [u8]> {
    let mut kept = Vec::new();
    let (mut copied, mut line) = (0, 0);
    while line < text.len() {
        let indent = text[line..].iter().take_while(|byte| is_space(**byte));
        let word = line + indent.count();
        let rest = &text[word..];
        let end = word
            + rest
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len());
        if rest.starts_with(b"URL") {
            kept.extend_from_slice(&text[copied..line]);
            copied = end;
        }
        // Lines of white space before this one led to the same word, so they are done as well.
        line = end + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    kept.extend_from_slice(&text[copied..]);
    Cow::Owned(kept)
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    let is_blank = |byte: u8| byte <= b' ';
    let mut words: Vec<&[u8]> = Vec::new();
    let mut start = 0;
    let mut parted = false;
    let mut at = 0;
    while at < text.len() {
        let marker = is_marker(&text[at..]);
        if !marker && !is_blank(text[at]) {
            at += 1;
            continue;
        }
        // An empty word stands only at the very beginning.
        if at > start || words.is_empty() && at == 0 {
            words.push(&text[start..at]);
        }
        parted = true;
        if marker {
            words.push(&text[at..at + 3]);
            at += 3;
        } else {
            at += 1;
        }
        start = at;
    }
    if start < text.len() || parted || text.is_empty() {
        words.push(&text[start..]);
    }
    words
}

fn is_marker(text: &[u8]) -> bool {
    matches!(
        text,
        [b'<', b'p' | b'h' | b'l' | b'P' | b'H' | b'L', b'>', ..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let text = without_urls(text.as_bytes());
        let words: Vec<&str> = words(&text)
            .into_iter()
            .map(|word| std::str::from_utf8(word).unwrap())
            .collect();
        assert_eq!(words, expected);
    }

    /// What `re_WS.split(normalize(text))` of the original gives.
    #[test]
    fn words_of_the_original() {
        check("one two", &["one", "two"]);
        check(
            "URL: http://x\n<p>one<H>two\n",
            &["", "<p>", "one", "<H>", "two", ""],
        );
        check(
            " \n \n URL x\n\nURLs\ntext URL y",
            &["", "text", "URL", "y"],
        );
        check("<p>", &["", "<p>", ""]);
        check("", &[""]);
        check("a\u{1}b <q>", &["a", "b", "<q>"]);
        check("a\u{a0}b", &["a\u{a0}b"]);
    }
}
