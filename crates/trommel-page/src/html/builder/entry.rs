//! What the list of active formatting elements (§13.2.4.3) has of each.

use super::super::markup::names::Key;
use super::super::tree::{NONE, NodeId, Place};

/// An entry of the list: an element, or a marker.
#[derive(Clone)]
pub(super) struct Entry {
    /// The element; none for a marker.
    pub node: NodeId,
    pub key: Key,
    /// The start tag's text behind its name.
    pub rest: Place,
    /// Digest of the attributes, once it was asked for.
    pub digest: Option<u64>,
}

impl Entry {
    pub const MARKER: Entry = Entry {
        node: NONE,
        key: 0,
        rest: 0..0,
        digest: None,
    };

    pub fn is_marker(&self) -> bool {
        self.node == NONE
    }
}
