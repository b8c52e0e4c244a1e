//! What jusText looks at in a paragraph.

use trommel_page::{LeafId, Page, Segmentation, Tag};
use trommel_text::tokens_of_white_space;

use super::StopList;

/// What jusText looks at in a paragraph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// Characters of its text.
    pub length: u64,
    /// Characters of its text nodes inside anchors, each with its outer spaces: there can be more of them than of the text.
    pub chars_in_links: u64,
    /// Words, delimited by white space.
    pub words: u64,
    /// Words in the stop list.
    pub stop_words: u64,
    /// Whether it stands inside a heading.
    pub heading: bool,
    /// Whether its text holds a copyright sign, or a reference to it that was not resolved.
    pub copyright: bool,
    /// Whether it stands inside an element with `select` in its name.
    pub select: bool,
}

/// Measures the blocks of a segmentation as jusText measures its paragraphs.
pub fn paragraphs(
    page: &Page,
    segmentation: &Segmentation,
    stop_list: &StopList,
) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = segmentation
        .blocks
        .iter()
        .map(|block| of_text(&block.text, stop_list))
        .collect();
    let context = Context::of(page);
    let mut seen = vec![false; paragraphs.len()];
    for (leaf, block) in segmentation.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let paragraph = &mut paragraphs[*block as usize];
        let parent = page.leaves[leaf].parent as usize;
        if !std::mem::replace(&mut seen[*block as usize], true) {
            paragraph.heading = context.in_heading[parent];
            paragraph.select = context.in_select[parent];
        }
        if page.leaves[leaf].in_anchor {
            paragraph.chars_in_links += normal_length(page.leaf_text(leaf as LeafId));
        }
    }
    paragraphs
}

fn of_text(text: &str, stop_list: &StopList) -> Paragraph {
    let mut paragraph = Paragraph {
        length: text.chars().count() as u64,
        // core.py: '\xa9' in text or '&copy' in text.
        copyright: text.contains('\u{a9}') || text.contains('&') && text.contains("&copy"),
        ..Paragraph::default()
    };
    for word in tokens_of_white_space(text) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        paragraph.words += 1;
        paragraph.stop_words += u64::from(stop_list.contains_at(text, start, word.len()));
    }
    paragraph
}

/// Characters of a text in which each run of white space is one.
fn normal_length(text: &str) -> u64 {
    if text.is_ascii() && !text.bytes().any(|b| b < b' ') && !text.contains("  ") {
        return text.len() as u64;
    }
    let mut after_space = false;
    let mut length = 0;
    for c in text.chars() {
        let space = c.is_whitespace();
        length += u64::from(!(space && after_space));
        after_space = space;
    }
    length
}

/// For each element of a page, in what it stands.
struct Context {
    in_heading: Vec<bool>,
    in_select: Vec<bool>,
}

impl Context {
    /// A parent stands before its children, so that one pass will do.
    fn of(page: &Page) -> Context {
        let mut context = Context {
            in_heading: Vec::with_capacity(page.elements.len()),
            in_select: Vec::with_capacity(page.elements.len()),
        };
        for element in &page.elements {
            let outer = |flags: &[bool]| element.parent.is_some_and(|id| flags[id as usize]);
            let heading = outer(&context.in_heading) || is_heading(&element.tag);
            let select = outer(&context.in_select) || is_select(&element.tag);
            context.in_heading.push(heading);
            context.in_select.push(select);
        }
        context
    }
}

/// `paragraph.py`: `\bh\d\b` in the path of names.
fn is_heading(tag: &Tag) -> bool {
    use Tag::*;
    match tag {
        H1 | H2 | H3 | H4 | H5 | H6 => true,
        Other(name) => matches!(name.as_bytes(), [b'h', digit] if digit.is_ascii_digit()),
        _ => false,
    }
}

fn is_select(tag: &Tag) -> bool {
    match tag {
        Tag::Select => true,
        Tag::Other(name) => name.contains("select"),
        _ => false,
    }
}
