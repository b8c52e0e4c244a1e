//! Blocks as boilerpipe 1.2 (Kohlschütter 2010–2014, Apache-2.0) cuts and counts them: the behaviour of its
//! `BoilerpipeHTMLContentHandler`, written anew.
//!
//! The original reads the events of a patched NekoHTML; we walk an HTML5 tree, whose tags pass a balancer that opens,
//! ends and drops elements as NekoHTML does (the balance module).

use trommel_text::{LineCounter, is_java_white_space, measured_tokens_of_boilerpipe};

use super::balance::{Balanced, Balancer};
use crate::page::{Block, Event, LeafId, Page, Segmentation, Tag};

pub(super) fn segment(page: &Page) -> Segmentation {
    let mut handler = Handler::new(page);
    let mut balancer = Balancer::new(page);
    for event in &page.events {
        match *event {
            Event::Start(id) => balancer.start(id),
            Event::End(id) => balancer.end(id),
            Event::Leaf(leaf) => {
                handler.leaf(leaf);
                continue;
            }
            Event::Blank(_) => {
                handler.blank();
                continue;
            }
            Event::Hidden => {
                handler.flush_if_due();
                continue;
            }
        }
        for tag in balancer.take() {
            match tag {
                Balanced::Start(tag) => handler.start(tag),
                Balanced::End(tag) => handler.end(tag),
            }
        }
    }
    handler.flush_block();
    handler.result
}

/// What a tag does to the state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Nothing.
    Inline,
    /// A space, where there is none.
    Space,
    /// Its contents are no text; ends a block.
    Ignorable,
    Anchor,
    Body,
    /// Ends a block: every tag that the original does not know, `br` and `img` among them.
    Flush,
}

fn action(tag: &Tag) -> Action {
    use Tag::*;
    match tag {
        Strike | U | B | I | Em | Strong | Span | Sup | Sub | Code | Tt | Var | Font => {
            Action::Inline
        }
        Abbr | Acronym => Action::Space,
        Style | Script | Option | Object | Embed | Applet | Link | Noscript => Action::Ignorable,
        A => Action::Anchor,
        Body => Action::Body,
        _ => Action::Flush,
    }
}

struct Handler<'a> {
    page: &'a Page,
    result: Segmentation,
    text: String,
    /// Where anchors begin (true) and end (false) in `text`: the original puts marker tokens into a second buffer.
    markers: Vec<(usize, bool)>,
    /// How much of the text and how many of the markers hold no token, as was found before.
    counted: (usize, usize),
    leaves: Vec<LeafId>,
    last_was_space: bool,
    flush: bool,
    in_body: u32,
    in_ignorable: u32,
    in_anchor_text: bool,
    last_start_was_title: bool,
}

impl<'a> Handler<'a> {
    fn new(page: &'a Page) -> Self {
        Handler {
            page,
            result: Segmentation {
                block_of_leaf: vec![None; page.leaves.len()],
                ..Segmentation::default()
            },
            text: String::new(),
            markers: Vec::new(),
            counted: (0, 0),
            leaves: Vec::new(),
            last_was_space: false,
            flush: false,
            in_body: 0,
            in_ignorable: 0,
            in_anchor_text: false,
            last_start_was_title: false,
        }
    }

    fn start(&mut self, tag: &Tag) {
        match action(tag) {
            Action::Inline => {}
            Action::Space => self.space(),
            Action::Ignorable => {
                self.in_ignorable += 1;
                self.flush = true;
            }
            Action::Anchor => {
                self.mark(true);
            }
            Action::Body => {
                self.flush_block();
                self.in_body += 1;
            }
            Action::Flush => {
                self.flush = true;
            }
        }
        self.last_start_was_title = *tag == Tag::Title;
    }

    fn end(&mut self, tag: &Tag) {
        match action(tag) {
            Action::Inline => {}
            Action::Space => self.space(),
            Action::Ignorable => {
                self.in_ignorable -= 1;
                self.flush = true;
            }
            Action::Anchor => {
                self.mark(false);
            }
            Action::Body => {
                self.flush_block();
                self.in_body -= 1;
            }
            Action::Flush => self.flush = true,
        }
        if self.flush {
            self.flush_block();
        }
    }

    fn leaf(&mut self, leaf: LeafId) {
        self.flush_if_due();
        if self.in_ignorable != 0 {
            return;
        }
        let text = self.page.leaf_text(leaf);
        let stripped = text.trim_start_matches(is_java_white_space);
        if stripped.is_empty() {
            self.space();
            return;
        }
        if stripped.len() < text.len() {
            self.space();
        }
        let core = stripped.trim_end_matches(is_java_white_space);
        push_spaced(&mut self.text, core);
        self.last_was_space = core.len() < stripped.len();
        if self.last_was_space {
            self.text.push(' ');
        }
        self.leaves.push(leaf);
    }

    /// Text of white space alone.
    fn blank(&mut self) {
        self.flush_if_due();
        if self.in_ignorable == 0 {
            self.space();
        }
    }

    fn flush_if_due(&mut self) {
        if self.flush {
            self.flush_block();
            self.flush = false;
        }
    }

    /// Appends a space unless the last thing appended was one.
    fn space(&mut self) {
        if !self.last_was_space {
            self.text.push(' ');
            self.last_was_space = true;
        }
    }

    fn mark(&mut self, start: bool) {
        if self.in_ignorable == 0 {
            self.space();
            self.markers.push((self.text.len(), start));
        }
    }

    fn flush_block(&mut self) {
        if self.in_body == 0 {
            let title = self.text.trim_matches(|c| c <= ' ');
            if self.last_start_was_title && !title.is_empty() {
                self.result.title = Some(title.to_owned());
            }
            self.clear();
            return;
        }
        // The original looks at its buffer with the markers in it, each of which is several characters long.
        let blank = self.markers.is_empty()
            && (self.text.is_empty() || self.text == " " && self.last_was_space);
        if blank {
            self.clear();
            return;
        }
        let Some(counts) = self.count() else {
            // Markers alone: the original goes on without clearing its buffers, so that the next block begins with them.
            return;
        };
        let number = self.result.blocks.len() as u32;
        for leaf in &self.leaves {
            self.result.block_of_leaf[*leaf as usize] = Some(number);
        }
        let tag = self.leaves.first().map_or(Tag::None, |leaf| {
            self.page
                .structural_tag(self.page.leaves[*leaf as usize].parent)
        });
        self.result.blocks.push(Block {
            text: self.text.trim_matches(|c| c <= ' ').to_owned(),
            tag,
            ..counts
        });
        self.clear();
    }

    /// Counts the tokens in the buffer; none if there is no token but markers.
    fn count(&mut self) -> Option<Block> {
        let mut block = Block::default();
        let mut lines = LineCounter::default();
        // The text is cut at the markers, which stand between spaces: no token reaches over one.
        let (mut from, first_marker) = self.counted;
        for at in first_marker..=self.markers.len() {
            let (to, starts) = match self.markers.get(at) {
                Some(&(to, starts)) => (to, Some(starts)),
                None => (self.text.len(), None),
            };
            for token in measured_tokens_of_boilerpipe(&self.text[from..to]) {
                block.num_tokens += 1;
                if token.is_word {
                    block.num_words += 1;
                    block.num_linked_words += u32::from(self.in_anchor_text);
                    lines.push_length(token.length);
                }
            }
            from = to;
            self.in_anchor_text = starts.unwrap_or(self.in_anchor_text);
        }
        if block.num_tokens == 0 {
            if !self.markers.is_empty() {
                // A page of empty anchors would be counted from its beginning again and again.
                self.counted = (self.text.len(), self.markers.len());
                return None;
            }
            // Splitting an empty string yields one empty token.
            block.num_tokens = 1;
        }
        let lines = lines.finish();
        block.num_words_in_full_lines = lines.units_in_full_lines;
        block.num_lines = lines.lines;
        Some(block)
    }

    fn clear(&mut self) {
        self.text.clear();
        self.markers.clear();
        self.counted = (0, 0);
        self.leaves.clear();
    }
}

/// Appends a text, its white space made spaces.
fn push_spaced(to: &mut String, text: &str) {
    // Controls, and the first bytes of all characters that are wide white space: U+1680, U+2000 to U+205F, U+3000.
    let perhaps = |byte: &u8| matches!(byte, ..b' ' | 0xe1..=0xe3);
    let (mut from, mut at) = (0, 0);
    while let Some(ahead) = text.as_bytes()[at..].iter().position(perhaps) {
        at += ahead;
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        let end = at + c.len_utf8();
        if is_java_white_space(c) {
            to.push_str(&text[from..at]);
            to.push(' ');
            from = end;
        }
        at = end;
    }
    to.push_str(&text[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_becomes_spaces() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let mut found = "x".to_owned();
            push_spaced(&mut found, &format!("{c}a{c}{c}\nb"));
            let c = if is_java_white_space(c) { ' ' } else { c };
            assert_eq!(found, format!("x{c}a{c}{c} b"), "{c:?}");
        }
    }
}
