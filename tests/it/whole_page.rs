//! What holds of every page and of its blocks, whatever the markup. `fuzz/` has it as well.

use trommel::html::{Limits, segment};
use trommel::page::{Event, Page, Segmentation, Tag};

/// The parser keeps elements at the depth limit; moving misnested subtrees (the adoption agency) can then push what was
/// inserted before a few levels further down.
const DEPTH_SLACK: usize = 8;

/// What holds of every page and of what every segmenter makes of it.
pub fn check_page(name: &str, page: &Page, limits: &Limits) {
    check_leaves(name, page);
    check_events(name, page, limits);
    for segmenter in segment::all() {
        let segmentation = (segmenter.segment)(page);
        assert_eq!(segmentation.unit, segmenter.unit, "{name}");
        check_segmentation(&format!("{name}, {}", segmenter.name), page, &segmentation);
    }
}

/// Leaves cover the text exactly, in order, and none is blank.
fn check_leaves(name: &str, page: &Page) {
    let mut end = 0;
    for (number, leaf) in page.leaves.iter().enumerate() {
        assert_eq!(leaf.text.start, end, "{name}: leaf {number}");
        end = leaf.text.end;
        assert!(
            !page.leaf_text(number as u32).trim().is_empty()
                || page
                    .leaf_text(number as u32)
                    .contains(['\u{85}', '\u{a0}', '\u{2007}', '\u{202f}']),
            "{name}: leaf {number} is blank"
        );
    }
    assert_eq!(end, page.text.len(), "{name}: text past the last leaf");
}

/// Every element begins once, in the order of numbers and inside its parent, and ends; leaves come once, in order.
fn check_events(name: &str, page: &Page, limits: &Limits) {
    let mut open: Vec<u32> = Vec::new();
    let (mut elements, mut leaves, mut anchors) = (0, 0, 0);
    let mut hidden = 0;
    let hides = |id: u32| matches!(page.tag(id), Tag::Script | Tag::Style | Tag::Template);
    for event in &page.events {
        match *event {
            Event::Start(id) => {
                assert_eq!(id, elements, "{name}");
                let element = &page.elements[id as usize];
                assert_eq!(element.parent, open.last().copied(), "{name}: element {id}");
                elements += 1;
                anchors += u32::from(*page.tag(id) == Tag::A);
                hidden += u32::from(hides(id));
                open.push(id);
                assert!(
                    open.len() <= usize::from(limits.depth) + DEPTH_SLACK,
                    "{name}: depth {}",
                    open.len()
                );
            }
            Event::End(id) => {
                assert_eq!(open.pop(), Some(id), "{name}");
                anchors -= u32::from(*page.tag(id) == Tag::A);
                hidden -= u32::from(hides(id));
            }
            Event::Leaf(number) => {
                assert_eq!(number, leaves, "{name}");
                let leaf = &page.leaves[number as usize];
                assert_eq!(Some(leaf.parent), open.last().copied(), "{name}");
                assert_eq!(leaf.in_anchor, anchors > 0, "{name}: leaf {number}");
                assert_eq!(hidden, 0, "{name}: leaf {number}");
                leaves += 1;
            }
            Event::Blank(_) | Event::Hidden => assert!(!open.is_empty(), "{name}"),
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} never end");
    assert_eq!(elements as usize, page.elements.len(), "{name}");
    assert_eq!(leaves as usize, page.leaves.len(), "{name}");
}

/// Blocks hold their leaves in order and nothing else; counts fit together.
fn check_segmentation(name: &str, page: &Page, segmentation: &Segmentation) {
    let Segmentation {
        blocks,
        block_of_leaf,
        unit,
        ..
    } = segmentation;
    assert_eq!(block_of_leaf.len(), page.leaves.len(), "{name}");
    let mut last = 0;
    let mut leaf_texts = vec![String::new(); blocks.len()];
    for (leaf, block) in (0..).zip(block_of_leaf) {
        let Some(block) = *block else { continue };
        assert!(block >= last, "{name}: leaf {leaf} goes back");
        last = block;
        leaf_texts[block as usize].extend(marks(page.leaf_text(leaf)));
    }
    for (number, (block, leaves)) in blocks.iter().zip(leaf_texts).enumerate() {
        let at = || format!("{name}, block {number}: {block:?}");
        let units = block.num_units(*unit);
        assert!(block.num_words <= block.num_tokens, "{}", at());
        assert!(block.num_linked_words <= units, "{}", at());
        assert!(block.num_lines >= 1, "{}", at());
        assert!(block.num_words_in_full_lines <= units, "{}", at());
        assert_eq!(block.num_words_in_full_lines > 0, units > 0, "{}", at());
        assert!((0.0..=1.0).contains(&block.link_density(*unit)), "{}", at());
        assert!(block.text_density() <= f64::from(units), "{}", at());
        assert!(marks(&block.text).eq(leaves.chars()), "{}", at());
    }
}

/// What neither segmenter takes for white space.
fn marks(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace() && *c > ' ')
}
