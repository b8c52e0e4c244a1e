//! The tree that the builder makes: nodes in one vector, text and attributes as places in the markup.

use std::ops::Range;

use super::markup::names::{self, Key, Names, TEMPLATE};
use crate::page::ParseLimit;

/// Number of a node in [`Tree::nodes`].
pub(super) type NodeId = u32;
/// No node.
pub(super) const NONE: NodeId = NodeId::MAX;
/// The document node.
pub(super) const DOCUMENT: NodeId = 0;

/// In the place of a key: a piece of text.
pub(super) const TEXT: Key = u32::MAX;
/// In the place of a key: the document, or the contents of a template, which are not its children.
pub(super) const FRAGMENT: Key = u32::MAX - 1;

/// A place in the markup, or past its end in [`Tree::own`].
pub(super) type Place = Range<u32>;

pub(super) struct Node {
    pub parent: NodeId,
    pub next: NodeId,
    previous: NodeId,
    /// Of an element the first child, of text where it begins.
    pub first: u32,
    /// Of an element the last child, of text where it ends.
    pub last: u32,
    pub key: Key,
    /// Number in [`Tree::attributes`].
    pub attributes: u32,
    /// Elements around it; those around a template count for its contents. Undefined for what is not in the tree.
    pub depth: u16,
    pub flags: u16,
}

/// See [`crate::page::Element`].
pub(super) const START_TAG: u16 = 1;
pub(super) const END_TAG: u16 = 1 << 1;
/// The element is in the stack of open elements.
pub(super) const OPEN: u16 = 1 << 2;
/// The text goes on what the piece before it begins: the two are one node.
pub(super) const JOINS: u16 = 1 << 3;
/// A comment follows the text, so that no more text joins it.
pub(super) const CLOSED: u16 = 1 << 4;
/// MathML's `annotation-xml` that holds HTML.
pub(super) const HOLDS_HTML: u16 = 1 << 5;

/// In the place of an attribute that an element does not have; one without a value has an empty place elsewhere.
const ABSENT: Place = 0..0;

/// The values of an element's attributes `id` and `class`; and where the text of its tag stands, if that is kept.
#[derive(Clone, Default)]
pub(super) struct Attributes {
    pub id: Place,
    pub class: Place,
    pub tag: Place,
}

/// A parsed tree.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub attributes: Vec<Attributes>,
    /// Text that does not stand in the markup as it is: behind the markup's end, as places go.
    pub own: String,
    pub names: Names,
    /// Where the language that an `html` tag declares stands.
    pub language: Place,
    /// The limit that parsing ran into.
    pub limit: Option<ParseLimit>,
    /// How many pieces of text and elements there are.
    pub pieces: usize,
    pub elements: usize,
    max_depth: u16,
    /// Depth of the element that was inserted last.
    pub last_depth: u16,
    /// Where in the markup the text stands that was written to [`Tree::own`]: where it begins there, and its place. Only if the source
    /// is kept.
    pub origins: Vec<(u32, Place)>,
    /// Are the places of tags and of text kept?
    pub keeps_source: bool,
    /// Steps taken: of searches through the stack of open elements and the list of formatting elements, and of moves.
    pub work: u64,
    /// Where the tags stand that were read, and whether the page is in quirks mode.
    #[cfg(test)]
    pub tags: Vec<Range<usize>>,
    #[cfg(test)]
    pub quirks: bool,
}

impl Tree {
    pub fn new(max_depth: u16, markup: usize) -> Self {
        let mut tree = Tree {
            // Real markup has some fifty bytes a node.
            nodes: Vec::with_capacity((markup / 48).clamp(16, 1 << 16)),
            attributes: Vec::new(),
            own: String::new(),
            names: Names::default(),
            language: ABSENT,
            limit: None,
            pieces: 0,
            elements: 0,
            max_depth,
            last_depth: 0,
            origins: Vec::new(),
            keeps_source: false,
            work: 0,
            #[cfg(test)]
            tags: Vec::new(),
            #[cfg(test)]
            quirks: false,
        };
        tree.add(FRAGMENT, 0);
        tree
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    fn add(&mut self, key: Key, flags: u16) -> NodeId {
        self.nodes.push(Node {
            parent: NONE,
            next: NONE,
            previous: NONE,
            first: NONE,
            last: NONE,
            key,
            attributes: NONE,
            depth: 0,
            flags,
        });
        (self.nodes.len() - 1) as NodeId
    }

    /// Makes an element that is not in the tree yet. A template's contents are the node after it.
    pub fn element(&mut self, key: Key, flags: u16) -> NodeId {
        self.elements += 1;
        let id = self.add(key, flags);
        if key == TEMPLATE {
            self.add(FRAGMENT, 0);
        }
        id
    }

    /// Where the children of an element go.
    pub fn contents(&self, id: NodeId) -> NodeId {
        if self.node(id).key == TEMPLATE {
            id + 1
        } else {
            id
        }
    }

    /// Keeps attributes for an element; those that it has stay.
    pub fn set_attributes(&mut self, id: NodeId, new: &Attributes) {
        if new.id == ABSENT && new.class == ABSENT && new.tag == ABSENT {
            return;
        }
        let at = self.node(id).attributes;
        let Some(kept) = self.attributes.get_mut(at as usize) else {
            self.node_mut(id).attributes = self.attributes.len() as u32;
            self.attributes.push(new.clone());
            return;
        };
        if kept.id == ABSENT {
            kept.id = new.id.clone();
        }
        if kept.class == ABSENT {
            kept.class = new.class.clone();
        }
    }

    /// Keeps for an element that the standard re-opened where its tag stands, if that is kept.
    pub fn set_tag(&mut self, id: NodeId, tag: &Place) {
        if self.keeps_source {
            let (id_attribute, class) = (ABSENT, ABSENT);
            self.set_attributes(
                id,
                &Attributes {
                    id: id_attribute,
                    class,
                    tag: tag.clone(),
                },
            );
        }
    }

    /// The node that text or a comment would stand behind.
    fn neighbour(&self, parent: NodeId, before: NodeId) -> NodeId {
        match before {
            NONE => self.node(parent).last,
            _ => self.node(before).previous,
        }
    }

    /// Inserts text under `parent` before `before` (at the end for [`NONE`]); it joins text that it would follow.
    pub fn insert_text(&mut self, parent: NodeId, before: NodeId, place: Place) {
        let neighbour = self.neighbour(parent, before);
        let mut flags = 0;
        if neighbour != NONE {
            let last = self.node_mut(neighbour);
            if last.key == TEXT && last.flags & CLOSED == 0 {
                if last.last == place.start {
                    last.last = place.end;
                    return;
                }
                flags = JOINS;
            }
        }
        self.pieces += 1;
        let id = self.add(TEXT, flags);
        let node = self.node_mut(id);
        (node.first, node.last) = (place.start, place.end);
        self.link(parent, before, id);
    }

    /// A comment is no node; it only keeps text before and after it apart.
    pub fn insert_comment(&mut self, parent: NodeId) {
        let neighbour = self.neighbour(parent, NONE);
        if neighbour != NONE {
            self.node_mut(neighbour).flags |= CLOSED;
        }
    }

    /// Inserts an element under `parent` before `before` (at the end for [`NONE`]).
    pub fn insert(&mut self, mut parent: NodeId, before: NodeId, child: NodeId) {
        self.detach(child);
        if before == NONE {
            parent = self.not_too_deep(parent);
        }
        self.link(parent, before, child);
        let over = self.node(parent);
        if over.parent != NONE || over.key == FRAGMENT {
            let depth = over.depth.saturating_add(1);
            self.last_depth = depth;
            if self.node(child).first == NONE && self.node(child).key != TEMPLATE {
                self.node_mut(child).depth = depth;
            } else {
                self.set_depth(child, depth);
            }
        }
    }

    /// The node that takes in an element in the place of `parent`: as browsers do, what would stand too deep becomes a sibling.
    pub fn not_too_deep(&self, mut parent: NodeId) -> NodeId {
        while self.node(parent).depth >= self.max_depth && self.node(parent).parent != NONE {
            parent = self.node(parent).parent;
        }
        parent
    }

    fn link(&mut self, parent: NodeId, before: NodeId, child: NodeId) {
        let previous = self.neighbour(parent, before);
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (parent, previous, before);
        match previous {
            NONE => self.node_mut(parent).first = child,
            _ => self.node_mut(previous).next = child,
        }
        match before {
            NONE => self.node_mut(parent).last = child,
            _ => self.node_mut(before).previous = child,
        }
    }

    /// Takes a node out of its parent.
    pub fn detach(&mut self, id: NodeId) {
        let node = self.node_mut(id);
        let (parent, previous, next) = (node.parent, node.previous, node.next);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
        match previous {
            NONE => self.node_mut(parent).first = next,
            _ => self.node_mut(previous).next = next,
        }
        match next {
            NONE => self.node_mut(parent).last = previous,
            _ => self.node_mut(next).previous = previous,
        }
    }

    /// Moves all children of an element to the end of another.
    pub fn move_children(&mut self, from: NodeId, to: NodeId) {
        loop {
            let child = self.node(from).first;
            if child == NONE {
                return;
            }
            self.work += 1;
            if self.node(child).key == TEXT {
                self.detach(child);
                self.link(to, NONE, child);
            } else {
                self.insert(to, NONE, child);
            }
        }
    }

    /// Sets the depth of an element and of those below it: the standard moves whole subtrees.
    fn set_depth(&mut self, top: NodeId, depth: u16) {
        let mut pending = vec![(top, depth)];
        while let Some((id, depth)) = pending.pop() {
            self.work += STEPS_OF_A_MOVE;
            let node = self.node_mut(id);
            node.depth = depth;
            let (key, mut child) = (node.key, node.first);
            if key == TEMPLATE {
                pending.push((id + 1, depth));
            }
            while child != NONE {
                let node = self.node(child);
                let next = node.next;
                if node.key != TEXT {
                    pending.push((child, depth.saturating_add(1)));
                } else {
                    self.work += 1;
                }
                child = next;
            }
        }
    }

    /// Where in the markup, which is so long, a text stands that may stand past its end.
    pub fn origin(&self, markup: usize, place: &Place) -> Place {
        let of = |at: u32| {
            let behind = self.origins.partition_point(|(own, _)| *own <= at);
            let origin = behind.checked_sub(1).map(|last| &self.origins[last].1);
            origin.cloned().unwrap_or_default()
        };
        let is_own = |at: u32| at as usize >= markup;
        let start = match is_own(place.start) {
            true => of(place.start).start,
            false => place.start,
        };
        // A text past the end ends there as well.
        let end = match is_own(place.start) && place.end > place.start {
            true => of(place.end - 1).end,
            false => place.end,
        };
        start..end
    }

    /// The element's name is that of an HTML element.
    pub fn is(&self, id: NodeId, name: names::Name) -> bool {
        self.node(id).key == name
    }
}

/// Going through nodes that lie anywhere costs some steps of a search through a list.
const STEPS_OF_A_MOVE: u64 = 4;
