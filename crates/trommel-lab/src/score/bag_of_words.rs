//! Bag of words: the token-level F1 of WSDM 2010 §4.3.2, which leaves order aside.

use std::collections::HashMap;

use trommel_text::is_letter_or_number;
use unicode_normalization::UnicodeNormalization;

use super::counts::Counts;
use super::measure::{Text, TextMeasure};

pub(super) const MEASURE: TextMeasure = TextMeasure {
    name: "words",
    summary: "bag of words: runs of letters, digits and _, case-sensitive, in any order",
    source: "WSDM 2010 §4.3.2",
    counts_empty_gold: false,
    compare,
};

/// Words: after normalisation to NFC, runs of letters, numbers and `_` (what Python's `\w` takes). Many words, so they are
/// handed to `each` and not kept.
pub fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    for c in text.nfc() {
        if c == '_' || is_letter_or_number(c) {
            word.push(c);
        } else if !word.is_empty() {
            each(&word);
            word.clear();
        }
    }
    if !word.is_empty() {
        each(&word);
    }
}

/// How many words there are.
pub fn num_words(text: &str) -> usize {
    let mut number = 0;
    words(text, |_| number += 1);
    number
}

/// The paper does not say how it cuts words; case-sensitive multisets of runs of `\w` are our choice.
fn compare(output: &Text, gold: &Text) -> Counts {
    let mut counts = Counts::default();
    let mut left: HashMap<String, u64> = HashMap::new();
    words(&gold.plain, |word| {
        counts.gold += 1;
        match left.get_mut(word) {
            Some(n) => *n += 1,
            None => {
                left.insert(word.to_owned(), 1);
            }
        }
    });
    words(&output.plain, |word| {
        counts.output += 1;
        if let Some(n) = left.get_mut(word).filter(|n| **n > 0) {
            *n -= 1;
            counts.common += 1;
        }
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, gold: &str, expected: (u64, u64, u64)) {
        let text = |plain: &str| Text {
            plain: plain.to_owned(),
            marked: Vec::new(),
        };
        let counts = compare(&text(output), &text(gold));
        assert_eq!((counts.common, counts.output, counts.gold), expected);
    }

    #[test]
    fn multisets() {
        check("the cat the", "The the the", (2, 3, 3));
        check("", "word", (0, 0, 1));
        check("it's 5_6", "it s", (2, 3, 2));
        check("cafe\u{301}", "caf\u{e9}", (1, 1, 1));
        check("½ ² Ⅻ —", "½", (1, 3, 1));
    }
}
