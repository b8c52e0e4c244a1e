//! A tree that can be changed, as unfluff changes its own.

use trommel_page::{LeafId, Tag};

pub(super) type NodeId = usize;

/// A node: an element, or text.
#[derive(Debug, Clone)]
struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// An element.
    Element(Tag),
    /// Text, with the leaf that it is if it is not blank.
    Text(String, Option<LeafId>),
}

/// Nodes; those that hang on no other are gone.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// A step of the walk around a subtree.
pub(super) enum Step {
    Open(NodeId),
    Close(NodeId),
}

impl Tree {
    /// What holds all.
    pub const ROOT: NodeId = 0;

    pub fn new() -> Tree {
        Tree {
            nodes: vec![Node {
                parent: None,
                children: Vec::new(),
                kind: Kind::Element(Tag::None),
            }],
        }
    }

    /// A node that hangs on none so far.
    pub fn make(&mut self, kind: Kind) -> NodeId {
        self.nodes.push(Node {
            parent: None,
            children: Vec::new(),
            kind,
        });
        self.nodes.len() - 1
    }

    pub fn append(&mut self, parent: NodeId, child: NodeId) {
        self.nodes[parent].children.push(child);
        self.nodes[child].parent = Some(parent);
    }

    /// Puts nodes before the children of one.
    pub fn prepend(&mut self, parent: NodeId, mut first: Vec<NodeId>) {
        first.extend(self.children(parent));
        self.set_children(parent, first);
    }

    /// Takes a node away. Its parent still names it; [`Tree::children`] does not.
    pub fn remove(&mut self, id: NodeId) {
        self.nodes[id].parent = None;
    }

    /// Puts other nodes in the place of the children of one.
    pub fn set_children(&mut self, parent: NodeId, children: Vec<NodeId>) {
        for child in std::mem::take(&mut self.nodes[parent].children) {
            self.nodes[child].parent = None;
        }
        for child in &children {
            self.nodes[*child].parent = Some(parent);
        }
        self.nodes[parent].children = children;
    }

    pub fn kind(&self, id: NodeId) -> &Kind {
        &self.nodes[id].kind
    }

    /// The tag of an element; none of text.
    pub fn tag(&self, id: NodeId) -> Option<&Tag> {
        match &self.nodes[id].kind {
            Kind::Element(tag) => Some(tag),
            Kind::Text(..) => None,
        }
    }

    /// The element around a node; none for those at the top.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id].parent.filter(|parent| *parent != Tree::ROOT)
    }

    /// The nodes around a node.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[id].parent, |it| self.nodes[*it].parent)
    }

    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let all = self.nodes[id].children.iter().copied();
        all.filter(move |child| self.nodes[*child].parent == Some(id))
    }

    /// Walks around a node and what is below it.
    pub fn walk(&self, id: NodeId, each: &mut dyn FnMut(Step)) {
        let mut open = vec![(id, 0)];
        each(Step::Open(id));
        while let Some((id, next)) = open.last_mut() {
            match self.nodes[*id].children.get(*next) {
                Some(child) => {
                    *next += 1;
                    if self.nodes[*child].parent == Some(*id) {
                        each(Step::Open(*child));
                        open.push((*child, 0));
                    }
                }
                None => {
                    each(Step::Close(*id));
                    open.pop();
                }
            }
        }
    }

    /// What is below a node, in document order.
    pub fn below(&self, id: NodeId) -> Vec<NodeId> {
        let mut all = Vec::new();
        self.walk(id, &mut |step| {
            if let Step::Open(it) = step
                && it != id
            {
                all.push(it);
            }
        });
        all
    }

    /// The leaves below a node.
    pub fn leaves(&self, id: NodeId) -> Vec<LeafId> {
        let all = self.below(id).into_iter();
        all.filter_map(|id| match self.nodes[id].kind {
            Kind::Text(_, leaf) => leaf,
            Kind::Element(_) => None,
        })
        .collect()
    }

    /// A paragraph with copies of the text nodes below a node.
    pub fn text_copy(&mut self, id: NodeId) -> NodeId {
        let copy = self.make(Kind::Element(Tag::P));
        for node in self.below(id) {
            if let Kind::Text(..) = self.nodes[node].kind {
                let text = self.make(self.nodes[node].kind.clone());
                self.append(copy, text);
            }
        }
        copy
    }

    /// Puts the children of elements below a node in their place.
    pub fn unwrap_below(&mut self, id: NodeId, which: impl Fn(&Tag) -> bool) {
        let goes = |tree: &Tree, id: NodeId| tree.tag(id).is_some_and(&which);
        let mut kept = vec![id];
        kept.extend(self.below(id).into_iter().filter(|it| !goes(self, *it)));
        for node in kept {
            let mut children = Vec::new();
            let mut open: Vec<NodeId> = self.children(node).rev().collect();
            while let Some(child) = open.pop() {
                match goes(self, child) {
                    true => open.extend(self.children(child).rev()),
                    false => children.push(child),
                }
            }
            self.set_children(node, children);
        }
    }
}
