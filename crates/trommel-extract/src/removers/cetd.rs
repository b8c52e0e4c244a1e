//! CETD, content extraction via text density (Sun, Song and Liao, *DOM Based Content Extraction via Text Density*, SIGIR 2011): elements of the tree with much
//! text a tag and little of it in links.
//!
//! Of each element are counted the characters C, the tags below it T, and how many of both stand in links, LC and LT; LCb and Cb are those of the
//! body. Its composite text density (Equation 4 of the paper, as the authors' program computes it) is
//!
//! C/T · ln(C·T / (LC·LT)) / ln(ln(C·LC/(C − LC) + LCb/Cb·C + e)),
//!
//! counts of 0 being taken for 1, and 0 without characters. The density sum of an element is that of its children's densities, with stretches of text
//! between the children counting as children. The threshold is the least density on the way from the element of the greatest density sum to
//! the body. From the body down, in each element of at least the threshold, the element of the greatest density sum below it is content whole;
//! text that stands directly in an element around content stays too.
//!
//! The text of the paper was not to be had; all rules are those of the authors' program (`ContentExtraction`, 2011), which runs in a
//! browser. `tests.rs` says how its output was made that the tests compare with.
//!
//! Deviations. Characters are those of the leaves, runs of white space being one character and none at the ends of a leaf, where the program measures the
//! text that the browser lays out. What the browser does not show by its own style sheet is left out (script, style, head, noscript …);
//! what a page's style hides is not known here. Where a body has no links the program divides by ln ln e = 0 for a stretch of text, and
//! each such stretch outweighs all: here the stretch is measured as an element without links would be, with 1 for LC/(C − LC)·C.
//! A text node that is content makes its block content.

use trommel_page::{ElementId, Event, Page, Segmentation, Tag};

use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "cetd",
    summary: "elements with much text a tag, little of it in links (CETD)",
    source: "Sun, Song and Liao 2011",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(subject: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let page = subject.page;
    let mut labels = vec![Label::Boilerplate; segmentation.blocks.len()];
    let Some(kept) = kept(page) else {
        return labels;
    };
    for (leaf, block) in page.leaves.iter().zip(&segmentation.block_of_leaf) {
        if let Some(block) = block
            && kept[leaf.parent as usize]
        {
            labels[*block as usize] = Label::Content;
        }
    }
    labels
}

/// What is known of an element.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    characters: u64,
    tags: u64,
    link_characters: u64,
    link_tags: u64,
    density: f64,
    density_sum: f64,
    /// The greatest density sum of it and what is below, and the first element that has it.
    most: (f64, ElementId),
}

/// For each element whether text that stands directly in it is content; none if the page has no body.
fn kept(page: &Page) -> Option<Vec<bool>> {
    let body = page.elements.iter().position(|it| it.tag == Tag::Body)?;
    let tree = Tree::of(page, body);
    let mut counts = tree.counts();
    tree.densities(&mut counts);
    let mut marks = vec![Mark::None; page.elements.len()];
    let target = counts[body].most.1;
    let mut threshold = counts[target as usize].density;
    for id in tree.around(target) {
        threshold = threshold.min(counts[id as usize].density);
    }
    tree.mark(target, &mut marks);
    // Children come after their parents, so that one pass goes from the body down.
    let mut looked_at = vec![false; page.elements.len()];
    for id in tree.shown() {
        let parent = page.elements[id as usize].parent;
        let reached = id as usize == body || parent.is_some_and(|it| looked_at[it as usize]);
        if reached
            && marks[id as usize] != Mark::Whole
            && counts[id as usize].density - threshold > -f64::EPSILON
        {
            looked_at[id as usize] = true;
            let target = counts[id as usize].most.1;
            if marks[target as usize] != Mark::Whole {
                tree.mark(target, &mut marks);
            }
        }
    }
    Some(marks.into_iter().map(|mark| mark != Mark::None).collect())
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    None,
    /// Content is below it.
    Around,
    /// All of it is content.
    Whole,
}

/// The elements of the body that are shown.
struct Tree<'a> {
    page: &'a Page,
    body: usize,
    shown: Vec<bool>,
    /// For each element the number of the first one behind it that is not below it.
    end: Vec<ElementId>,
}

impl<'a> Tree<'a> {
    fn of(page: &'a Page, body: usize) -> Self {
        let mut shown = vec![false; page.elements.len()];
        let mut end = vec![0; page.elements.len()];
        for (id, element) in page.elements.iter().enumerate() {
            let inside = element.parent.is_some_and(|parent| shown[parent as usize]);
            shown[id] = id == body || inside && !is_hidden(&element.tag);
        }
        for (id, element) in page.elements.iter().enumerate().rev() {
            end[id] = end[id].max(id as ElementId + 1);
            if let Some(parent) = element.parent {
                end[parent as usize] = end[parent as usize].max(end[id]);
            }
        }
        Tree {
            page,
            body,
            shown,
            end,
        }
    }

    /// The shown elements in document order.
    fn shown(&self) -> impl DoubleEndedIterator<Item = ElementId> {
        let all = self.body..self.page.elements.len();
        all.filter(|id| self.shown[*id]).map(|id| id as ElementId)
    }

    /// The elements around one, up to the body.
    fn around(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        let around = self.page.ancestors(id).skip(1);
        around.take_while(|id| self.shown[*id as usize])
    }

    fn parent(&self, id: ElementId) -> Option<usize> {
        let parent = self.page.elements[id as usize].parent? as usize;
        self.shown[parent].then_some(parent)
    }

    fn mark(&self, target: ElementId, marks: &mut [Mark]) {
        for id in target..self.end[target as usize] {
            if self.shown[id as usize] {
                marks[id as usize] = Mark::Whole;
            }
        }
        for id in self.around(target) {
            // Whatever is around an element around content is one as well.
            if marks[id as usize] == Mark::Around {
                break;
            }
            marks[id as usize] = Mark::Around;
        }
    }

    fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.page.elements.len()];
        for leaf in &self.page.leaves {
            if self.shown[leaf.parent as usize] {
                let characters = length(&self.page.text[leaf.text.clone()]);
                counts[leaf.parent as usize].characters += characters;
            }
        }
        // From the last element to the first: what is below is known.
        for id in self.shown().rev() {
            let mut own = counts[id as usize];
            let is_link = is_link(&self.page.elements[id as usize].tag);
            if is_link {
                own.link_characters = own.characters;
                own.link_tags = own.tags;
                counts[id as usize] = own;
            }
            let Some(parent) = self.parent(id) else {
                continue;
            };
            let all_links = own.link_tags == own.tags
                && own.characters == own.link_characters
                && own.link_tags != 0;
            let parent = &mut counts[parent];
            parent.characters += own.characters;
            parent.tags += own.tags + 1;
            parent.link_characters += own.link_characters;
            parent.link_tags += own.link_tags + u64::from(is_link || all_links);
        }
        // All characters inside a link are linked.
        for id in self.shown() {
            let in_link = self.around(id).next().is_some_and(|parent| {
                let parent = parent as usize;
                is_link(&self.page.elements[parent].tag) || counts[parent].density < 0.0
            });
            if in_link {
                counts[id as usize].link_characters = counts[id as usize].characters;
                // Noted here until densities are computed: inside a link.
                counts[id as usize].density = -1.0;
            }
        }
        counts
    }

    /// Densities, their sums, and the greatest of these.
    fn densities(&self, counts: &mut [Counts]) {
        let body = counts[self.body];
        let ratio = body.link_characters as f64 / body.characters.max(1) as f64;
        for id in self.shown() {
            counts[id as usize].density = density(&counts[id as usize], ratio);
        }
        self.text_between(counts, ratio);
        let mut has_children = vec![false; counts.len()];
        for id in self.shown().rev() {
            if !has_children[id as usize] {
                // The sum of an element without elements is its density.
                counts[id as usize].density_sum = counts[id as usize].density;
            }
            if let Some(parent) = self.parent(id) {
                has_children[parent] = true;
                counts[parent].density_sum += counts[id as usize].density;
            }
        }
        for id in self.shown().rev() {
            let own = &mut counts[id as usize];
            // The first in the document of several: what comes from below is kept only if it is greater.
            if own.most.0 - own.density_sum <= f64::EPSILON || own.most.1 == 0 {
                own.most = (own.density_sum, id);
            }
            let most = own.most;
            if let Some(parent) = self.parent(id) {
                let parent = &mut counts[parent];
                if parent.most.1 == 0 || most.0 >= parent.most.0 {
                    parent.most = most;
                }
            }
        }
    }

    /// Adds the weights of stretches of text between the elements in an element to its density sum.
    fn text_between(&self, counts: &mut [Counts], ratio: f64) {
        // For each open element the text since its last child.
        let mut open: Vec<(ElementId, u64)> = Vec::new();
        for event in &self.page.events {
            match *event {
                Event::Start(id) => {
                    if self.shown[id as usize] {
                        if let Some((outer, text)) = open.last_mut() {
                            counts[*outer as usize].density_sum += weight(*text, ratio);
                            *text = 0;
                        }
                        open.push((id, 0));
                    }
                }
                Event::End(id) => {
                    if self.shown[id as usize]
                        && let Some((id, text)) = open.pop()
                    {
                        counts[id as usize].density_sum += weight(text, ratio);
                    }
                }
                Event::Leaf(leaf) => {
                    let parent = self.page.leaves[leaf as usize].parent;
                    if let Some((id, text)) = open.last_mut()
                        && *id == parent
                    {
                        *text += length(self.page.leaf_text(leaf));
                    }
                }
                Event::Blank(_) | Event::Hidden => {}
            }
        }
    }
}

/// What a browser's own style sheet does not show.
fn is_hidden(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Head | Script
            | Style
            | Template
            | Noscript
            | Link
            | Meta
            | Title
            | Base
            | Param
            | Area
            | Noframes
    )
}

fn is_link(tag: &Tag) -> bool {
    matches!(tag, Tag::A | Tag::Button | Tag::Select)
}

/// Characters of a text, runs of white space being one, and none at its ends.
fn length(text: &str) -> u64 {
    let words = text.split_whitespace();
    let lengths = words.map(|word| word.chars().count() as u64 + 1);
    lengths.sum::<u64>().saturating_sub(1)
}

fn density(of: &Counts, ratio: f64) -> f64 {
    if of.characters == 0 {
        return 0.0;
    }
    let number = |count: u64| count.max(1) as f64;
    let characters = of.characters as f64;
    let (tags, links, link_tags) = (
        number(of.tags),
        number(of.link_characters),
        number(of.link_tags),
    );
    let others = number(of.characters - of.link_characters.min(of.characters));
    let base = characters * links / others + ratio * characters + std::f64::consts::E;
    characters / tags * (characters * tags / (links * link_tags)).ln() / base.ln().ln()
}

/// What a stretch of text between elements counts.
fn weight(characters: u64, ratio: f64) -> f64 {
    if characters == 0 {
        return 0.0;
    }
    let characters = characters as f64;
    let linked = if ratio > 0.0 { ratio * characters } else { 1.0 };
    characters * characters.ln() / (linked + std::f64::consts::E).ln().ln()
}

#[cfg(test)]
mod tests {
    use crate::removers::tests::{CETD, each};

    /// The text that the authors' program leaves of 24 pages, word for word.
    #[test]
    fn as_the_authors_program() {
        let mut same = 0;
        each(CETD, "cetd", |name, found, expected| {
            let found: Vec<&str> = found.iter().flat_map(|it| it.split_whitespace()).collect();
            let expected: Vec<&str> = expected.split_whitespace().collect();
            assert_eq!(found, expected, "{name}");
            same += 1;
        });
        assert_eq!(same, 24);
    }
}
