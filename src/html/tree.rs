//! The sink of the HTML parser: a tree of nodes in one vector.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::VecDeque;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

use super::Limits;
use super::feed::feed;
use super::limited::Limited;
use crate::page::ParseLimit;

/// Number of a node in [`Tree::nodes`].
pub(super) type NodeId = u32;
/// No node.
pub(super) const NONE: NodeId = NodeId::MAX;
/// The document node.
pub(super) const DOCUMENT: NodeId = 0;

/// A parsed tree.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// The limit that parsing ran into.
    pub limit: Option<ParseLimit>,
    /// The raw text element that was still open at the end of the markup.
    pub unclosed: Option<String>,
}

pub(super) struct Node {
    pub parent: NodeId,
    pub next: NodeId,
    pub first_child: NodeId,
    previous: NodeId,
    last_child: NodeId,
    /// Elements around it; those around a template count for its contents. Undefined for what is not in the tree.
    depth: u16,
    pub data: Data,
}

pub(super) enum Data {
    Document,
    /// The document fragment of a template element.
    Template,
    Element(Element),
    Text(StrTendril),
    /// Comments, processing instructions.
    Other,
}

pub(super) struct Element {
    pub name: QualName,
    /// The document fragment of a template; it is not a child, so that its text is not met.
    template: NodeId,
    annotation_xml_with_html: bool,
    /// For an anchor that the parser re-opened: the anchor that stands in the markup.
    pub reopened: NodeId,
}

/// Parses markup into a tree.
pub(super) fn parse(markup: &str, limits: &Limits) -> Tree {
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(Sink::new(limits.depth), options);
    let tokenizer = Tokenizer::new(Limited::new(builder, limits), TokenizerOpts::default());
    let cut = feed(&tokenizer, markup, limits.attributes);
    tokenizer.end();
    let tree = tokenizer.sink.finish();
    Tree {
        limit: tree.limit.or(cut.then_some(ParseLimit::Attributes)),
        ..tree
    }
}

/// Builds the tree that the tree builder asks for.
pub(super) struct Sink {
    nodes: RefCell<Vec<Node>>,
    max_depth: u16,
    /// The last anchors with their attributes, so that a re-opened one finds its original.
    anchors: RefCell<VecDeque<(NodeId, Vec<Attribute>)>>,
    anchor_count: Cell<usize>,
    /// The element whose name the tree builder asked for last.
    asked: Cell<NodeId>,
    /// Depth of the element that was inserted last.
    last_depth: Cell<u16>,
    /// Steps that the tree builder's searches and ours took so far.
    work: Cell<u64>,
}

/// A page that re-opens an anchor does so soon after it, so only so many of the last ones are kept. It also bounds memory:
/// each re-opened anchor comes with a copy of its attributes.
const KEPT_ANCHORS: usize = 64;

impl Sink {
    fn new(max_depth: u16) -> Self {
        let sink = Sink {
            nodes: RefCell::new(Vec::with_capacity(1024)),
            max_depth,
            anchors: RefCell::default(),
            anchor_count: Cell::new(0),
            asked: Cell::new(DOCUMENT),
            last_depth: Cell::new(0),
            work: Cell::new(0),
        };
        sink.add(Data::Document);
        sink
    }

    pub(super) fn into_nodes(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    pub(super) fn node_count(&self) -> usize {
        self.nodes.borrow().len()
    }

    pub(super) fn last_depth(&self) -> u16 {
        self.last_depth.get()
    }

    /// The node whose name was asked for last: right after the tree builder looked at its current node, that node.
    pub(super) fn asked(&self) -> NodeId {
        self.asked.get()
    }

    pub(super) fn depth(&self, node: NodeId) -> u16 {
        self.nodes.borrow()[node as usize].depth
    }

    /// Steps so far: of searches through the stack of open elements and the list of formatting elements, and of moves.
    pub(super) fn work(&self) -> u64 {
        self.work.get()
    }

    pub(super) fn add_work(&self, steps: u64) {
        self.work.set(self.work.get() + steps);
    }

    pub(super) fn local_name(&self, node: NodeId) -> Option<String> {
        match &self.nodes.borrow()[node as usize].data {
            Data::Element(element) => Some(element.name.local.to_string()),
            _ => None,
        }
    }

    pub(super) fn is_named(&self, node: NodeId, name: &LocalName) -> bool {
        matches!(&self.nodes.borrow()[node as usize].data, Data::Element(element) if element.name.local == *name)
    }

    /// Number of anchors so far.
    pub(super) fn anchor_count(&self) -> usize {
        self.anchor_count.get()
    }

    /// Says that the last anchor stands in the markup and is no re-opened one.
    pub(super) fn last_anchor_is_original(&self) {
        if let Some((id, _)) = self.anchors.borrow().back()
            && let Data::Element(element) = &mut self.nodes.borrow_mut()[*id as usize].data
        {
            element.reopened = NONE;
        }
    }

    fn add(&self, data: Data) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node {
            parent: NONE,
            next: NONE,
            first_child: NONE,
            previous: NONE,
            last_child: NONE,
            depth: 0,
            data,
        });
        (nodes.len() - 1) as NodeId
    }

    /// Registers an anchor; gives the one that it would repeat if it is a re-opened one.
    fn register_anchor(&self, id: NodeId, attributes: Vec<Attribute>) -> NodeId {
        let mut anchors = self.anchors.borrow_mut();
        let earlier = anchors
            .iter()
            .rev()
            .find(|(_, other)| *other == attributes)
            .map_or(NONE, |(earlier, _)| *earlier);
        if anchors.len() == KEPT_ANCHORS {
            anchors.pop_front();
        }
        anchors.push_back((id, attributes));
        self.anchor_count.set(self.anchor_count.get() + 1);
        let nodes = self.nodes.borrow();
        match nodes.get(earlier as usize).map(|node| &node.data) {
            Some(Data::Element(element)) if element.reopened != NONE => element.reopened,
            _ => earlier,
        }
    }

    /// Inserts `child` under `parent` before `before` (at the end for [`NONE`]).
    fn insert(&self, parent: NodeId, before: NodeId, child: NodeId) {
        self.detach(child);
        let mut nodes = self.nodes.borrow_mut();
        let mut parent = parent;
        // As browsers do, what would stand too deep becomes a sibling.
        if before == NONE {
            while nodes[parent as usize].depth >= self.max_depth
                && nodes[parent as usize].parent != NONE
            {
                parent = nodes[parent as usize].parent;
            }
        }
        let previous = match before {
            NONE => nodes[parent as usize].last_child,
            _ => nodes[before as usize].previous,
        };
        {
            let node = &mut nodes[child as usize];
            node.parent = parent;
            node.next = before;
            node.previous = previous;
        }
        match previous {
            NONE => nodes[parent as usize].first_child = child,
            _ => nodes[previous as usize].next = child,
        }
        match before {
            NONE => nodes[parent as usize].last_child = child,
            _ => nodes[before as usize].previous = child,
        }
        let is_in_tree = nodes[parent as usize].parent != NONE
            || !matches!(nodes[parent as usize].data, Data::Element(_));
        if is_in_tree {
            let depth = nodes[parent as usize].depth.saturating_add(1);
            if matches!(nodes[child as usize].data, Data::Element(_)) {
                self.last_depth.set(depth);
            }
            self.add_work(set_depth(&mut nodes, child, depth));
        }
    }

    fn detach(&self, node: NodeId) {
        let mut nodes = self.nodes.borrow_mut();
        let (parent, previous, next) = {
            let node = &mut nodes[node as usize];
            let links = (node.parent, node.previous, node.next);
            (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
            links
        };
        if parent == NONE {
            return;
        }
        match previous {
            NONE => nodes[parent as usize].first_child = next,
            _ => nodes[previous as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last_child = previous,
            _ => nodes[next as usize].previous = previous,
        }
    }

    /// Inserts a node or text under `parent` before `before`; text joins a text node that it would follow.
    fn insert_child(&self, parent: NodeId, before: NodeId, child: NodeOrText<NodeId>) {
        let text = match child {
            NodeOrText::AppendNode(node) => return self.insert(parent, before, node),
            NodeOrText::AppendText(text) => text,
        };
        let neighbour = match before {
            NONE => self.nodes.borrow()[parent as usize].last_child,
            _ => self.nodes.borrow()[before as usize].previous,
        };
        if neighbour != NONE
            && let Data::Text(existing) = &mut self.nodes.borrow_mut()[neighbour as usize].data
        {
            existing.push_tendril(&text);
            return;
        }
        let node = self.add(Data::Text(text));
        self.insert(parent, before, node);
    }
}

/// Sets the depth of a node and of what is below it: the tree builder moves whole subtrees. Gives the number of nodes.
fn set_depth(nodes: &mut [Node], node: NodeId, depth: u16) -> u64 {
    let mut steps = 0;
    let mut pending = Vec::new();
    let mut next = Some((node, depth));
    while let Some((id, depth)) = next {
        steps += 1;
        let node = &mut nodes[id as usize];
        node.depth = depth;
        if let Data::Element(Element { template, .. }) = node.data
            && template != NONE
        {
            pending.push((template, depth));
        }
        let mut child = nodes[id as usize].first_child;
        while child != NONE {
            pending.push((child, depth.saturating_add(1)));
            child = nodes[child as usize].next;
        }
        next = pending.pop();
    }
    steps
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Self;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        self.asked.set(*target);
        self.add_work(1);
        Ref::map(self.nodes.borrow(), |nodes| {
            match &nodes[*target as usize].data {
                Data::Element(element) => &element.name,
                _ => unreachable!("the tree builder asks for names of elements only"),
            }
        })
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        let template = if flags.template {
            self.add(Data::Template)
        } else {
            NONE
        };
        let is_anchor = name.ns == ns!(html) && name.local == local_name!("a");
        let id = self.add(Data::Element(Element {
            name,
            template,
            annotation_xml_with_html: flags.mathml_annotation_xml_integration_point,
            reopened: NONE,
        }));
        if is_anchor {
            let original = self.register_anchor(id, attributes);
            if let Data::Element(element) = &mut self.nodes.borrow_mut()[id as usize].data {
                element.reopened = original;
            }
        }
        id
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.add(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.add(Data::Other)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.insert_child(*parent, NONE, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        if self.nodes.borrow()[*element as usize].parent == NONE {
            self.append(previous_element, child);
        } else {
            self.append_before_sibling(element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        match &self.nodes.borrow()[*target as usize].data {
            Data::Element(element) if element.template != NONE => element.template,
            _ => *target,
        }
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        self.add_work(1);
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        if parent == NONE {
            // The tree builder promises a parent; without one the text is kept at the end of the document.
            return self.insert_child(DOCUMENT, NONE, child);
        }
        self.insert_child(parent, *sibling, child);
    }

    fn add_attrs_if_missing(&self, _: &NodeId, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &NodeId) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        loop {
            let child = self.nodes.borrow()[*node as usize].first_child;
            if child == NONE {
                return;
            }
            self.insert(*new_parent, NONE, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &NodeId) -> bool {
        matches!(&self.nodes.borrow()[*target as usize].data,
            Data::Element(element) if element.annotation_xml_with_html)
    }
}
