//! The baseline of maximum subsequence segmentation (Pasternack and Roth, *Extracting Article Text from the Web with Maximum Subsequence
//! Segmentation*, WWW 2009): words score 1, tags −3.25, and the article is the stretch of the page whose scores have the greatest sum.
//!
//! −3.25 is the value that is reported to do best on the authors' news pages (the paper's text was not to be had). It differs from BTE by the score of a tag, by which
//! tags count, and by taking the whole page and not the body alone. Among stretches of equal sum the one that begins first is taken, and of those the
//! one that ends first. A stretch of maximum sum never begins or ends between two words, so labels go by the leaf.
//!
//! Tags are those that the author wrote and the parser found a use for; those of script and style count as nothing, as what stands between them
//! does.

use trommel_page::{Event, LeafId, Segmentation, Tag};

use crate::{ExtractorError, ExtractorRow, Label, Make, Parameter, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "mss-simple",
    summary: "the stretch of the greatest sum, a word counting 1 and a tag -3.25",
    source: "Pasternack and Roth 2009, baseline",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(&[Parameter {
        name: "tag",
        default: "3.25",
        summary: "what a tag takes from the sum, 0 or more",
    }]),
    make: Make::Labels(|arguments| {
        let tag = arguments.number("tag")?;
        if tag < 0.0 {
            return Err(ExtractorError::Value {
                parameter: "tag",
                value: tag.to_string(),
                why: "less than 0".to_owned(),
            });
        }
        Ok(Box::new(move |subject, segmentation| {
            label(subject, segmentation, tag)
        }))
    }),
};

fn label(subject: &Subject, segmentation: &Segmentation, tag: f64) -> Vec<Label> {
    let (page, tokens) = (subject.page, subject.leaf_tokens());
    let (mut scores, mut leaves): (Vec<f64>, Vec<LeafId>) = (Vec::new(), Vec::new());
    let mut pending = 0.0;
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                let element = &page.elements[id as usize];
                let written = match event {
                    Event::Start(_) => element.start_tag,
                    _ => element.end_tag,
                };
                if written && !matches!(element.tag, Tag::Script | Tag::Style | Tag::Tbody) {
                    pending -= tag;
                }
            }
            Event::Leaf(leaf) => {
                // Tags and text take turns, so that a place is even for tags and odd for a leaf.
                scores.push(std::mem::take(&mut pending));
                scores.push(f64::from(tokens[leaf as usize]));
                leaves.push(leaf);
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    let mut labels = vec![Label::Boilerplate; segmentation.blocks.len()];
    if let Some((from, to)) = greatest_sum(&scores) {
        for place in (from..to).filter(|place| place % 2 == 1) {
            let block = segmentation.block_of_leaf[leaves[place / 2] as usize];
            if let Some(block) = block {
                labels[block as usize] = Label::Content;
            }
        }
    }
    labels
}

/// The stretch (`from..to`) of the greatest sum, if any sum is above 0: of several the one that begins first, and of those the one that ends
/// first (Bentley 1984, in one pass).
pub(super) fn greatest_sum(scores: &[f64]) -> Option<(usize, usize)> {
    let (mut sum, mut from) = (0.0, 0);
    let mut best: Option<(f64, usize, usize)> = None;
    for (at, score) in scores.iter().enumerate() {
        if sum < 0.0 || at == 0 {
            (sum, from) = (0.0, at);
        }
        sum += score;
        if sum > best.map_or(0.0, |(most, ..)| most) {
            best = Some((sum, from, at + 1));
        }
    }
    best.map(|(_, from, to)| (from, to))
}

#[cfg(test)]
mod tests {
    use trommel_page::html::{Limits, parse_text};
    use trommel_text::SplitMix64;

    use super::*;
    use crate::parse;

    /// All stretches of short sequences: none has a greater sum, and of equal ones none begins, or then ends, before the one found.
    /// Scores are quarters, so that sums are exact.
    #[test]
    fn no_stretch_has_a_greater_sum() {
        let mut random = SplitMix64::new(2009);
        let mut none = 0;
        for _ in 0..20_000 {
            let length = random.below(13);
            let scores: Vec<f64> = (0..length)
                .map(|_| (random.below(21) as f64 - 12.0) / 4.0)
                .collect();
            let mut best = None;
            let mut most = 0.0;
            for from in 0..length {
                for to in from + 1..=length {
                    let sum: f64 = scores[from..to].iter().sum();
                    if sum > most {
                        (most, best) = (sum, Some((from, to)));
                    }
                }
            }
            none += usize::from(best.is_none());
            assert_eq!(greatest_sum(&scores), best, "{scores:?}");
        }
        assert!(none > 100, "{none}");
    }

    /// Worked out by hand: 8 words, 3 tags between, 6 words. With -3.25 both together are 4.25, less than the 8 before; with -1 they are 11; with -2
    /// they are 8 as well, and the stretch that ends first is taken.
    #[test]
    fn by_hand() {
        let markup = "<body><p>a b c d e f g h</p><ul><li>m n o p q r</li></ul></body>";
        let page = parse_text(markup, &Limits::default());
        let subject = Subject::new(&page, "", "");
        let kept = |spec: &str| -> Vec<String> {
            let extractor = parse(spec).unwrap();
            let content = extractor.content(&subject);
            content.map(|block| block.text.clone()).collect()
        };
        assert_eq!(kept("mss-simple"), ["a b c d e f g h"]);
        assert_eq!(kept("mss-simple:tag=1"), ["a b c d e f g h", "m n o p q r"]);
        assert_eq!(kept("mss-simple:tag=2"), ["a b c d e f g h"]);
        assert!(parse("mss-simple:tag=-1").is_err());
    }
}
