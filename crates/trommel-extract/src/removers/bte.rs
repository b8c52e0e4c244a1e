//! BTE, body text extraction (Finn, Kushmerick and Smyth, *Fact or Fiction: Content Classification for Digital Libraries*,
//! DELOS 2001): the stretch of the page with the most words inside and the most tags outside.
//!
//! A page is a sequence of words (+1) and tags (−1); the stretch wanted is the one of maximum sum. Rules and ties are those
//! of J. Pomikálek's `bte.py`: between `<body>` and `</body>`; script and style count as two tags, their contents as nothing;
//! words are delimited by white space; every tag counts, void ones once; among stretches of equal sum the one that begins
//! first, and of those the one that ends first. The original compares all pairs of bounds; a maximum-sum subarray is found
//! in one pass.
//!
//! A stretch of maximum sum never begins or ends between two words, nor does this one, so it holds a leaf whole or not at
//! all, and labels go by the leaf.
//!
//! Deviations, all of them because we see the tree and not the markup: comments count as nothing (there: a tag up to the
//! first `>`, and words behind it); the end tags that the author wrote count where the parser found what they end;
//! `tbody` never counts, for the parser adds it where the author left it out; all character references are resolved (there:
//! three). Text in elements that the `leaf` segmenter leaves out (`select`, `noscript` …) counts, and is in no block.

use trommel_page::{Event, LeafId, Page, Segmentation, Tag};

use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "bte",
    summary: "the stretch with the most words inside and the most tags outside",
    source: "Finn, Kushmerick and Smyth 2001; Pomikálek's bte.py",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(subject: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut labels = vec![Label::Boilerplate; segmentation.blocks.len()];
    if let Some((first, last)) = body_text(subject) {
        let inside = segmentation.block_of_leaf.iter().enumerate();
        for (_, block) in inside.filter(|(leaf, _)| (first..=last).contains(&(*leaf as u32))) {
            if let Some(block) = block {
                labels[*block as usize] = Label::Content;
            }
        }
    }
    labels
}

/// The first and the last leaf of the stretch; none on a page without words.
fn body_text(subject: &Subject) -> Option<(LeafId, LeafId)> {
    let (page, tokens) = (subject.page, subject.leaf_tokens());
    let mut in_body = 0;
    // The best stretch that ends here: its sum, and the first leaf in it.
    let (mut sum, mut first) = (0i64, None);
    let mut best = (0i64, None);
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) if *page.tag(id) == Tag::Body => {
                in_body += match event {
                    Event::Start(_) => 1,
                    _ => -1,
                };
            }
            _ if in_body == 0 => {}
            Event::Start(id) => sum -= i64::from(counts(page, id, true)),
            Event::End(id) => sum -= i64::from(counts(page, id, false)),
            Event::Leaf(leaf) => {
                // A stretch that gains nothing by what came before begins here.
                if sum < 0 || first.is_none() {
                    (sum, first) = (0, Some(leaf));
                }
                sum += i64::from(tokens[leaf as usize]);
                if sum > best.0 {
                    best = (sum, first.map(|first| (first, leaf)));
                }
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    best.1
}

/// Does the start or end of an element count as a tag?
fn counts(page: &Page, id: u32, start: bool) -> bool {
    let element = &page.elements[id as usize];
    let written = if start {
        element.start_tag
    } else {
        element.end_tag
    };
    written && element.tag != Tag::Tbody
}
