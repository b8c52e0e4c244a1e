//! Tree to [`Page`]: the walk in document order, without recursion.

use std::ops::Range;

use trommel_text::is_java_white_space;

use super::markup::names::{self, TITLE};
use super::tree::{DOCUMENT, END_TAG, JOINS, NONE, Node, NodeId, Place, START_TAG, TEXT, Tree};
use crate::page::{Element, ElementId, Event, Leaf, Page};

/// Where the walk is: one entry for each open element.
struct Open {
    id: ElementId,
    next: NodeId,
    in_anchor: bool,
    hidden: bool,
}

/// Makes the page of a tree and the markup that it was made of.
pub(super) fn flatten(tree: &Tree, markup: &str) -> Page {
    walk(tree, markup, None).0
}

/// As [`flatten`], with where the parts of the page stand. The tree must have kept its source.
pub(super) fn flatten_with_places(tree: &Tree, markup: &str) -> (Page, Places) {
    let (page, places) = walk(tree, markup, Some(Places::default()));
    (page, places.unwrap_or_default())
}

/// Where the parts of a page stand in its markup, or past its end in [`Tree::own`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// Of each element what stands behind its name in its start tag.
    pub tags: Vec<Place>,
    /// Of each leaf, from its first character that is not blank; in the markup itself.
    pub leaves: Vec<Place>,
    /// Of each blank text, where it stands in [`Places::white`].
    pub blanks: Vec<Place>,
    /// Text of blank texts.
    pub white: String,
    /// Of each hidden text its first piece; script and style have no other.
    pub hidden: Vec<Place>,
}

fn walk(tree: &Tree, markup: &str, places: Option<Places>) -> (Page, Option<Places>) {
    let mut walk = Walk {
        places,
        tree,
        markup,
        page: Page {
            elements: Vec::with_capacity(tree.elements),
            events: Vec::with_capacity(2 * tree.elements + tree.pieces),
            ..Page::default()
        },
        open: Vec::with_capacity(64),
    };
    walk.page.language = slice(tree, markup, &tree.language).to_owned();
    walk.run();
    (walk.page, walk.places)
}

struct Walk<'a> {
    /// Filled where they are asked for.
    places: Option<Places>,
    tree: &'a Tree,
    markup: &'a str,
    page: Page,
    open: Vec<Open>,
}

impl Walk<'_> {
    fn run(&mut self) {
        let mut next = self.tree.node(DOCUMENT).first;
        loop {
            if next == NONE {
                let Some(ended) = self.open.pop() else { return };
                self.page.events.push(Event::End(ended.id));
                next = ended.next;
                continue;
            }
            let node = self.tree.node(next);
            next = if node.key == TEXT {
                self.text(node)
            } else {
                self.element(node);
                node.first
            };
        }
    }

    fn element(&mut self, node: &Node) {
        let name = names::local(node.key);
        let tag = self.tree.names.tag(self.markup.as_bytes(), name);
        if node.key == TITLE && self.page.title.is_empty() {
            self.page.title = self.title(node.first);
        }
        let id = self.page.elements.len() as ElementId;
        let outer = self.open.last();
        let parent = outer.map(|outer| outer.id);
        self.open.push(Open {
            id,
            next: node.next,
            in_anchor: name == names::A || outer.is_some_and(|outer| outer.in_anchor),
            hidden: matches!(name, names::SCRIPT | names::STYLE | names::TEMPLATE)
                || outer.is_some_and(|outer| outer.hidden),
        });
        let mut element = Element {
            tag,
            parent,
            start_tag: node.flags & START_TAG != 0,
            end_tag: node.flags & END_TAG != 0,
            id: 0..0,
            class: 0..0,
        };
        // An element that the standard re-opened has none: copying them could multiply the page.
        if let Some(attributes) = self.tree.attributes.get(node.attributes as usize) {
            element.id = self.attribute(&attributes.id);
            element.class = self.attribute(&attributes.class);
        }
        if let Some(places) = &mut self.places {
            let attributes = self.tree.attributes.get(node.attributes as usize);
            let tag = attributes.map(|attributes| attributes.tag.clone());
            places.tags.push(tag.unwrap_or_default());
        }
        self.page.elements.push(element);
        self.page.events.push(Event::Start(id));
    }

    fn attribute(&mut self, place: &Place) -> Range<u32> {
        if place.is_empty() {
            return 0..0;
        }
        let start = self.page.attributes.len() as u32;
        let text = slice(self.tree, self.markup, place);
        self.page.attributes.push_str(text);
        start..self.page.attributes.len() as u32
    }

    /// Takes over a text node, of which `node` is the first piece. Gives the node after it.
    fn text(&mut self, node: &Node) -> NodeId {
        // Text outside any element cannot be: the tree builder opens html for it.
        let Some(parent) = self.open.last() else {
            return node.next;
        };
        let (id, in_anchor, hidden) = (parent.id, parent.in_anchor, parent.hidden);
        let start = self.page.text.len();
        let mut is_blank = true;
        let mut piece = node;
        let next = loop {
            if !hidden {
                let text = slice(self.tree, self.markup, &(piece.first..piece.last));
                is_blank = is_blank && is_blank_text(text);
                self.page.text.push_str(text);
            }
            match self.tree.nodes.get(piece.next as usize) {
                Some(next) if next.key == TEXT && next.flags & JOINS != 0 => piece = next,
                _ => break piece.next,
            }
        };
        if let Some(places) = &mut self.places {
            let first = node.first..node.last;
            if hidden {
                places.hidden.push(first);
            } else if is_blank {
                let at = places.white.len() as u32;
                places.white.push_str(&self.page.text[start..]);
                places.blanks.push(at..places.white.len() as u32);
            } else {
                let text = slice(self.tree, self.markup, &first);
                let blank = text.len() - text.trim_start_matches(is_java_white_space).len();
                let from = self.tree.origin(self.markup.len(), &first);
                let to = self
                    .tree
                    .origin(self.markup.len(), &(piece.first..piece.last));
                // Blanks before the first character can be told only where the text stands in the markup as it is.
                let blank = match first.start as usize == from.start as usize {
                    true => blank as u32,
                    false => 0,
                };
                places.leaves.push(from.start + blank..to.end.max(from.end));
            }
        }
        let event = if hidden {
            Event::Hidden
        } else if is_blank {
            let blank = self.page.text[start..].bytes();
            let line_feeds = blank.filter(|byte| *byte == b'\n').count() as u32;
            self.page.text.truncate(start);
            Event::Blank(line_feeds)
        } else {
            self.page.leaves.push(Leaf {
                text: start..self.page.text.len(),
                parent: id,
                in_anchor,
            });
            Event::Leaf(self.page.leaves.len() as u32 - 1)
        };
        self.page.events.push(event);
        next
    }

    fn title(&self, mut child: NodeId) -> String {
        let mut text = String::new();
        while child != NONE {
            let node = self.tree.node(child);
            if node.key == TEXT {
                text.push_str(slice(self.tree, self.markup, &(node.first..node.last)));
            }
            child = node.next;
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The text of a place.
pub(super) fn slice<'a>(tree: &'a Tree, markup: &'a str, place: &Place) -> &'a str {
    let (start, end) = (place.start as usize, place.end as usize);
    let length = markup.len();
    let text = match start < length {
        true => markup.get(start..end),
        false => tree.own.get(start - length..end - length),
    };
    text.unwrap_or_default()
}

fn is_blank_text(text: &str) -> bool {
    // Nearly all that is not blank shows it by an ASCII character soon.
    match text.bytes().find(|b| !matches!(b, b' ' | b'\t' | b'\n')) {
        None => true,
        Some(b'!'..=b'~') => false,
        Some(_) => text.chars().all(is_java_white_space),
    }
}

#[cfg(test)]
mod tests {
    use crate::html::{Limits, parse_text};
    use crate::page::Event;

    /// The tags of the body: in angle brackets those that stand in the markup, in parentheses the others.
    #[track_caller]
    fn check(markup: &str, expected: &str) {
        let page = parse_text(&format!("<body>{markup}</body>"), &Limits::default());
        let mut shown = String::new();
        for event in &page.events {
            let (id, slash) = match event {
                Event::Start(id) => (*id, ""),
                Event::End(id) => (*id, "/"),
                _ => continue,
            };
            let element = &page.elements[id as usize];
            let name = element.tag.name();
            let stands = if slash.is_empty() {
                element.start_tag
            } else {
                element.end_tag
            };
            match (name, stands) {
                ("html" | "head" | "body", _) => {}
                (_, true) => shown += &format!("<{slash}{name}>"),
                (_, false) => shown += &format!("({slash}{name})"),
            }
        }
        assert_eq!(shown, expected, "{markup}");
    }

    #[test]
    fn knows_which_tags_stand_in_the_markup() {
        check("<p>a<p>b</p>", "<p>(/p)<p></p>");
        check("<div><p>a</div>", "<div><p>(/p)</div>");
        check(
            "<table><tr><td>a</table>",
            "<table><tbody><tr><td>(/td)(/tr)(/tbody)</table>",
        );
        check("<ul><li>a<li>b</li></ul>", "<ul><li>(/li)<li></li></ul>");
        check("<form><div></form></div>", "<form><div></div></form>");
        check("<h1>a</h2>", "<h1>(/h1)");
        check("a<br>b</br>c", "<br>(/br)(br)(/br)");
        check("a</p>b", "(p)</p>");
    }

    /// Formatting elements that the standard makes again.
    #[test]
    fn knows_what_was_reopened() {
        check("<b>a<i>b</b>c</i>", "<b><i>(/i)</b>(i)</i>");
        check("<p><b>a<p>b</b>c", "<p><b>(/b)(/p)<p>(b)</b>(/p)");
        check("<b>a<p>b</b>c</p>", "<b>(/b)<p>(b)</b></p>");
        check(
            "<a>a<div>b<a>c</a></div>",
            "<a>(/a)<div>(a)(/a)<a></a></div>",
        );
        check("<b><b>a</b>b</b>", "<b><b></b></b>");
    }
}
