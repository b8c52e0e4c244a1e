//! The collapsed DOM (Web2Text §3.1): text nodes and the elements above them; an element with one child is one node with it.

use std::collections::HashMap;
use std::hash::Hash;

use trommel_page::{ElementId, Event, Page, Segmentation, Tag};

use super::text::Found;

/// A node: a chain of elements, each the only child of the one before, with what is in the last of them.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// The tags of the chain, from above.
    pub tags: Vec<Tag>,
    /// The number of the node above it.
    pub parent: Option<usize>,
    /// How many nodes are above it.
    depth: usize,
    /// What the text of all its leaves is like.
    pub found: Found,
    /// Where its first leaf begins and its last one ends.
    pub start: usize,
    pub end: usize,
    /// Is there an input, select, textarea or button in it?
    pub has_form_element: bool,
}

/// The collapsed tree of a page's blocks.
#[derive(Debug, Default)]
pub struct Collapsed {
    /// The root first; a parent stands before its children.
    pub nodes: Vec<Node>,
    /// For each block its node.
    pub leaves: Vec<usize>,
    /// For each block what its text is like.
    pub own: Vec<Found>,
    /// For each block where its leaf begins in the source.
    pub starts: Vec<usize>,
    /// For each block whether a line break stands before it.
    pub breaks: Vec<bool>,
    /// For each block the number of the path of tags and classes above it.
    pub class_paths: Vec<u32>,
}

/// How often each value stands among these.
pub fn counts<T: Eq + Hash>(values: impl Iterator<Item = T>) -> HashMap<T, u32> {
    let mut counts = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts
}

impl Collapsed {
    /// The tree above the first leaves of the blocks.
    pub fn of(page: &Page, segmentation: &Segmentation) -> Collapsed {
        let mut first_leaf: Vec<Option<usize>> = vec![None; segmentation.blocks.len()];
        for (leaf, block) in segmentation.block_of_leaf.iter().enumerate() {
            if let Some(block) = block {
                first_leaf[*block as usize].get_or_insert(leaf);
            }
        }
        let mut tree = Collapsed::default();
        let places = tree.walk(page, segmentation, &first_leaf);
        let parents: Vec<ElementId> = first_leaf
            .iter()
            .map(|leaf| leaf.map_or(0, |leaf| page.leaves[leaf].parent))
            .collect();
        let (children, root) = children(page, &parents);
        let Some(root) = root else {
            return tree;
        };
        let node_of = tree.collapse(page, &children, root);
        let paths = class_paths(page);
        for (number, block) in segmentation.blocks.iter().enumerate() {
            let parent = parents[number];
            // What stands outside of the body, which nothing does, would hang on the root.
            let above = node_of[parent as usize].unwrap_or(0);
            let node = match children[parent as usize] {
                1 => above,
                _ => tree.push(Some(above)),
            };
            let in_anchor = first_leaf[number].is_some_and(|leaf| page.leaves[leaf].in_anchor);
            let found = Found::of(&block.text, in_anchor);
            let (start, end) = places[number];
            tree.leaves.push(node);
            tree.own.push(found);
            tree.starts.push(start);
            tree.class_paths.push(paths[parent as usize]);
            (tree.nodes[node].start, tree.nodes[node].end) = (start, end);
            tree.nodes[node].found = found;
        }
        tree.sum_up();
        for (id, element) in (0..).zip(&page.elements) {
            if matches!(
                element.tag,
                Tag::Input | Tag::Select | Tag::Textarea | Tag::Button
            ) {
                let around = page.ancestors(id).find_map(|above| node_of[above as usize]);
                if let Some(node) = around {
                    tree.nodes[node].has_form_element = true;
                }
            }
        }
        for number in (1..tree.nodes.len()).rev() {
            if let (true, Some(parent)) = (
                tree.nodes[number].has_form_element,
                tree.nodes[number].parent,
            ) {
                tree.nodes[parent].has_form_element = true;
            }
        }
        tree
    }

    fn push(&mut self, parent: Option<usize>) -> usize {
        self.nodes.push(Node {
            parent,
            depth: parent.map_or(0, |parent| self.nodes[parent].depth + 1),
            ..Node::default()
        });
        self.nodes.len() - 1
    }

    /// Notes where the blocks' leaves stand in a source without attributes, and the line breaks before them.
    fn walk(
        &mut self,
        page: &Page,
        segmentation: &Segmentation,
        first_leaf: &[Option<usize>],
    ) -> Vec<(usize, usize)> {
        let mut places = vec![(0, 0); segmentation.blocks.len()];
        self.breaks = vec![false; segmentation.blocks.len()];
        let (mut at, mut broken) = (0, false);
        for event in &page.events {
            match *event {
                // `<p>` and `</p>`.
                Event::Start(id) => {
                    at += page.tag(id).name().len() + 2;
                    broken |= breaks_line(page.tag(id));
                }
                Event::End(id) => {
                    at += page.tag(id).name().len() + 3;
                    broken |= breaks_line(page.tag(id));
                }
                Event::Leaf(leaf) => {
                    let leaf = leaf as usize;
                    let length = page.leaves[leaf].text.len();
                    let block = segmentation.block_of_leaf[leaf];
                    if let Some(block) = block.filter(|of| first_leaf[*of as usize] == Some(leaf)) {
                        places[block as usize] = (at, at + length);
                        self.breaks[block as usize] = broken;
                        broken = false;
                    }
                    at += length;
                }
                Event::Blank(_) => at += 1,
                Event::Hidden => {}
            }
        }
        places
    }

    /// Makes nodes of the elements with leaves in them. Gives the node of each element, if it is in one.
    fn collapse(&mut self, page: &Page, children: &[u32], root: ElementId) -> Vec<Option<usize>> {
        let mut node_of: Vec<Option<usize>> = vec![None; page.elements.len()];
        for (id, element) in (0..).zip(&page.elements) {
            if children[id as usize] == 0 {
                continue;
            }
            let parent = element.parent;
            let above = parent.and_then(|parent| Some((parent, node_of[parent as usize]?)));
            let node = match above {
                _ if id == root => self.push(None),
                // Above the root.
                None => continue,
                Some((parent, node)) if children[parent as usize] == 1 => node,
                Some((_, node)) => self.push(Some(node)),
            };
            self.nodes[node].tags.push(element.tag.clone());
            node_of[id as usize] = Some(node);
        }
        node_of
    }

    /// Adds the leaves' counts up, in their order.
    fn sum_up(&mut self) {
        for &leaf in &self.leaves {
            let Node {
                found, start, end, ..
            } = self.nodes[leaf];
            let mut above = self.nodes[leaf].parent;
            while let Some(number) = above {
                let node = &mut self.nodes[number];
                if node.found == Found::default() {
                    node.start = start;
                }
                node.found.append(&found);
                node.end = end;
                above = node.parent;
            }
        }
    }

    /// Where the first leaf begins.
    pub fn start(&self) -> usize {
        self.nodes.first().map_or(0, |root| root.start)
    }

    /// From the beginning of the first leaf to the end of the last.
    pub fn length(&self) -> usize {
        self.nodes.first().map_or(0, |root| root.end - root.start)
    }

    /// The first common ancestor of two leaves, and how many hops it is from one to the other by way of it.
    pub fn meeting(&self, mut a: usize, mut b: usize) -> (usize, usize) {
        let mut hops = 0;
        while a != b {
            let deeper = match self.nodes[a].depth >= self.nodes[b].depth {
                true => &mut a,
                false => &mut b,
            };
            match self.nodes[*deeper].parent {
                Some(parent) => *deeper = parent,
                None => break,
            }
            hops += 1;
        }
        (a, hops)
    }
}

/// For each element how many children it has that are leaves or have some in them; and the outermost body with any, or what stands
/// for it where there is none.
fn children(page: &Page, parents: &[ElementId]) -> (Vec<u32>, Option<ElementId>) {
    let mut children = vec![0; page.elements.len()];
    for &parent in parents {
        children[parent as usize] += 1;
    }
    for id in (0..page.elements.len()).rev() {
        if let (true, Some(parent)) = (children[id] > 0, page.elements[id].parent) {
            children[parent as usize] += 1;
        }
    }
    let is_live = |id: &ElementId| children[*id as usize] > 0;
    let live = || (0..page.elements.len() as ElementId).filter(is_live);
    let root = live().find(|id| *page.tag(*id) == Tag::Body);
    let root = root.or_else(|| live().next());
    (children, root)
}

/// For each element the number of its path of tags and classes (as sets) from the top.
fn class_paths(page: &Page) -> Vec<u32> {
    let mut numbers: HashMap<(u32, &str, Vec<&str>), u32> = HashMap::new();
    let mut paths: Vec<u32> = Vec::with_capacity(page.elements.len());
    for (id, element) in (0..).zip(&page.elements) {
        let above = element.parent.map_or(0, |parent| paths[parent as usize]);
        let mut classes: Vec<&str> = page.class(id).split_ascii_whitespace().collect();
        classes.sort_unstable();
        classes.dedup();
        let next = numbers.len() as u32 + 1;
        let number = numbers.entry((above, element.tag.name(), classes));
        paths.push(*number.or_insert(next));
    }
    paths
}

/// Does a line end where it begins or ends, in a page without styles?
fn breaks_line(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Address
            | Article
            | Aside
            | Blockquote
            | Body
            | Br
            | Caption
            | Center
            | Dd
            | Details
            | Dialog
            | Dir
            | Div
            | Dl
            | Dt
            | Fieldset
            | Figcaption
            | Figure
            | Footer
            | Form
            | H1
            | H2
            | H3
            | H4
            | H5
            | H6
            | Header
            | Hr
            | Legend
            | Li
            | Main
            | Menu
            | Nav
            | Ol
            | P
            | Pre
            | Section
            | Summary
            | Table
            | Tbody
            | Td
            | Tfoot
            | Th
            | Thead
            | Tr
            | Ul
            | Xmp
    )
}
