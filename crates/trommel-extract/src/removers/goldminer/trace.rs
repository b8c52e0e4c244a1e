//! A page as a sequence of tags, with its blocks' places in it.

use trommel_page::{ElementId, Event, Page, Segmentation, Tag};

/// Tags in the order of the markup, and where blocks stand between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    /// Numbers of the tags.
    pub tags: Vec<u32>,
    /// For each block how many tags stand before its first leaf, and how many before the end of its last.
    pub blocks: Vec<(u32, u32)>,
}

/// Follows a page's tags; `number` says the number of a tag from how it is written: `<div id=main class="x y">`, `</div>`.
/// What is beyond `limit` tags is left out, and blocks there have the limit for their place.
pub(super) fn trace(
    page: &Page,
    segmentation: &Segmentation,
    limit: usize,
    mut number: impl FnMut(&str) -> u32,
) -> Trace {
    let mut trace = Trace {
        tags: Vec::new(),
        blocks: vec![(u32::MAX, 0); segmentation.blocks.len()],
    };
    let mut written = String::new();
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                if trace.tags.len() < limit && is_kept(page, id) {
                    written.clear();
                    match event {
                        Event::Start(_) => write_start(page, id, &mut written),
                        _ => write_end(page, id, &mut written),
                    }
                    trace.tags.push(number(&written));
                }
            }
            Event::Leaf(leaf) => {
                if let Some(block) = segmentation.block_of_leaf[leaf as usize] {
                    let at = trace.tags.len() as u32;
                    let (start, end) = &mut trace.blocks[block as usize];
                    *start = at.min(*start);
                    *end = at;
                }
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    trace
}

/// Elements of running text come and go with the words; those with an id or class are the site's.
fn is_kept(page: &Page, id: ElementId) -> bool {
    use Tag::*;
    match page.tag(id) {
        A | Abbr | Acronym | B | Big | Br | Cite | Code | Del | Dfn | Em | Font | I | Img | Ins
        | Kbd | Mark | Q | S | Samp | Script | Small | Strike | Strong | Style | Sub | Sup | Tt
        | U | Var => false,
        Span => page.elements[id as usize].start_tag && has_name(page, id),
        _ => true,
    }
}

fn has_name(page: &Page, id: ElementId) -> bool {
    !page.id(id).is_empty() || !page.class(id).is_empty()
}

fn write_start(page: &Page, id: ElementId, out: &mut String) {
    out.push('<');
    out.push_str(page.tag(id).name());
    for (name, value) in [(" id=", page.id(id)), (" class=", page.class(id))] {
        if !value.trim().is_empty() {
            out.push_str(name);
            write_value(value, out);
        }
    }
    out.push('>');
}

fn write_end(page: &Page, id: ElementId, out: &mut String) {
    out.push_str("</");
    out.push_str(page.tag(id).name());
    out.push('>');
}

/// White space collapsed, runs of digits as `#`; of an endless value the beginning.
fn write_value(value: &str, out: &mut String) {
    const LONGEST: usize = 200;
    let mut last = ' ';
    for c in value.trim().chars().take(LONGEST) {
        let c = match c {
            c if c.is_whitespace() => ' ',
            c if c.is_ascii_digit() => '#',
            c => c,
        };
        if c != last || !matches!(c, ' ' | '#') {
            out.push(c);
        }
        last = c;
    }
}
