//! The tree construction stage: HTML standard §13.2.6, scripting off.
//!
//! The rules are those of html5ever 0.40, whose trees a test compares with ours, so that they hold its few departures from the
//! standard's text too: `annotation-xml` is no HTML integration point where a start tag ends foreign content, and neither it nor
//! elements of MathML and SVG are special; `selectedcontent` is an element like others.
//!
//! What is added is bookkeeping: whether an element's tags stand in the markup ([`crate::page::Element`]), and the steps that
//! searches take, so that hostile markup can be given up.

mod end;
mod entry;
mod foreign;
mod formatting;
mod rest;
mod start;

use entry::Entry;

use super::markup::names::{self, IN_HTML, KNOWN, Key, Name, Set, TABLE, TEMPLATE};
use super::tree::{
    Attributes, DOCUMENT, END_TAG, FRAGMENT, NONE, NodeId, OPEN, Place, START_TAG, Tree,
};

/// A start tag.
pub(super) struct Tag {
    pub name: Name,
    pub self_closing: bool,
    /// Its text behind the name, without attributes past the limit.
    pub rest: Place,
    pub kept: Attributes,
}

/// The insertion modes of §13.2.4.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What the tokenizer finds after a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Markup,
    /// Text up to the end tag, with references.
    Rcdata,
    /// Text up to the end tag.
    RawText,
    /// Text up to the page's end.
    PlainText,
}

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Done,
    /// It is to be processed again, in the mode that was set.
    Again,
}
use Step::{Again, Done};

/// An entry of the stack of open elements.
#[derive(Clone, Copy)]
struct Open {
    node: NodeId,
    key: Key,
    sets: Set,
}

pub(super) struct Builder<'a> {
    markup: &'a str,
    pub tree: Tree,
    mode: Mode,
    /// The mode to return to from text and table text.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    open: Vec<Open>,
    /// How many elements of each known HTML name are open.
    counts: [u32; KNOWN],
    active: Vec<Entry>,
    /// Character tokens of a table that are not inserted yet.
    pending: Vec<Place>,
    head: NodeId,
    form: NodeId,
    frameset_ok: bool,
    /// Is a line feed that begins the next token to be dropped?
    ignore_line_feed: bool,
    foster_parenting: bool,
    pub quirks: bool,
    content: Content,
    /// The element that the end tag at hand ended.
    ended: NodeId,
}

impl<'a> Builder<'a> {
    pub fn new(markup: &'a str, max_depth: u16) -> Self {
        Builder {
            markup,
            tree: Tree::new(max_depth, markup.len()),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            open: Vec::with_capacity(64),
            counts: [0; KNOWN],
            active: Vec::new(),
            pending: Vec::new(),
            head: NONE,
            form: NONE,
            frameset_ok: true,
            ignore_line_feed: false,
            foster_parenting: false,
            quirks: false,
            content: Content::Markup,
            ended: NONE,
        }
    }

    /// Processes a start tag; gives what follows it.
    pub fn start_tag(&mut self, tag: &Tag) -> Content {
        self.ignore_line_feed = false;
        self.content = Content::Markup;
        loop {
            let step = if self.is_foreign_to_start(tag.name) {
                self.start_in_foreign(tag)
            } else {
                self.start_in(self.mode, tag)
            };
            if step == Done {
                return self.content;
            }
        }
    }

    pub fn end_tag(&mut self, name: Name) {
        self.ignore_line_feed = false;
        // Where the standard drops the tag, it still stands in the markup where the author meant to end this.
        let current = self.current();
        self.ended = if names::local(current.key) == name {
            current.node
        } else {
            NONE
        };
        loop {
            let step = if self.current().sets & IN_HTML == 0 {
                self.end_in_foreign(name)
            } else {
                self.end_in(self.mode, name)
            };
            if step == Done {
                break;
            }
        }
        if self.ended != NONE {
            self.tree.node_mut(self.ended).flags |= END_TAG;
        }
    }

    /// Is the current node one of SVG or MathML, so that CDATA sections can be?
    pub fn is_in_foreign_content(&self) -> bool {
        self.current().sets & IN_HTML == 0
    }

    /// Depth of the current node.
    pub fn depth(&self) -> u16 {
        self.tree.node(self.current().node).depth
    }

    /// Would a line break follow another?
    pub fn is_after_line_break(&self) -> bool {
        let parent = self.tree.contents(self.current().node);
        let last = self.tree.node(self.tree.not_too_deep(parent)).last;
        last != NONE && self.tree.is(last, names::BR)
    }

    /// Text that stands in the markup, or behind its end in [`Tree::own`].
    fn text_of(&self, place: &Place) -> &[u8] {
        let (start, end) = (place.start as usize, place.end as usize);
        let length = self.markup.len();
        let (text, from) = match start < length {
            true => (self.markup, 0),
            false => (self.tree.own.as_str(), length),
        };
        text.as_bytes()
            .get(start - from..end - from)
            .unwrap_or_default()
    }

    // The stack of open elements.

    fn current(&self) -> Open {
        self.open.last().copied().unwrap_or(Open {
            node: DOCUMENT,
            key: FRAGMENT,
            sets: IN_HTML,
        })
    }

    fn push(&mut self, node: NodeId) {
        let key = self.tree.node(node).key;
        self.tree.node_mut(node).flags |= OPEN;
        self.count(key, 1);
        let sets = names::sets(key);
        self.open.push(Open { node, key, sets });
    }

    fn count(&mut self, key: Key, by: i32) {
        if let Some(count) = self.counts.get_mut(key as usize) {
            *count = count.wrapping_add_signed(by);
        }
    }

    fn pop(&mut self) -> Open {
        let popped = self.current();
        if self.open.pop().is_some() {
            self.closed(popped);
        }
        popped
    }

    /// Takes note that an entry left the stack.
    fn closed(&mut self, open: Open) {
        self.tree.node_mut(open.node).flags &= !OPEN;
        self.count(open.key, -1);
    }

    /// Pops the current node, which the end tag at hand ends.
    fn pop_ended(&mut self) {
        self.ended = self.pop().node;
    }

    fn truncate(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    fn remove_at(&mut self, at: usize) {
        let open = self.open.remove(at);
        self.closed(open);
        self.tree.work += (self.open.len() - at) as u64 / 8;
    }

    /// Where an element stands in the stack, from its end.
    fn position(&mut self, node: NodeId) -> Option<usize> {
        if node == NONE || self.tree.node(node).flags & OPEN == 0 {
            return None;
        }
        let found = self.open.iter().rposition(|open| open.node == node);
        self.tree.work += (self.open.len() - found.unwrap_or(0)) as u64;
        found
    }

    fn remove(&mut self, node: NodeId) {
        if let Some(at) = self.position(node) {
            self.remove_at(at);
        }
    }

    fn is_open(&self, name: Name) -> bool {
        self.counts[name as usize] > 0
    }

    /// Pops down to an element of a set, which stays.
    fn pop_to(&mut self, set: Set) {
        while !self.open.is_empty() && self.current().sets & set == 0 {
            self.pop();
        }
    }

    /// Pops down to an element of a set, and it too.
    fn pop_through(&mut self, set: Set) -> NodeId {
        self.pop_to(set);
        self.pop().node
    }

    /// Pops down to an HTML element of a name, and it too.
    fn pop_named(&mut self, name: Name) -> NodeId {
        while !self.open.is_empty() && self.current().key != name {
            self.pop();
        }
        self.pop().node
    }

    /// Is an HTML element of a known name in scope, where the search ends at `stops`?
    fn in_scope(&mut self, name: Name, stops: Set) -> bool {
        // Most searches are in vain: the standard asks for a `p` at every block.
        self.counts
            .get(name as usize)
            .is_none_or(|count| *count > 0)
            && self.find_in_scope(stops, |open| open.key == name)
    }

    fn any_in_scope(&mut self, set: Set, stops: Set) -> bool {
        self.find_in_scope(stops, |open| open.sets & set != 0)
    }

    fn find_in_scope(&mut self, stops: Set, is_wanted: impl Fn(&Open) -> bool) -> bool {
        let mut inner = self.open.iter().rev().enumerate();
        let end = inner.find(|(_, open)| is_wanted(open) || open.sets & stops != 0);
        let (steps, found) = match end {
            Some((steps, open)) => (steps, is_wanted(open)),
            None => (self.open.len(), false),
        };
        self.tree.work += steps as u64;
        found
    }

    fn imply_end_tags(&mut self, set: Set) {
        while self.current().sets & set != 0 {
            self.pop();
        }
    }

    fn imply_end_tags_but(&mut self, name: Name) {
        while self.current().sets & names::IMPLIED != 0 && self.current().key != name {
            self.pop();
        }
    }

    fn close_p(&mut self) -> NodeId {
        self.imply_end_tags_but(names::P);
        self.pop_named(names::P)
    }

    fn close_p_in_button_scope(&mut self) {
        if self.in_scope(names::P, names::SCOPE | names::BUTTON_SCOPE) {
            self.close_p();
        }
    }

    fn close_cell(&mut self) {
        self.imply_end_tags(names::IMPLIED);
        self.pop_through(names::CELL);
        self.clear_active_to_marker();
    }

    // Creating and inserting nodes.

    /// The appropriate place for inserting a node: under the first, before the second ([`NONE`]: at its end).
    fn place(&mut self, target: Open) -> (NodeId, NodeId) {
        if !(self.foster_parenting && target.sets & names::FOSTERING != 0) {
            return (self.tree.contents(target.node), NONE);
        }
        for (steps, open) in self.open.iter().rev().enumerate() {
            if open.key == TEMPLATE {
                self.tree.work += steps as u64;
                return (self.tree.contents(open.node), NONE);
            }
            if open.key == TABLE {
                self.tree.work += steps as u64;
                let parent = self.tree.node(open.node).parent;
                if parent != NONE {
                    return (parent, open.node);
                }
                let above = self.open.len().checked_sub(steps + 2);
                let above = above.map_or(DOCUMENT, |at| self.open[at].node);
                return (above, NONE);
            }
        }
        let root = self.open.first().map_or(DOCUMENT, |open| open.node);
        (root, NONE)
    }

    fn insert_node(&mut self, node: NodeId, target: Open) {
        let (parent, before) = self.place(target);
        self.tree.insert(parent, before, node);
    }

    /// Inserts an element that does not stay open.
    fn insert_empty(&mut self, key: Key, kept: &Attributes) -> NodeId {
        let node = self.tree.element(key, START_TAG);
        self.tree.set_attributes(node, kept);
        self.insert_node(node, self.current());
        node
    }

    fn insert(&mut self, key: Key, kept: &Attributes) -> NodeId {
        let node = self.insert_empty(key, kept);
        self.push(node);
        node
    }

    fn insert_for(&mut self, tag: &Tag) -> NodeId {
        self.insert(tag.name, &tag.kept)
    }

    /// Inserts an element that no tag asked for.
    fn insert_implied(&mut self, name: Name) -> NodeId {
        self.insert(name, &Attributes::default())
    }

    /// Inserts an element whose content is text up to its end tag.
    fn insert_raw(&mut self, tag: &Tag, content: Content) -> Step {
        self.insert_for(tag);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        self.content = content;
        Done
    }

    fn insert_root(&mut self, kept: &Attributes) {
        let root = self.tree.element(names::HTML, START_TAG);
        self.tree.set_attributes(root, kept);
        self.tree.insert(DOCUMENT, NONE, root);
        self.push(root);
    }

    /// §13.2.4.1, "reset the insertion mode appropriately".
    fn reset_mode(&mut self) {
        let mut mode = Mode::InBody;
        for (at, open) in self.open.iter().enumerate().rev() {
            self.tree.work += 1;
            mode = match open.key {
                names::TD | names::TH if at > 0 => Mode::InCell,
                names::TR => Mode::InRow,
                names::TBODY | names::THEAD | names::TFOOT => Mode::InTableBody,
                names::CAPTION => Mode::InCaption,
                names::COLGROUP => Mode::InColumnGroup,
                TABLE => Mode::InTable,
                TEMPLATE => self.template_modes.last().copied().unwrap_or(Mode::InBody),
                names::HEAD if at > 0 => Mode::InHead,
                names::BODY => Mode::InBody,
                names::FRAMESET => Mode::InFrameset,
                names::HTML if self.head == NONE => Mode::BeforeHead,
                names::HTML => Mode::AfterHead,
                _ => continue,
            };
            break;
        }
        self.mode = mode;
    }
}
