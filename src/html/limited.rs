//! Stands between tokenizer and tree builder and keeps the parse within its limits.
//!
//! The tree builder searches its stack of open elements for almost every tag, so that a page of a million nested
//! elements would take it hours. Bounding the depth of the tree bounds that stack, and with it the work per tag, on any
//! page that is not made to escape this bound; for those there is a bound on the work itself, counted in steps and not
//! in seconds, so that a page is cut at the same place everywhere.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::interface::TreeSink;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};

use super::Limits;
use super::formatting::{self, Formatting};
use super::tree::{NodeId, Sink, Tree};
use crate::page::ParseLimit;

/// Where in the markup the tokenizer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Where `<` may begin a tag.
    Markup,
    /// Inside an element like script or title: only its end tag is one.
    RawText,
    /// After `<plaintext>`: nothing is a tag.
    PlainText,
}

pub(super) struct Limited {
    builder: TreeBuilder<NodeId, Sink>,
    max_depth: u16,
    max_nodes: usize,
    max_work: u64,
    formatting: RefCell<Formatting>,
    limit: Cell<Option<ParseLimit>>,
    /// Start tags left out for depth, whose end tags must be left out too.
    left_out: RefCell<HashMap<LocalName, u32>>,
    unclosed: RefCell<Option<String>>,
    place: Cell<Place>,
}

impl Limited {
    pub(super) fn new(builder: TreeBuilder<NodeId, Sink>, limits: &Limits) -> Self {
        Limited {
            builder,
            max_depth: limits.depth,
            max_nodes: limits.nodes,
            max_work: limits.work,
            formatting: RefCell::default(),
            limit: Cell::new(None),
            left_out: RefCell::default(),
            unclosed: RefCell::default(),
            place: Cell::new(Place::Markup),
        }
    }

    pub(super) fn finish(self) -> Tree {
        Tree {
            limit: self.limit.get(),
            unclosed: self.unclosed.into_inner(),
            nodes: self.builder.sink.finish().into_nodes(),
        }
    }

    /// Where the tokenizer is after the tags that it was fed.
    pub(super) fn place(&self) -> Place {
        self.place.get()
    }

    /// The tree builder's current node. It looks at that node's name to answer the tokenizer, and the sink takes note.
    fn current_node(&self) -> NodeId {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace();
        self.builder.sink.asked()
    }

    /// Passes a tag on and takes note of the elements that it starts and ends.
    fn process_tag(&self, tag: Tag, line: u64) -> TokenSinkResult<NodeId> {
        let sink = &self.builder.sink;
        sink.begin_tag(&tag.name);
        let is_start = tag.kind == TagKind::StartTag;
        let result = self.builder.process_token(Token::TagToken(tag), line);
        if is_start {
            sink.end_start_tag();
        } else {
            sink.end_end_tag();
        }
        result
    }

    /// Is a start tag to be left out, because its element would stand too deep?
    fn too_deep(&self, tag: &Tag) -> bool {
        // The depth of the last insertion is known for nothing; only near the limit the real one is looked up.
        tag.kind == TagKind::StartTag
            && self.builder.sink.last_depth() >= self.max_depth
            && !leaves_the_stack_at_once(&tag.name)
            && self.builder.sink.depth(self.current_node()) >= self.max_depth
    }

    /// Shortens the attributes of a formatting element, and counts what the tree builder will do with it as work.
    fn formatting(&self, tag: &mut Tag) {
        let mut formatting = self.formatting.borrow_mut();
        let sink = &self.builder.sink;
        match tag.kind {
            TagKind::StartTag => sink.add_work(formatting.begin(tag)),
            TagKind::EndTag if sink.is_named(self.current_node(), &tag.name) => {
                formatting.end(&tag.name);
            }
            TagKind::EndTag => {}
        }
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
        if matches!(token, Token::TagToken(_)) {
            self.place.set(Place::Markup);
        }
        if let Some(ParseLimit::Nodes | ParseLimit::Work) = self.limit.get() {
            return TokenSinkResult::Continue;
        }
        let sink = &self.builder.sink;
        let passed = if sink.node_count() >= self.max_nodes {
            Some(ParseLimit::Nodes)
        } else {
            (sink.work() >= self.max_work).then_some(ParseLimit::Work)
        };
        if passed.is_some() {
            self.limit.set(passed);
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
                if formatting::is_formatting(&tag.name) {
                    self.formatting(&mut tag);
                }
                let result = self.process_tag(tag, line);
                match result {
                    TokenSinkResult::RawData(_) => self.place.set(Place::RawText),
                    TokenSinkResult::Plaintext => self.place.set(Place::PlainText),
                    _ => {}
                }
                result
            }
            Token::EOFToken => {
                let open = sink.local_name(self.current_node());
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
