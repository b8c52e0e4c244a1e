//! Stands between tokenizer and tree builder and keeps the parse within its limits.
//!
//! The tree builder searches its stack of open elements for almost every tag, so that a page of a million nested
//! elements would take it hours. Bounding the depth of the tree bounds that stack, and with it the work per tag.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::interface::TreeSink;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};

use super::Limits;
use super::tree::{NodeId, Sink, Tree};
use crate::page::ParseLimit;

pub(super) struct Limited {
    builder: TreeBuilder<NodeId, Sink>,
    max_depth: u16,
    max_nodes: usize,
    limit: Cell<Option<ParseLimit>>,
    /// Start tags left out for depth, whose end tags must be left out too.
    left_out: RefCell<HashMap<LocalName, u32>>,
    unclosed: RefCell<Option<String>>,
}

impl Limited {
    pub(super) fn new(builder: TreeBuilder<NodeId, Sink>, limits: &Limits) -> Self {
        Limited {
            builder,
            max_depth: limits.depth,
            max_nodes: limits.nodes,
            limit: Cell::new(None),
            left_out: RefCell::default(),
            unclosed: RefCell::default(),
        }
    }

    pub(super) fn finish(self) -> Tree {
        Tree {
            limit: self.limit.get(),
            unclosed: self.unclosed.into_inner(),
            nodes: self.builder.sink.finish().into_nodes(),
        }
    }

    /// The tree builder's current node. It looks at that node's name to answer the tokenizer, and the sink takes note.
    fn current_node(&self) -> NodeId {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace();
        self.builder.sink.asked()
    }

    /// Is a start tag to be left out, because its element would stand too deep?
    fn too_deep(&self, tag: &Tag) -> bool {
        // The depth of the last insertion is known for nothing; only near the limit the real one is looked up.
        tag.kind == TagKind::StartTag
            && self.builder.sink.last_depth() >= self.max_depth
            && !leaves_the_stack_at_once(&tag.name)
            && self.builder.sink.depth(self.current_node()) >= self.max_depth
    }

    /// Is this the end tag of a start tag that was left out? If so, the two are even.
    fn ends_left_out(&self, tag: &Tag) -> bool {
        if tag.kind != TagKind::EndTag {
            return false;
        }
        let mut left_out = self.left_out.borrow_mut();
        match left_out.get_mut(&tag.name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

impl TokenSink for Limited {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if self.limit.get() == Some(ParseLimit::Nodes) {
            return TokenSinkResult::Continue;
        }
        if self.builder.sink.node_count() >= self.max_nodes {
            self.limit.set(Some(ParseLimit::Nodes));
            return TokenSinkResult::Continue;
        }
        match token {
            Token::TagToken(mut tag) => {
                let too_deep = self.too_deep(&tag);
                if too_deep {
                    self.limit.set(Some(ParseLimit::Depth));
                    *self
                        .left_out
                        .borrow_mut()
                        .entry(tag.name.clone())
                        .or_default() += 1;
                }
                if too_deep || self.ends_left_out(&tag) {
                    // A line break stands for the tag, so that the text before and after stays apart.
                    tag = line_break();
                }
                let anchors = self.builder.sink.anchor_count();
                let is_anchor = tag.kind == TagKind::StartTag && tag.name == local_name!("a");
                let result = self.builder.process_token(Token::TagToken(tag), line);
                if is_anchor && self.builder.sink.anchor_count() > anchors {
                    self.builder.sink.last_anchor_is_original();
                }
                result
            }
            Token::EOFToken => {
                let open = self.builder.sink.local_name(self.current_node());
                *self.unclosed.borrow_mut() = open.filter(|name| is_raw_text(name));
                self.builder.process_token(Token::EOFToken, line)
            }
            other => self.builder.process_token(other, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn line_break() -> Tag {
    Tag {
        kind: TagKind::StartTag,
        name: local_name!("br"),
        self_closing: false,
        attrs: Vec::new(),
        had_duplicate_attributes: false,
    }
}

/// Elements that hold raw text up to their end tag.
fn is_raw_text(name: &str) -> bool {
    matches!(
        name,
        "title" | "textarea" | "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes"
    )
}

/// Void and raw text elements: they do not stay open, so they cannot make the stack grow.
fn leaves_the_stack_at_once(name: &LocalName) -> bool {
    is_raw_text(name)
        || matches!(
            &**name,
            "area"
                | "base"
                | "br"
                | "col"
                | "embed"
                | "hr"
                | "img"
                | "image"
                | "input"
                | "keygen"
                | "link"
                | "meta"
                | "param"
                | "source"
                | "track"
                | "wbr"
                | "plaintext"
        )
}
