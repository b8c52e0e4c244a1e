//! The sink of the HTML parser: a tree of nodes in one vector.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell, RefMut};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

use super::Limits;
use super::feed::feed;
use super::formatting::is_formatting;
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
    /// See [`crate::page::Element`].
    pub start_tag: bool,
    pub end_tag: bool,
    /// Its attributes of these names; empty where there is none.
    pub id: StrTendril,
    pub class: StrTendril,
}

impl Element {
    /// Takes over the attributes that are kept and that the element does not have.
    fn set_attributes(&mut self, attributes: Vec<Attribute>) {
        for attribute in attributes {
            let kept = match attribute.name.local {
                local_name!("id") => &mut self.id,
                local_name!("class") => &mut self.class,
                _ => continue,
            };
            if kept.is_empty() {
                *kept = attribute.value;
            }
        }
    }
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
    /// The name of the tag that is being dealt with.
    tag: RefCell<LocalName>,
    /// The element of that name that was made last for this tag, and the one that was looked at or ended last.
    made: Cell<NodeId>,
    met: Cell<NodeId>,
    /// The element whose name the tree builder asked for last.
    asked: Cell<NodeId>,
    /// Depth of the element that was inserted last.
    last_depth: Cell<u16>,
    /// Steps that the tree builder's searches and ours took so far.
    work: Cell<u64>,
}

impl Sink {
    fn new(max_depth: u16) -> Self {
        let sink = Sink {
            nodes: RefCell::new(Vec::with_capacity(1024)),
            max_depth,
            tag: RefCell::new(local_name!("")),
            made: Cell::new(NONE),
            met: Cell::new(NONE),
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

    /// Begins to take note of what happens to elements of a tag's name.
    pub(super) fn begin_tag(&self, name: &LocalName) {
        self.tag.replace(name.clone());
        self.made.set(NONE);
        self.met.set(NONE);
    }

    /// The tag was a start tag: the last element made of its name is its own. Earlier ones were re-opened for it.
    pub(super) fn end_start_tag(&self) {
        if let Some(mut element) = self.element_mut(self.made.get()) {
            element.start_tag = true;
        }
    }

    /// The tag was an end tag: it ended the last element of its name that the tree builder looked at, if it looked at
    /// any. It looks for the nearest one in scope, and at those that it then removes up to that one.
    pub(super) fn end_end_tag(&self) {
        if let Some(mut element) = self.element_mut(self.met.get()) {
            element.end_tag = true;
        }
        // The standard makes a `br` of `</br>`, and a `p` of a `</p>` that ends none.
        if matches!(*self.tag.borrow(), local_name!("br") | local_name!("p"))
            && let Some(mut element) = self.element_mut(self.made.get())
        {
            element.start_tag = false;
        }
    }

    /// Takes note of an element that the tree builder looks at.
    fn meet(&self, id: NodeId) {
        if let Data::Element(element) = &self.nodes.borrow()[id as usize].data
            && element.name.local == *self.tag.borrow()
        {
            self.met.set(id);
        }
    }

    fn element_mut(&self, id: NodeId) -> Option<RefMut<'_, Element>> {
        RefMut::filter_map(self.nodes.borrow_mut(), |nodes| {
            match nodes.get_mut(id as usize).map(|node| &mut node.data) {
                Some(Data::Element(element)) => Some(element),
                _ => None,
            }
        })
        .ok()
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
        self.meet(*target);
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
        let is_of_tag = name.local == *self.tag.borrow();
        let start_tag = !(name.ns == ns!(html) && is_formatting(&name.local));
        let mut element = Element {
            name,
            template,
            annotation_xml_with_html: flags.mathml_annotation_xml_integration_point,
            start_tag,
            end_tag: false,
            id: StrTendril::new(),
            class: StrTendril::new(),
        };
        element.set_attributes(attributes);
        let id = self.add(Data::Element(element));
        if is_of_tag {
            self.made.set(id);
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

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        if let Some(mut element) = self.element_mut(*target) {
            element.set_attributes(attributes);
        }
    }

    fn pop(&self, target: &NodeId) {
        self.meet(*target);
    }

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
