//! Content code blurring (Gottron, *Content Code Blurring: A New Approach to Content Extraction*, DEXA workshops 2008): words where
//! the neighbourhood is text rather than tags.
//!
//! The page is a vector with an entry for each word (1, content) and each tag (0, code). Each entry is replaced by the mean of its
//! neighbourhood, in which nearer entries weigh more, as a Gaussian blur does with a picture; words whose entry then is at least a threshold are
//! main content. This is the variant on tokens, TCCB. Without `anchors`, tags of `a` are no code: the variant that the author calls adapted, ACCB, for pages
//! whose text is full of links.
//!
//! The paper's text was not to be had. Its abstract says that the process is iterative; threshold (0.75) and radius (25 tokens) are those that later comparisons name.
//! Here the mean of all entries at most ⌊radius / 3⌋ away is taken three times over, each time of what came before, which takes linear time whatever the radius:
//! together that is nearly a Gaussian of deviation radius / 3, cut off at the radius. Beyond the ends of the page is code.
//!
//! The variants on characters (CCB) need the length of each tag in the markup, which a parsed page does not know. Tags that the author wrote count; script, style
//! and comments count as nothing. A text node is content if at least half of its words are.

use trommel_page::{Event, LeafId, Segmentation, Tag};

use super::line_share::Shares;
use crate::{ExtractorError, ExtractorRow, Label, Make, Parameter, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "code-blurring",
    summary: "words in neighbourhoods with few tags, by a blur (content code blurring)",
    source: "Gottron 2008",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(&[
        Parameter {
            name: "radius",
            default: "25",
            summary: "of the blur, in words and tags, 3 to 1000",
        },
        Parameter {
            name: "threshold",
            default: "0.75",
            summary: "share of text around a word from which on it is content",
        },
        Parameter {
            name: "anchors",
            default: "yes",
            summary: "whether tags of links count as code: yes or no",
        },
    ]),
    make: Make::Labels(|arguments| {
        let radius: usize = arguments.get("radius")?;
        if !(3..=1000).contains(&radius) {
            return Err(ExtractorError::Value {
                parameter: "radius",
                value: radius.to_string(),
                why: "the range is from 3 to 1000".to_owned(),
            });
        }
        let threshold = arguments.share("threshold")?;
        let anchors = arguments.yes("anchors")?;
        Ok(Box::new(move |subject, segmentation| {
            label(subject, segmentation, radius, threshold, anchors)
        }))
    }),
};

fn label(
    subject: &Subject,
    segmentation: &Segmentation,
    radius: usize,
    threshold: f64,
    anchors: bool,
) -> Vec<Label> {
    let (entries, leaves) = entries(subject, anchors);
    let blurred = blurred(&entries, radius / 3);
    let mut shares = Shares::new(segmentation);
    for (leaf, from, to) in leaves {
        for value in &blurred[from..to] {
            shares.add(leaf, 1, *value >= threshold);
        }
    }
    shares.labels()
}

/// The vector, and for each leaf where its words stand in it.
fn entries(subject: &Subject, anchors: bool) -> (Vec<f64>, Vec<(LeafId, usize, usize)>) {
    let (page, tokens) = (subject.page, subject.leaf_tokens());
    let (mut entries, mut leaves) = (Vec::new(), Vec::new());
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                let element = &page.elements[id as usize];
                let written = match event {
                    Event::Start(_) => element.start_tag,
                    _ => element.end_tag,
                };
                let counts = match element.tag {
                    Tag::Script | Tag::Style | Tag::Tbody => false,
                    Tag::A => anchors,
                    _ => true,
                };
                if written && counts {
                    entries.push(0.0);
                }
            }
            Event::Leaf(leaf) => {
                let from = entries.len();
                entries.resize(from + tokens[leaf as usize] as usize, 1.0);
                leaves.push((leaf, from, entries.len()));
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    (entries, leaves)
}

/// Times that a mean is taken of means.
const TIMES: usize = 3;

fn blurred(entries: &[f64], radius: usize) -> Vec<f64> {
    let mut values = entries.to_vec();
    for _ in 0..TIMES {
        values = means(&values, radius);
    }
    values
}

/// For each value the mean of those at most `radius` away; beyond the ends values are 0.
fn means(values: &[f64], radius: usize) -> Vec<f64> {
    let mut sums = Vec::with_capacity(values.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for value in values {
        sum += value;
        sums.push(sum);
    }
    let width = (2 * radius + 1) as f64;
    (0..values.len())
        .map(|at| {
            let (from, to) = (
                at.saturating_sub(radius),
                (at + radius + 1).min(values.len()),
            );
            (sums[to] - sums[from]) / width
        })
        .collect()
}

#[cfg(test)]
mod tests;
