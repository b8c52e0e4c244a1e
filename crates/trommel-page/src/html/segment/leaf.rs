//! Text nodes as blocks (Web2Text §3.2): "it is safe to consider DOM leaves (#text nodes) as the blocks of our sequence".
//!
//! As §3.1 says, blank text nodes and those in elements "that do not have any content we can extract" are left out; the paper's
//! list ends in "e.g.", so it is taken from the authors' program (`utilities/Settings.scala`, `skipTags`; blank is `[\p{Z}\s]*`,
//! `cdom/DOM.scala`). Merging single children (the collapsed tree) makes no other leaves.
//!
//! Counts are those of `atomic`: the paper names none.

use super::atomic::Pending;
use crate::page::{DensityUnit, Event, Page, Segmentation, Tag};

pub(super) fn segment(page: &Page) -> Segmentation {
    let mut result = Segmentation {
        block_of_leaf: vec![None; page.leaves.len()],
        unit: DensityUnit::Tokens,
        ..Segmentation::default()
    };
    let mut pending = Pending::default();
    let (mut in_body, mut in_skipped) = (0, 0);
    for event in &page.events {
        let (id, step) = match *event {
            Event::Start(id) => (id, 1),
            Event::End(id) => (id, -1),
            Event::Leaf(leaf) => {
                if in_body > 0 && in_skipped == 0 {
                    pending.push(page, leaf);
                    pending.flush(page, &mut result);
                }
                continue;
            }
            Event::Blank(_) | Event::Hidden => continue,
        };
        let tag = page.tag(id);
        in_body += if *tag == Tag::Body { step } else { 0 };
        in_skipped += if is_skipped(tag) { step } else { 0 };
    }
    result
}

fn is_skipped(tag: &Tag) -> bool {
    use Tag::*;
    match tag {
        Br | Head | Hr | Iframe | Img | Input | Meta | Noscript | Script | Select | Style
        | Textarea | Title | Video => true,
        Other(name) => matches!(&**name, "checkbox" | "radio"),
        _ => false,
    }
}
