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

    pub fn prepend(&mut self, parent: NodeId, child: NodeId) {
        self.nodes[parent].children.insert(0, child);
        self.nodes[child].parent = Some(parent);
    }

    pub fn remove(&mut self, id: NodeId) {
        if let Some(parent) = self.nodes[id].parent.take() {
            self.nodes[parent].children.retain(|child| *child != id);
        }
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

    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.nodes[id].children
    }

    /// Walks around a node and what is below it.
    pub fn walk(&self, id: NodeId, each: &mut dyn FnMut(Step)) {
        let mut open = vec![(id, 0)];
        each(Step::Open(id));
        while let Some((id, next)) = open.last_mut() {
            match self.nodes[*id].children.get(*next) {
                Some(child) => {
                    *next += 1;
                    each(Step::Open(*child));
                    open.push((*child, 0));
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
        // What becomes of the children of each element, innermost first.
        let mut all = self.below(id);
        all.reverse();
        all.push(id);
        for node in all {
            let own = &self.nodes[node].children;
            if !own.iter().any(|child| self.tag(*child).is_some_and(&which)) {
                continue;
            }
            let mut children = Vec::new();
            for child in own {
                match self.tag(*child).is_some_and(&which) {
                    true => children.extend(&self.nodes[*child].children),
                    false => children.push(*child),
                }
            }
            for child in &children {
                self.nodes[*child].parent = Some(node);
            }
            self.nodes[node].children = children;
        }
    }
}
