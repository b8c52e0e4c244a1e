//! L3S-GN1: the page as the annotator saw it, with `<span class="x-nc-sel1">` (to 5; 0 is nothing) around pieces of text. The
//! nearest enclosing one decides. Elements of the class `x-nc-invisible` are not shown.
//!
//! The spans are no part of the page: they are taken out of the tree, so that segmenters see what the author wrote.

use trommel_page::html::{self, Charset, Limits};
use trommel_page::{ElementId, Event, Page, Tag};

use super::annotated::Annotated;
use super::class::Class;
use super::content::{Gold, paragraphs};

/// How the classes of annotation begin.
const CLASS: &str = "x-nc-sel";
/// What stands in every file.
pub(super) const MARK: &[u8] = CLASS.as_bytes();

pub(super) fn read(bytes: &[u8], charset: Charset) -> Gold {
    let annotated = annotated(html::parse(bytes, charset, None, &Limits::default()));
    Gold {
        text: paragraphs(content(&annotated)),
        comments: annotated.text_of(Class::Comments),
        annotated: Some(annotated),
        ..Gold::default()
    }
}

fn annotated(mut page: Page) -> Annotated {
    // What holds inside each element; a parent stands before its children.
    let mut inside: Vec<(Class, bool)> = Vec::with_capacity(page.elements.len());
    for id in 0..page.elements.len() as ElementId {
        let parent = page.elements[id as usize].parent;
        let (mut class, mut visible) =
            parent.map_or((Class::default(), true), |parent| inside[parent as usize]);
        for name in page.class(id).split_ascii_whitespace() {
            visible &= name != "x-nc-invisible";
            class = class_of(name).unwrap_or(class);
        }
        inside.push((class, visible));
    }
    let leaves = page.leaves.iter();
    let of_leaves: Vec<(Class, bool)> = leaves.map(|leaf| inside[leaf.parent as usize]).collect();
    take_out_spans(&mut page);
    Annotated {
        page,
        classes: of_leaves.iter().map(|(class, _)| *class).collect(),
        visible: of_leaves.iter().map(|(_, visible)| *visible).collect(),
    }
}

fn class_of(name: &str) -> Option<Class> {
    let number = name.strip_prefix(CLASS)?.parse().ok()?;
    Class::ALL.get::<usize>(number).copied()
}

/// Takes the annotation out of the walk and of the ancestors; the elements keep their numbers.
fn take_out_spans(page: &mut Page) {
    let is_annotation: Vec<bool> = (0..page.elements.len() as ElementId)
        .map(|id| *page.tag(id) == Tag::Span && class_of(page.class(id).trim()).is_some())
        .collect();
    // For each element itself, or where it is taken out the nearest one that is not.
    let mut kept: Vec<Option<ElementId>> = Vec::with_capacity(page.elements.len());
    for (id, element) in (0..).zip(&mut page.elements) {
        element.parent = element.parent.and_then(|parent| kept[parent as usize]);
        kept.push(match is_annotation[id as usize] {
            true => element.parent,
            false => Some(id),
        });
    }
    for leaf in &mut page.leaves {
        leaf.parent = kept[leaf.parent as usize].unwrap_or(leaf.parent);
    }
    page.events.retain(|event| match event {
        Event::Start(id) | Event::End(id) => !is_annotation[*id as usize],
        _ => true,
    });
}

/// The visible text of the content classes, a line break for every tag that is not inline.
fn content(annotated: &Annotated) -> String {
    let page = &annotated.page;
    let mut text = String::new();
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                if !is_inline(page.tag(id)) && !text.ends_with('\n') {
                    text.push('\n');
                }
            }
            Event::Leaf(leaf) => {
                let number = leaf as usize;
                if annotated.classes[number].is_content() && annotated.visible[number] {
                    text.push_str(page.leaf_text(leaf));
                } else if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
            Event::Blank(_) => text.push(' '),
            Event::Hidden => {}
        }
    }
    text
}

/// Elements inside which a word may go on.
fn is_inline(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        A | Abbr
            | Acronym
            | B
            | Big
            | Cite
            | Code
            | Del
            | Dfn
            | Em
            | Font
            | I
            | Ins
            | Kbd
            | Mark
            | Q
            | S
            | Samp
            | Small
            | Span
            | Strike
            | Strong
            | Sub
            | Sup
            | Tt
            | U
            | Var
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_span_decides() {
        let file = r#"<body><span class="x-nc-sel2"><p>Full <b><span class="x-nc-sel4">rel</span>text</b></p></span>
            <div class="x-nc-invisible"><span class="x-nc-sel1">hidden</span></div><i>nav</i>
            <span class="x-nc-sel0"><span class="x-nc-sel5">com<b>ment</b></span></span>"#;
        let gold = read(file.as_bytes(), Charset::Auto);
        let lines: Vec<&str> = gold.text.plain.split_whitespace().collect();
        assert_eq!(lines, ["Full", "text", "comment"]);
        let annotated = gold.annotated.unwrap();
        let classes: Vec<Class> = annotated.classes.clone();
        use Class::*;
        assert_eq!(
            classes,
            [
                FullText,
                Related,
                FullText,
                Headline,
                Boilerplate,
                Comments,
                Comments
            ]
        );
        let page = &annotated.page;
        let tags = page.leaves.iter().map(|leaf| page.tag(leaf.parent).name());
        assert_eq!(
            tags.collect::<Vec<_>>(),
            ["p", "b", "b", "div", "i", "body", "b"]
        );
        assert!(
            !page
                .events
                .iter()
                .any(|event| matches!(event, Event::Start(id) if *page.tag(*id) == Tag::Span))
        );
    }
}
