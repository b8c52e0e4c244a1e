//! WCXB's measure (Web Content Extraction Benchmark, 2026): the bag of words in lower case. Pages without gold text count: an empty
//! output is right on them, any other wrong.

use std::collections::HashMap;

use trommel_text::is_letter_or_number;

use super::counts::Counts;
use super::measure::{Text, TextMeasure};

pub(super) const MEASURE: TextMeasure = TextMeasure {
    name: "wcxb",
    summary: "bag of words in lower case; a page without gold text counts 1 if nothing is kept, else 0",
    source: "WCXB (Foley 2026)",
    counts_empty_gold: true,
    compare,
};

/// The words of a text: runs of `\\w` of Python's `re` in lower case. Not normalised, so a combining mark parts words.
fn words(text: &str) -> HashMap<String, u64> {
    let mut words: HashMap<String, u64> = HashMap::new();
    let lower = text.to_lowercase();
    let parts = lower.split(|c| c != '_' && !is_letter_or_number(c));
    for word in parts.filter(|word| !word.is_empty()) {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words
}

fn compare(output: &Text, gold: &Text) -> Counts {
    let (output, gold) = (words(&output.plain), words(&gold.plain));
    if output.is_empty() && gold.is_empty() {
        // Nothing is what was wanted: as good as one word that is found.
        return Counts {
            common: 1,
            output: 1,
            gold: 1,
        };
    }
    let common = output.iter().map(|(word, times)| {
        let wanted = gold.get(word).copied().unwrap_or(0);
        wanted.min(*times)
    });
    Counts {
        common: common.sum(),
        output: output.values().sum(),
        gold: gold.values().sum(),
    }
}

/// How many of the pieces of text stand in the output, by lower-case letters, with runs of white space taken for one space.
pub fn snippets_found(output: &str, snippets: &[String]) -> usize {
    let plain = |text: &str| {
        let lower = text.to_lowercase();
        lower.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let output = plain(output);
    let stands = |snippet: &&String| output.contains(&plain(snippet));
    snippets.iter().filter(stands).count()
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

    /// Expected values are those of `collections.Counter(re.findall(r"\\w+", text.lower()))` in Python 3.11.
    #[test]
    fn bags_of_lower_case_words() {
        check("The cat THE", "the the the", (2, 3, 3));
        check("it's 5_6", "IT S", (2, 3, 2));
        check("cafe\u{301} x", "caf\u{e9}", (0, 2, 1));
        check("\u{130}x", "i\u{307}x", (2, 2, 2));
    }

    #[test]
    fn pages_without_gold_text() {
        check("", "", (1, 1, 1));
        check(" – ", "", (1, 1, 1));
        check("menu", "", (0, 1, 0));
        check("", "text", (0, 0, 1));
    }

    #[test]
    fn snippets_are_found_whatever_their_case_and_spaces() {
        let snippets = ["Sign  in", "No such", "two\nlines"].map(str::to_owned);
        assert_eq!(snippets_found("Please SIGN\nIN: two lines", &snippets), 2);
    }
}
