//! What boilerpipe's parser makes of a page's tags.
//!
//! boilerpipe 1.2 reads pages through the tag balancer of NekoHTML 1.9.13 (Apache-2.0) with one change: an element
//! that ends its own kind (`a`, `p`, `li`, `tr`, `td`, `h1` …) ends it however deep it lies, and with it all that was
//! opened since. So a row of an inner table ends the outer table's row and the inner table, the first `</table>` ends
//! the outer one, and the tags of its later rows stand outside any table and are dropped: the blocks that they would
//! part run together. An anchor ends with whatever it stands in, and its end tag ends whatever stands in it.
//!
//! The balancer here has the same rules, written anew. It is fed with the tags that stand in the markup, so far as an
//! HTML5 tree tells: where the standard drops a tag the balancer misses it, and where it moves text, the text stays
//! moved.

mod rules;

use rules::{Kinds, Model, closes, closes_its_kind, kind, model, parents};

use crate::page::{ElementId, Page, Tag};

/// Elements past this many open ones are ended at once. The tree is less deep than that, but some elements that end
/// others of their kind in the tree do not here.
const MAX_OPEN: usize = 1024;

/// Inline elements that one tag may open again. Each looks through those that are open, so that hundreds of `b` around a
/// list would cost a second for some hundred items.
const MOST_REOPENED: usize = 64;

/// A tag that the balancer lets through or puts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Balanced<'a> {
    Start(&'a Tag),
    End(&'a Tag),
}

struct Open<'a> {
    tag: &'a Tag,
    model: Model,
    kind: Kinds,
    /// The kinds of this element and of all that are open around it.
    kinds: Kinds,
}

impl Open<'_> {
    fn is_block(&self) -> bool {
        matches!(self.model, Model::Block | Model::Table)
    }
}

/// The open elements of the body, and the tags that came out.
pub(super) struct Balancer<'a> {
    page: &'a Page,
    in_body: bool,
    open: Vec<Open<'a>>,
    form_is_open: bool,
    out: Vec<Balanced<'a>>,
}

impl<'a> Balancer<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        Balancer {
            page,
            in_body: false,
            open: Vec::new(),
            form_is_open: false,
            out: Vec::new(),
        }
    }

    /// Takes the start of an element of the tree.
    pub(super) fn start(&mut self, id: ElementId) {
        let tag = self.page.tag(id);
        if !self.in_body {
            self.out.push(Balanced::Start(tag));
            self.in_body = *tag == Tag::Body;
        } else if self.page.elements[id as usize].start_tag || *tag == Tag::P {
            // NekoHTML too makes an element of a `</p>` that ends none.
            self.start_tag(tag);
        }
    }

    /// Takes the end of an element of the tree.
    pub(super) fn end(&mut self, id: ElementId) {
        let tag = self.page.tag(id);
        if self.in_body && *tag == Tag::Body {
            self.close_down_to(0);
            self.in_body = false;
        }
        if !self.in_body {
            self.out.push(Balanced::End(tag));
        } else if self.page.elements[id as usize].end_tag || rules::ends_with_tree(tag) {
            self.end_tag(tag);
        }
    }

    /// The tags that came out since the last call.
    pub(super) fn take(&mut self) -> std::vec::Drain<'_, Balanced<'a>> {
        self.out.drain(..)
    }

    fn start_tag(&mut self, tag: &'a Tag) {
        if *tag == Tag::Form {
            if self.form_is_open {
                return;
            }
            self.form_is_open = true;
        }
        if !self.has_parent(tag) && !self.make_parent(tag) {
            return;
        }
        let model = model(tag);
        let reopen = match model {
            Model::Plain => self.close_inline_elements(),
            _ => Vec::new(),
        };
        self.close_for(tag);
        if *tag == Tag::Table {
            self.close_inline_elements();
        }
        self.out.push(Balanced::Start(tag));
        if model == Model::Empty || self.open.len() >= MAX_OPEN {
            self.out.push(Balanced::End(tag));
        } else {
            let kind = kind(tag);
            let around = self.open.last().map_or(0, |open| open.kinds);
            self.open.push(Open {
                tag,
                model,
                kind,
                kinds: kind | around,
            });
        }
        self.reopen(&reopen);
    }

    /// Opens inline elements again, of too many the innermost ones.
    fn reopen(&mut self, tags: &[&'a Tag]) {
        let from = tags.len().saturating_sub(MOST_REOPENED);
        tags[from..].iter().for_each(|tag| self.start_tag(tag));
    }

    fn end_tag(&mut self, tag: &'a Tag) {
        if *tag == Tag::Form {
            self.form_is_open = false;
        }
        let model = model(tag);
        let Some(at) = self.find(tag, model) else {
            if *tag == Tag::P {
                // It makes an empty paragraph.
                self.start_tag(tag);
                self.close_down_to(self.find(tag, model).unwrap_or(self.open.len()));
            }
            return;
        };
        let mut reopen = Vec::new();
        if model == Model::Inline {
            let inner = self.open[at + 1..].iter();
            let inline = inner.filter(|o| o.model == Model::Inline || *o.tag == Tag::Font);
            reopen.extend(inline.map(|open| open.tag));
        }
        self.close_down_to(at);
        self.reopen(&reopen);
    }

    /// Where the open element is that an end tag closes.
    fn find(&self, tag: &Tag, model: Model) -> Option<usize> {
        let reaches_out = matches!(model, Model::Container | Model::Table | Model::Unknown)
            || closes_its_kind(tag);
        for (at, open) in self.open.iter().enumerate().rev() {
            let both_unknown = model == Model::Unknown && open.model == Model::Unknown;
            if open.tag == tag || both_unknown {
                return Some(at);
            }
            if !reaches_out && open.is_block() {
                return None;
            }
        }
        None
    }

    fn has_parent(&self, tag: &Tag) -> bool {
        let parents = parents(tag);
        let within_table = matches!(tag, Tag::Tr | Tag::Td | Tag::Th);
        let mut open = self.open.iter().rev().map(|open| open.tag);
        parents.is_empty()
            || open
                .find(|open| parents.contains(open) || within_table && **open == Tag::Table)
                .is_some_and(|open| parents.contains(open))
    }

    /// Opens the element that a start tag must stand in. Tables and selects are never made up.
    fn make_parent(&mut self, tag: &Tag) -> bool {
        match parents(tag).first() {
            None | Some(Tag::Table | Tag::Select) => false,
            Some(parent) => {
                self.start_tag(parent);
                self.open.last().is_some_and(|open| open.tag == parent)
            }
        }
    }

    /// Closes the elements that a start tag closes.
    fn close_for(&mut self, tag: &Tag) {
        let closes = closes(tag);
        let closes_its_kind = closes_its_kind(tag);
        let parents = parents(tag);
        for at in (0..self.open.len()).rev() {
            let open = &self.open[at];
            if open.kinds & closes == 0 {
                return;
            }
            if open.kind & closes != 0 {
                self.close_down_to(at);
            } else if !closes_its_kind && (open.is_block() || parents.contains(open.tag)) {
                return;
            }
        }
    }

    /// Closes the inline elements that nothing else was opened in; gives them, outermost first.
    fn close_inline_elements(&mut self) -> Vec<&'a Tag> {
        let inner = self.open.iter().rev();
        let inline = inner.take_while(|open| open.model == Model::Inline).count();
        let from = self.open.len() - inline;
        let closed = self.open[from..].iter().map(|open| open.tag).collect();
        self.close_down_to(from);
        closed
    }

    fn close_down_to(&mut self, length: usize) {
        let closed = self.open.drain(length..).rev();
        self.out.extend(closed.map(|open| Balanced::End(open.tag)));
    }
}
