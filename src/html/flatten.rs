//! Tree to [`Page`]: the walk in document order, without recursion.

use std::ops::Range;

use html5ever::{local_name, ns};

use super::tree::{DOCUMENT, Data, NONE, NodeId, Tree};
use crate::page::{Element, ElementId, Event, Leaf, Page, Tag};
use crate::text::is_java_white_space;

/// Where the walk is: one entry for each open element.
struct Open {
    id: ElementId,
    next_child: NodeId,
    in_anchor: bool,
    hidden: bool,
}

pub(super) fn flatten(tree: &Tree) -> Page {
    let mut page = Page::default();
    let mut next = tree.nodes[DOCUMENT as usize].first_child;
    let mut open: Vec<Open> = Vec::new();
    loop {
        if next == NONE {
            let Some(ended) = open.pop() else { return page };
            page.events.push(Event::End(ended.id));
            next = ended.next_child;
            continue;
        }
        let node = &tree.nodes[next as usize];
        match &node.data {
            Data::Element(element) => {
                let id = page.elements.len() as ElementId;
                let tag = Tag::from_name(&element.name.local);
                let is_html = element.name.ns == ns!(html);
                if is_html && element.name.local == local_name!("title") && page.title.is_empty() {
                    page.title = title(tree, node.first_child);
                }
                let outer = open.last();
                let here = Open {
                    id,
                    next_child: node.next,
                    in_anchor: tag == Tag::A || outer.is_some_and(|o| o.in_anchor),
                    hidden: matches!(tag, Tag::Script | Tag::Style | Tag::Template)
                        || outer.is_some_and(|o| o.hidden),
                };
                // A re-opened element shares its attributes with the first: copying them could multiply the page.
                let own = |value| if element.start_tag { value } else { "" };
                let id_attribute = attribute(&mut page, own(&element.id));
                let class = attribute(&mut page, own(&element.class));
                page.elements.push(Element {
                    tag,
                    parent: outer.map(|o| o.id),
                    start_tag: element.start_tag,
                    end_tag: element.end_tag,
                    id: id_attribute,
                    class,
                });
                page.events.push(Event::Start(id));
                open.push(here);
                next = node.first_child;
            }
            Data::Text(text) => {
                // Text outside any element cannot be: the tree builder opens html for it.
                if let Some(parent) = open.last() {
                    let event = text_event(&mut page, text, parent);
                    page.events.push(event);
                }
                next = node.next;
            }
            Data::Document | Data::Template | Data::Other => next = node.next,
        }
    }
}

/// Keeps an attribute's value. One that would pass 4 GiB in sum is taken for empty.
fn attribute(page: &mut Page, value: &str) -> Range<u32> {
    let start = page.attributes.len();
    match (u32::try_from(start), u32::try_from(start + value.len())) {
        (Ok(start), Ok(end)) => {
            page.attributes.push_str(value);
            start..end
        }
        _ => 0..0,
    }
}

fn text_event(page: &mut Page, text: &str, parent: &Open) -> Event {
    if parent.hidden {
        return Event::Hidden;
    }
    if text.chars().all(is_java_white_space) {
        return Event::Blank;
    }
    let start = page.text.len();
    page.text.push_str(text);
    page.leaves.push(Leaf {
        text: start..page.text.len(),
        parent: parent.id,
        in_anchor: parent.in_anchor,
    });
    Event::Leaf(page.leaves.len() as u32 - 1)
}

fn title(tree: &Tree, mut child: NodeId) -> String {
    let mut text = String::new();
    while child != NONE {
        let node = &tree.nodes[child as usize];
        if let Data::Text(part) = &node.data {
            text.push_str(part);
        }
        child = node.next;
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{Limits, parse_text};

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
