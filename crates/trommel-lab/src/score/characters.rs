//! Characters: "a positive value is any character that belongs to the gold standard content" (content-tree paper, §5).

use trommel_text::tokens_of_white_space;

use super::counts::Counts;
use super::measure::{Text, TextMeasure};
use super::sequence_matcher::matches;

pub(super) const MEASURE: TextMeasure = TextMeasure {
    name: "characters",
    summary: "characters in aligned stretches of words",
    source: "content-tree filter, §5",
    counts_empty_gold: false,
    compare,
};

/// The paper does not say how it finds a character of the output again in the gold text. Here words between white space are
/// aligned (as Evert's metric aligns them), and the characters of matched words count; white space does not.
fn compare(output: &Text, gold: &Text) -> Counts {
    let output: Vec<&str> = tokens_of_white_space(&output.plain).collect();
    let gold: Vec<&str> = tokens_of_white_space(&gold.plain).collect();
    let characters = |word: &str| word.chars().count() as u64;
    let sum = |words: &[&str]| words.iter().map(|word| characters(word)).sum();
    let mut counts = Counts {
        common: 0,
        output: sum(&output),
        gold: sum(&gold),
    };
    matches(&output, &gold, |i| counts.common += characters(output[i]));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_matched_words() {
        let text = |plain: &str| Text {
            plain: plain.to_owned(),
            marked: Vec::new(),
        };
        let counts = compare(
            &text("Menu  the café\nis open"),
            &text("the café is closed"),
        );
        assert_eq!((counts.common, counts.output, counts.gold), (9, 17, 15));
    }
}
