//! The list of active formatting elements (§13.2.4.3) and the adoption agency algorithm (§13.2.6.4.7).

use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::markup::attributes::attributes;
use super::super::markup::names::*;
use super::super::markup::references::{self, resolve};
use super::super::tree::{NONE, NodeId, OPEN, Place};
use super::entry::Entry;
use super::{Builder, Open, Tag};

/// Steps that reading an attribute for a digest counts as.
const STEPS_OF_AN_ATTRIBUTE: u64 = 64;

/// Where in the list the adoption agency puts the element that it makes.
enum Bookmark {
    InPlaceOf(NodeId),
    After(NodeId),
}

impl Builder<'_> {
    pub(super) fn clear_active_to_marker(&mut self) {
        while let Some(entry) = self.active.pop() {
            if entry.is_marker() {
                return;
            }
        }
    }

    /// Where an element stands in the list.
    fn position_in_active(&mut self, node: NodeId) -> Option<usize> {
        let found = self.active.iter().rposition(|entry| entry.node == node);
        self.tree.work += (self.active.len() - found.unwrap_or(0)) as u64;
        found
    }

    /// The last entry of a name behind the last marker.
    fn last_active(&mut self, name: Name) -> Option<usize> {
        for at in (0..self.active.len()).rev() {
            let entry = &self.active[at];
            if entry.is_marker() {
                return None;
            }
            if entry.key == name {
                return Some(at);
            }
            self.tree.work += 1;
        }
        None
    }

    /// Opens again what was closed by something else than its end tag.
    pub(super) fn reconstruct(&mut self) {
        let mut from = self.active.len();
        while from > 0 {
            let entry = &self.active[from - 1];
            if entry.is_marker() || self.tree.node(entry.node).flags & OPEN != 0 {
                break;
            }
            from -= 1;
        }
        for at in from..self.active.len() {
            self.tree.work += 1;
            let key = self.active[at].key;
            let node = self.tree.element(key, 0);
            self.tree.set_tag(node, &self.active[at].rest);
            self.insert_node(node, self.current());
            self.push(node);
            self.active[at].node = node;
        }
    }

    pub(super) fn insert_formatting(&mut self, tag: &Tag) {
        let digest = self.drop_a_fourth(tag);
        let node = self.insert_for(tag);
        self.active.push(Entry {
            node,
            key: tag.name,
            rest: tag.rest.clone(),
            digest,
        });
    }

    /// Noah's Ark: of elements with the same attributes there may be three, so that the first is taken off where a fourth comes.
    fn drop_a_fourth(&mut self, tag: &Tag) -> Option<u64> {
        let mut digest = None;
        let (mut same, mut first) = (0, 0);
        for at in (0..self.active.len()).rev() {
            self.tree.work += 1;
            let entry = &self.active[at];
            if entry.is_marker() {
                break;
            }
            if entry.key != tag.name {
                continue;
            }
            let of_tag = match digest {
                Some(known) => known,
                None => *digest.insert(self.digest(&tag.rest)),
            };
            let of_entry = match self.active[at].digest {
                Some(known) => known,
                None => {
                    let place = self.active[at].rest.clone();
                    let known = self.digest(&place);
                    self.active[at].digest = Some(known);
                    known
                }
            };
            if of_entry == of_tag {
                (same, first) = (same + 1, at);
            }
        }
        if same >= 3 {
            self.active.remove(first);
        }
        digest
    }

    /// The same for the same attributes in any order; of those of one name the first counts.
    fn digest(&mut self, rest: &Place) -> u64 {
        let text = self.text_of(rest);
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in attributes(text) {
            let mut resolved = String::new();
            let value = String::from_utf8_lossy(value);
            resolve(
                &value,
                references::Place::Attribute,
                "\u{fffd}",
                &mut resolved,
            );
            let name = String::from_utf8_lossy(name).to_ascii_lowercase();
            pairs.push((name.replace('\0', "\u{fffd}"), resolved));
        }
        self.tree.work += pairs.len() as u64 * STEPS_OF_AN_ATTRIBUTE;
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        pairs.dedup_by(|(one, _), (other, _)| one == other);
        let mut hasher = DefaultHasher::new();
        pairs.hash(&mut hasher);
        hasher.finish()
    }

    /// A start tag `<a>` ends the `a` that is open.
    pub(super) fn end_misnested_a(&mut self) {
        let Some(at) = self.last_active(A) else {
            return;
        };
        let node = self.active[at].node;
        self.adoption_agency(A);
        if let Some(at) = self.position_in_active(node) {
            self.active.remove(at);
        }
        self.remove(node);
    }

    pub(super) fn adoption_agency(&mut self, subject: Name) {
        let current = self.current();
        if current.key == subject && self.position_in_active(current.node).is_none() {
            self.pop_ended();
            return;
        }
        for _ in 0..8 {
            let Some(entry) = self.last_active(subject) else {
                self.end_any_other(subject);
                return;
            };
            let formatting = self.active[entry].node;
            let Some(top) = self.position(formatting) else {
                self.active.remove(entry);
                return;
            };
            let above = &self.open[top + 1..];
            self.tree.work += above.len() as u64;
            if above.iter().any(|open| open.sets & SCOPE != 0) {
                return;
            }
            self.ended = formatting;
            let Some(inner) = above.iter().position(|open| open.sets & SPECIAL != 0) else {
                self.truncate(top);
                self.active.remove(entry);
                return;
            };
            self.adopt(top, top + 1 + inner);
        }
    }

    /// Steps 11 to 20 of the algorithm: `top` is the formatting element's place in the stack, `block` the furthest block's.
    fn adopt(&mut self, top: usize, block: usize) {
        let Some(above) = top.checked_sub(1) else {
            return;
        };
        let formatting = self.open[top].node;
        let furthest = self.open[block].node;
        let common_ancestor = self.open[above];
        let mut bookmark = Bookmark::InPlaceOf(formatting);
        let mut last = furthest;
        let mut at = block;
        for round in 1.. {
            at -= 1;
            let node = self.open[at].node;
            if node == formatting {
                break;
            }
            let position = self.position_in_active(node);
            let Some(position) = position.filter(|_| round <= 3) else {
                if let Some(position) = position {
                    self.active.remove(position);
                }
                self.remove_at(at);
                continue;
            };
            let new = self.tree.element(self.active[position].key, 0);
            self.tree.set_tag(new, &self.active[position].rest);
            self.active[position].node = new;
            self.replace_open(at, new);
            if last == furthest {
                bookmark = Bookmark::After(new);
            }
            self.tree.insert(new, NONE, last);
            last = new;
        }
        self.tree.detach(last);
        self.insert_node(last, common_ancestor);

        let Some(entry) = self.position_in_active(formatting) else {
            return;
        };
        let mut entry = self.active[entry].clone();
        let new = self.tree.element(entry.key, 0);
        self.tree.set_tag(new, &entry.rest);
        entry.node = new;
        self.tree.move_children(furthest, new);
        self.tree.insert(furthest, NONE, new);
        match bookmark {
            Bookmark::InPlaceOf(node) => {
                if let Some(at) = self.position_in_active(node) {
                    self.active[at] = entry;
                }
            }
            Bookmark::After(node) => {
                if let Some(at) = self.position_in_active(node) {
                    self.active.insert(at + 1, entry);
                }
                if let Some(at) = self.position_in_active(formatting) {
                    self.active.remove(at);
                }
            }
        }
        self.remove(formatting);
        if let Some(at) = self.position(furthest) {
            self.insert_open(at + 1, new);
        }
    }

    /// Puts an element into another's place in the stack.
    fn replace_open(&mut self, at: usize, node: NodeId) {
        let old = self.open[at].node;
        self.tree.node_mut(old).flags &= !OPEN;
        self.tree.node_mut(node).flags |= OPEN;
        self.open[at].node = node;
    }

    fn insert_open(&mut self, at: usize, node: NodeId) {
        let key = self.tree.node(node).key;
        self.tree.node_mut(node).flags |= OPEN;
        self.count(key, 1);
        let sets = sets(key);
        self.open.insert(at, Open { node, key, sets });
    }
}
