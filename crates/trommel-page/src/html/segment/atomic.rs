//! Atomic text blocks (WSDM 2010 §4.1): "sequences of character data which are separated by one or more HTML tags,
//! except for A tags".
//!
//! Counts follow §3.3 and §3.4: tokens are delimited by white space, a word is a token with a letter or digit, link
//! density is tokens inside A by all tokens, and text density (Equation 1) is tokens by wrapped line. All leaves inside the
//! body are taken; the paper names none that it leaves out.

use trommel_text::{LineCounter, measured_tokens_of_white_space};

use crate::page::{Block, DensityUnit, Event, LeafId, Page, Segmentation, Tag};

pub(super) fn segment(page: &Page) -> Segmentation {
    let mut result = Segmentation {
        block_of_leaf: vec![None; page.leaves.len()],
        unit: DensityUnit::Tokens,
        ..Segmentation::default()
    };
    let mut pending = Pending::default();
    let mut in_body = 0;
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                let tag = page.tag(id);
                if *tag != Tag::A {
                    pending.flush(page, &mut result);
                }
                if *tag == Tag::Body {
                    in_body += if matches!(event, Event::Start(_)) {
                        1
                    } else {
                        -1
                    };
                }
            }
            Event::Leaf(leaf) if in_body > 0 => pending.push(page, leaf),
            // White space between two anchors parts their words.
            Event::Blank(_) => pending.text.push(' '),
            Event::Leaf(_) | Event::Hidden => {}
        }
    }
    pending.flush(page, &mut result);
    result
}

/// The character data since the last tag. It is one string: where an anchor begins inside a word, the word goes on.
/// The segmenters that count by white-space tokens share it.
#[derive(Default)]
pub(super) struct Pending {
    pub text: String,
    /// Each leaf with the place where its text begins.
    leaves: Vec<(usize, LeafId)>,
}

impl Pending {
    pub fn push(&mut self, page: &Page, leaf: LeafId) {
        self.leaves.push((self.text.len(), leaf));
        self.text.push_str(page.leaf_text(leaf));
    }

    /// Turns what is pending into a block, if there is a token in it.
    pub fn flush(&mut self, page: &Page, result: &mut Segmentation) {
        if let Some(block) = self.block(page) {
            let number = result.blocks.len() as u32;
            for (_, leaf) in &self.leaves {
                result.block_of_leaf[*leaf as usize] = Some(number);
            }
            result.blocks.push(block);
        }
        self.text.clear();
        self.leaves.clear();
    }

    fn block(&self, page: &Page) -> Option<Block> {
        let (_, first) = *self.leaves.first()?;
        let mut block = Block {
            tag: page.structural_tag(page.leaves[first as usize].parent),
            ..Block::default()
        };
        let mut lines = LineCounter::default();
        let mut leaf = 0;
        // What is taken over next begins here, and so far has single spaces only.
        let (mut from, mut end) = (None, 0);
        for token in measured_tokens_of_white_space(&self.text) {
            let at = token.text.as_ptr() as usize - self.text.as_ptr() as usize;
            while self
                .leaves
                .get(leaf + 1)
                .is_some_and(|(start, _)| *start <= at)
            {
                leaf += 1;
            }
            let in_anchor = page.leaves[self.leaves[leaf].1 as usize].in_anchor;
            block.num_tokens += 1;
            block.num_words += u32::from(token.is_word);
            block.num_linked_words += u32::from(in_anchor);
            lines.push_length(token.length);
            let is_next = at == end + 1 && self.text.as_bytes()[end] == b' ';
            if let Some(start) = from.filter(|_| !is_next) {
                block.text.push_str(&self.text[start..end]);
                block.text.push(' ');
                from = None;
            }
            from = from.or(Some(at));
            end = at + token.text.len();
        }
        block.text.push_str(&self.text[from.unwrap_or(end)..end]);
        let lines = lines.finish();
        block.num_words_in_full_lines = lines.units_in_full_lines;
        block.num_lines = lines.lines;
        (block.num_tokens > 0).then_some(block)
    }
}
