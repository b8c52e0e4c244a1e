//! Paragraphs as jusText 3.0.2 (Pomikálek 2011; Belica and others, BSD-2-Clause) makes them: the behaviour of its
//! `preprocessor` and `ParagraphMaker` (`justext/core.py`), written anew.
//!
//! A paragraph ends where one of [`is_paragraph`]'s elements begins or ends, and at the second `br` with no text and no tag
//! but those between. Text nodes of white space alone are no text: `<b>a</b> <i>b</i>` is one word.
//!
//! Block text is the paragraph's text, its runs of white space made one space. Counts: tokens are jusText's words (delimited
//! by white space), words are tokens with a letter or digit; densities are counted in tokens. Linked tokens are those that
//! begin inside an anchor; jusText itself goes by characters, which its extractor counts.
//!
//! Deviations: the original reads the tree of libxml2's HTML parser, we that of the HTML standard, without the elements
//! that it makes of nothing (re-opened formatting elements, `</p>` and `</br>` that end none). The contents of `template` are no text. U+001C–U+001F are no white space.

use super::atomic::Pending;
use crate::page::{DensityUnit, Event, LeafId, Page, Segmentation, Tag};

pub(super) fn segment(page: &Page) -> Segmentation {
    let mut maker = Maker {
        page,
        result: Segmentation {
            block_of_leaf: vec![None; page.leaves.len()],
            unit: DensityUnit::Tokens,
            ..Segmentation::default()
        },
        node: Vec::new(),
        paragraph: Pending::default(),
        after_br: false,
    };
    let mut in_removed = 0;
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) if is_removed(page.tag(id)) => {
                let starts = matches!(event, Event::Start(_));
                in_removed += if starts { 1 } else { -1 };
            }
            _ if in_removed > 0 => {}
            // Not what the standard re-opens, and no paragraph of a `</p>` that ends none.
            Event::Start(id) | Event::End(id) if !page.elements[id as usize].start_tag => {
                if page.elements[id as usize].end_tag {
                    maker.end_node();
                }
            }
            Event::Start(id) => maker.start(page.tag(id)),
            Event::End(id) => maker.end(page.tag(id)),
            Event::Leaf(leaf) => maker.node.push(Some(leaf)),
            Event::Blank(_) => maker.node.push(None),
            Event::Hidden => {}
        }
    }
    maker.end_paragraph();
    maker.result
}

/// jusText's `PARAGRAPH_TAGS`. A `form` is among them, but the preprocessor has taken it away before.
fn is_paragraph(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Body | Blockquote
            | Caption
            | Center
            | Col
            | Colgroup
            | Dd
            | Div
            | Dl
            | Dt
            | Fieldset
            | Legend
            | Optgroup
            | Option
            | P
            | Pre
            | Table
            | Td
            | Tfoot
            | Th
            | Thead
            | Tr
            | Ul
            | Li
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
    )
}

/// Elements that the preprocessor removes with their contents (lxml's Cleaner with scripts, style, embedded and forms, and the
/// head).
fn is_removed(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Head | Script | Style | Applet | Base | Button | Input | Select | Textarea
    )
}

/// Elements whose tags the preprocessor removes; the text before and after becomes one node.
fn is_unwrapped(tag: &Tag) -> bool {
    match tag {
        Tag::Form | Tag::Iframe | Tag::Embed | Tag::Object | Tag::Param => true,
        Tag::Other(name) => &**name == "layer",
        _ => false,
    }
}

struct Maker<'a> {
    page: &'a Page,
    result: Segmentation,
    /// The text node that is being read: its leaves, and blanks as none.
    node: Vec<Option<LeafId>>,
    paragraph: Pending,
    after_br: bool,
}

impl Maker<'_> {
    fn start(&mut self, tag: &Tag) {
        if is_unwrapped(tag) {
            return;
        }
        self.end_node();
        if is_paragraph(tag) || (*tag == Tag::Br && self.after_br) {
            self.end_paragraph();
        } else {
            self.after_br = *tag == Tag::Br;
            if self.after_br {
                self.paragraph.text.push(' ');
            }
        }
    }

    fn end(&mut self, tag: &Tag) {
        if is_unwrapped(tag) {
            return;
        }
        self.end_node();
        if is_paragraph(tag) {
            self.end_paragraph();
        }
    }

    /// Adds the text node to the paragraph, unless it is blank.
    fn end_node(&mut self) {
        let page = self.page;
        let is_blank = |leaf: LeafId| page.leaf_text(leaf).chars().all(char::is_whitespace);
        if self.node.iter().flatten().all(|&leaf| is_blank(leaf)) {
            self.node.clear();
            return;
        }
        for part in self.node.drain(..) {
            match part {
                Some(leaf) => self.paragraph.push(page, leaf),
                None => self.paragraph.text.push(' '),
            }
        }
        self.after_br = false;
    }

    fn end_paragraph(&mut self) {
        self.end_node();
        self.paragraph.flush(self.page, &mut self.result);
    }
}
