//! Carries labels and confidences from one segmentation of a page to another, leaf by leaf.

use trommel_page::Segmentation;

use super::confidence::bounded;
use super::{Label, Subject};

/// Labels for the blocks of `target`: a block is content if at least half of the words in its leaves (ties are content)
/// stand in leaves whose block in `from` is content; of a block without words, such as a bar between links, at least half of its leaves.
/// A leaf that `from` leaves out is boilerplate.
pub fn project(
    subject: &Subject,
    from: &Segmentation,
    labels: &[Label],
    target: &Segmentation,
) -> Vec<Label> {
    // For each target block: words and number of the leaves that are content, and of the others. Where there are words, they decide.
    let leaf_words = subject.leaf_words();
    let mut counts = vec![((0u64, 0u64), (0u64, 0u64)); target.blocks.len()];
    for (leaf, block) in target.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let count = u64::from(leaf_words[leaf]);
        let label = from.block_of_leaf[leaf].map(|native| labels[native as usize]);
        let (content, other) = &mut counts[*block as usize];
        let side = match label {
            Some(Label::Content) => content,
            Some(Label::Boilerplate) | None => other,
        };
        side.0 += count;
        side.1 += 1;
    }
    let decided = |(content, other): ((u64, u64), (u64, u64))| match content.0 + other.0 {
        0 => content.1 >= other.1,
        _ => content.0 >= other.0,
    };
    counts
        .into_iter()
        .map(decided)
        .map(Label::content_if)
        .collect()
}

/// Probabilities of content for the blocks of `target`: the mean of those of its leaves, each of which has that of its block in
/// `from` and counts by its characters. A leaf that `from` leaves out has 0, and so has a block without characters. What is outside
/// of 0..=1 is taken for the nearer bound, and what is no number for 0.
pub fn project_probabilities(
    subject: &Subject,
    from: &Segmentation,
    probabilities: &[f64],
    target: &Segmentation,
) -> Vec<f64> {
    // For each target block: the sum of characters times probability, and of characters.
    let mut sums = vec![(0.0, 0u64); target.blocks.len()];
    for (leaf, block) in target.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let characters = subject.page.leaf_text(leaf as u32).chars().count() as u64;
        let native = from.block_of_leaf[leaf];
        let probability = native.map_or(0.0, |native| probabilities[native as usize]);
        let (sum, all) = &mut sums[*block as usize];
        *sum += characters as f64 * bounded(probability);
        *all += characters;
    }
    let mean = |(sum, all): (f64, u64)| if all == 0 { 0.0 } else { sum / all as f64 };
    sums.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Confidence, Extractor, ExtractorRow, Make, Takes, Verdict};
    use trommel_page::html::{self, segment};

    /// Gives leaves the probability that stands in them; those without a number get none that is one.
    const READER: ExtractorRow = ExtractorRow {
        name: "reader",
        summary: "",
        source: "",
        segmenter: Some("leaf"),
        takes: Takes::Parameters(&[]),
        make: Make::Scored(|_| {
            Ok(Box::new(|_, segmentation| {
                let number = |text: &str| text.split(' ').find_map(|word| word.parse().ok());
                let verdict = |probability: f32| Verdict {
                    label: Label::content_if(probability >= 0.5),
                    probability,
                };
                let blocks = segmentation.blocks.iter();
                blocks
                    .map(|block| verdict(number(&block.text).unwrap_or(f32::NAN)))
                    .collect()
            }))
        }),
    };

    #[track_caller]
    fn check(html: &str, segmenter: &str, expected: &[(Label, u8)]) {
        static ROW: ExtractorRow = READER;
        let page = html::parse_text(html, &Default::default());
        let subject = Subject::new(&page, "", "");
        let extractor = Extractor::new(&ROW, "").unwrap();
        assert!(extractor.has_confidences());
        let segmenter = segment::by_name(segmenter).unwrap();
        let verdicts = extractor.verdicts(&subject, segmenter);
        let (labels, confidences): (Vec<Label>, Vec<u8>) = expected.iter().copied().unzip();
        assert_eq!(verdicts.labels, labels);
        let found: Vec<u8> = (verdicts.confidences.unwrap().into_iter())
            .map(Confidence::in_hundredths)
            .collect();
        assert_eq!(found, confidences);
    }

    /// A bar between links has no words, of which none are at least half: it was content whatever stood around it.
    #[test]
    fn a_block_without_words_goes_by_its_leaves() {
        let page = html::parse_text("<p>0.2</p><p>...</p><p>0.8</p>", &Default::default());
        let subject = Subject::new(&page, "", "");
        let from = subject.blocks(segment::by_name("leaf").unwrap());
        let target = subject.blocks(segment::by_name("boilerpipe").unwrap());
        for label in [Label::Content, Label::Boilerplate] {
            let labels = project(&subject, from, &vec![label; from.blocks.len()], target);
            assert_eq!(labels, vec![label; target.blocks.len()]);
            assert_eq!(labels.len(), 3);
        }
    }

    #[test]
    fn probabilities_go_by_characters() {
        use Label::{Boilerplate, Content};
        let html = "<p>a 0.8 <b>b 0.3456</b></p><p>none</p><p>7 of them</p><p>-7</p>";
        check(
            html,
            "leaf",
            &[
                (Content, 80),
                (Boilerplate, 35),
                (Boilerplate, 0),
                (Content, 100),
                (Boilerplate, 0),
            ],
        );
        // Two words of each: a tie is content. Six characters of 0.8 and eight of 0.3456 are 0.5403 together.
        check(
            html,
            "boilerpipe",
            &[
                (Content, 54),
                (Boilerplate, 0),
                (Content, 100),
                (Boilerplate, 0),
            ],
        );
    }

    #[test]
    fn content_by_label_or_by_confidence() {
        static ROW: ExtractorRow = READER;
        let html = "<p>a 0.8</p><p>b 0.3456</p><p>c 0.5</p><p>d</p>";
        let page = html::parse_text(html, &Default::default());
        let subject = Subject::new(&page, "", "");
        let kept = |extractor: &Extractor, least: Option<&str>| -> String {
            let least = least.map(|least| least.parse().unwrap());
            let blocks = extractor.content_from(&subject, least);
            blocks.map(|block| &block.text[..1]).collect()
        };
        let extractor = Extractor::new(&ROW, "").unwrap();
        assert_eq!(kept(&extractor, None), "ac");
        for (least, expected) in [
            ("0", "abcd"),
            ("0.35", "abc"),
            ("0.36", "ac"),
            ("0.5", "ac"),
            ("0.51", "a"),
            ("1", ""),
        ] {
            assert_eq!(kept(&extractor, Some(least)), expected, "{least}");
        }
        let all = crate::parse("keep-everything").unwrap();
        assert!(!all.has_confidences());
        assert_eq!(kept(&all, None), "abcd");
        assert_eq!(kept(&all, Some("0")), "");
    }
}
