//! Hostile pages end early enough: within limits on the tree's size and on the parser's steps, which are counted.
//!
//! The pages have an eighth of the size of those that `cargo bench --bench hostile` measures, and so have the limits.

use std::mem::size_of;

use trommel::html::{self, Charset, Limits, segment};
use trommel::page::{Element, Event, Leaf, Page};

use crate::hostile_pages;

const PART: usize = 8;

/// Tags that were begun when a limit was reached may add some more nodes: what one tag makes anew is bounded by the stack of open
/// elements and the list of formatting elements.
const SLACK: usize = 4096;

fn limits() -> Limits {
    let limits = Limits::default();
    limits
        .with_bytes(limits.bytes / PART)
        .with_nodes(limits.nodes / PART)
        .with_work(limits.work / PART as u64)
}

/// Bytes that a page takes up.
fn size(page: &Page) -> usize {
    page.elements.len() * size_of::<Element>()
        + page.leaves.len() * size_of::<Leaf>()
        + page.events.len() * size_of::<Event>()
        + page.text.len()
        + page.attributes.len()
        + page.title.len()
}

#[test]
fn sizes_and_limits() {
    let limits = limits();
    let mut failures = Vec::new();
    for hostile in hostile_pages::all(1_000_000 / PART) {
        let bytes = (hostile.make)();
        let page = html::parse(&bytes, Charset::Auto, None, &limits);
        let name = hostile.name;
        let mut check = |holds: bool, what: String| {
            if !holds {
                failures.push(format!("{name}: {what}"));
            }
        };
        check(
            page.limit == hostile.limit,
            format!("limit {:?}", page.limit),
        );
        let nodes = page.elements.len() + page.leaves.len();
        check(nodes <= limits.nodes + SLACK, format!("{nodes} nodes"));
        let marks = page.events.len() - 2 * page.elements.len();
        check(
            page.elements.len() + marks <= limits.nodes + SLACK,
            format!("{marks} texts"),
        );
        // Some 400 MB for the tree, the page and its blocks in the full size.
        check(
            size(&page) <= 250_000_000 / PART,
            format!("{} bytes", size(&page)),
        );
        // What is not cut is whole: the text at the page's end is there, unless something unclosed has swallowed it.
        if page.limit.is_none() && bytes.ends_with(b"text") && !name.starts_with("unclosed") {
            check(
                page.text.ends_with("text") || name.contains("template"),
                "its end is lost".to_owned(),
            );
        }
        let blocks = (segment::all()[0].segment)(&page).blocks;
        let text: usize = blocks.iter().map(|block| block.text.len()).sum();
        check(
            text <= page.text.len() + page.events.len(),
            format!("{text} bytes in blocks"),
        );
        check(
            blocks.len() <= page.leaves.len(),
            format!("{} blocks", blocks.len()),
        );
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
