//! Unfluff (A. Geitgey, 2014; 3.2.0), the port to node of Goose's content extraction, which Web2Text compares with: the element whose paragraphs have the most
//! stop words, and what of it looks like text.
//!
//! 1. The page is cleaned (`unfluff/clean.rs`): elements that are named like advertisements and such go, `div` and `span` become paragraphs.
//! 2. Each paragraph or cell with more than two stop words and not too many links gives its stop words, and a boost if there is text before it, to its parent, and
//!    half of it to its grandparent; paragraphs at the end of a long page lose (`best`). The element with the most is taken.
//! 3. Paragraphs of the elements before it that have enough stop words are added; what in it has many links, no paragraphs or few points is removed (`tidied`).
//! 4. Elements with fewer than three stop words, or whose text stands in brackets, go (`formatted`).
//!
//! What is left of the text nodes is content. The rules are those of the program as it runs, slips of its authors included: a paragraph directly
//! before the element is lost (it becomes `[object Object]`), the third step is done twice, and words are parted by single spaces alone.
//!
//! Deviations. The tree is the HTML standard's where the original's parser has rules of its own (`tbody` is in every table, for one); names of elements are
//! not known (`name=` counts there as `id` and `class` do); the stop list is the English one, whatever the language. White space text nodes are their line feeds, or
//! else one space. `stop_words.txt` is the SMART system's list (Salton and Buckley) as Goose has it.

mod clean;
mod texts;
mod tree;

use std::collections::HashMap;

use trommel_page::{Segmentation, Tag};

use self::clean::cleaned;
use self::texts::Texts;
use self::tree::{NodeId, Step, Tree};
use crate::{ExtractorRow, Label, Make, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "unfluff",
    summary: "the element whose paragraphs have the most stop words (Unfluff, after Goose)",
    source: "Unfluff 3.2.0 (Geitgey 2014)",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(&[]),
    make: Make::Labels(|_| Ok(Box::new(label))),
};

fn label(subject: &Subject, segmentation: &Segmentation) -> Vec<Label> {
    let mut labels = vec![Label::Boilerplate; segmentation.blocks.len()];
    let mut tree = cleaned(subject.page);
    let Some((top, mut scores)) = best(&tree) else {
        return labels;
    };
    // Once for the links that it lists, once for the text.
    tidied(&mut tree, top, &mut scores);
    tidied(&mut tree, top, &mut scores);
    for leaf in formatted(&mut tree, top, &scores) {
        let block = segmentation.block_of_leaf.get(leaf as usize);
        if let Some(Some(block)) = block {
            labels[*block as usize] = Label::Content;
        }
    }
    labels
}

/// Points of elements that have some.
type Scores = HashMap<NodeId, f64>;

/// JavaScript's `parseInt` of a number's text.
fn whole(score: f64) -> f64 {
    score.trunc()
}

/// `calculateBestNode`: the element with the most points, and all points.
fn best(tree: &Tree) -> Option<(NodeId, Scores)> {
    let texts = Texts::of(tree, Tree::ROOT);
    let is_candidate = |id: &NodeId| matches!(tree.tag(*id), Some(Tag::P | Tag::Pre | Tag::Td));
    let texty: Vec<NodeId> = tree
        .below(Tree::ROOT)
        .into_iter()
        .filter(is_candidate)
        .filter(|id| texts.stop_words(*id) > 2 && !texts.has_many_links(*id))
        .collect();
    let before = paragraphs_before(tree);
    let number = texty.len() as f64;
    let at_the_end = number * 0.25;
    let mut starting_boost = 1.0;
    let mut scores = Scores::new();
    let mut parents: Vec<NodeId> = Vec::new();
    for (at, node) in texty.iter().enumerate() {
        let mut boost = 0.0;
        if is_boostable(*node, &before, &texts) {
            boost = 50.0 / starting_boost;
            starting_boost += 1.0;
        }
        let left = number - at as f64;
        if number > 15.0 && left <= at_the_end {
            boost = -(at_the_end - left).powi(2);
            if boost.abs() > 40.0 {
                boost = 5.0;
            }
        }
        let points = (f64::from(texts.stop_words(*node)) + boost).floor();
        let mut add = |id: NodeId, points: f64| {
            if !scores.contains_key(&id) {
                parents.push(id);
            }
            let score = scores.entry(id).or_insert(0.0);
            *score = whole(*score) + points;
        };
        if let Some(parent) = tree.parent(*node) {
            add(parent, points);
            if let Some(grandparent) = tree.parent(parent) {
                add(grandparent, points / 2.0);
            }
        }
    }
    let mut top = *parents.first()?;
    let mut most = 0.0;
    for parent in parents {
        let score = whole(scores[&parent]);
        if score > most {
            (top, most) = (parent, score);
        }
    }
    Some((top, scores))
}

/// For each paragraph the one before it among its siblings.
fn paragraphs_before(tree: &Tree) -> HashMap<NodeId, NodeId> {
    let mut before = HashMap::new();
    let mut all = tree.below(Tree::ROOT);
    all.push(Tree::ROOT);
    for id in all {
        let mut last = None;
        for child in tree.children(id) {
            if let Some(last) = last {
                before.insert(child, last);
            }
            if tree.tag(child) == Some(&Tag::P) {
                last = Some(child);
            }
        }
    }
    before
}

/// Has one of the three paragraphs before it more than five stop words?
fn is_boostable(node: NodeId, before: &HashMap<NodeId, NodeId>, texts: &Texts) -> bool {
    let paragraphs = std::iter::successors(before.get(&node), |it| before.get(it));
    let mut nearest = paragraphs.take(3);
    nearest.any(|it| texts.stop_words(*it) > 5)
}

/// `postCleanup`.
fn tidied(tree: &mut Tree, top: NodeId, scores: &mut Scores) {
    let texts = Texts::of(tree, Tree::ROOT);
    let paragraphs = |id: NodeId| -> Vec<NodeId> {
        let below = tree.below(id).into_iter();
        below.filter(|it| tree.tag(*it) == Some(&Tag::P)).collect()
    };
    let (mut number, mut sum) = (0u32, 0u32);
    for paragraph in paragraphs(top) {
        let stop_words = texts.stop_words(paragraph);
        if stop_words > 2 && !texts.has_many_links(paragraph) {
            number += 1;
            sum += stop_words;
        }
    }
    let baseline = match number {
        0 => 100_000.0,
        number => f64::from(sum) / f64::from(number),
    };
    let mut added = Vec::new();
    if let Some(parent) = tree.parent(top) {
        let siblings = tree.children(parent);
        let before = siblings.take_while(|it| *it != top);
        for sibling in before.filter(|it| tree.tag(*it).is_some()) {
            if tree.tag(sibling) == Some(&Tag::P) {
                continue;
            }
            let good = paragraphs(sibling).into_iter().filter(|paragraph| {
                baseline * 0.3 < f64::from(texts.stop_words(*paragraph))
                    && !texts.has_many_links(*paragraph)
            });
            added.extend(good);
        }
    }
    let threshold = whole(scores.get(&top).copied().unwrap_or(0.0)) * 0.08;
    let mut removed = Vec::new();
    for child in tree.children(top) {
        let keeps = match tree.tag(child) {
            None | Some(Tag::P | Tag::A) => continue,
            Some(Tag::Td | Tag::Ul | Tag::Ol) => Keeps::Always,
            Some(Tag::Blockquote) => Keeps::WithParagraphs,
            Some(_) => Keeps::WithPoints,
        };
        if texts.has_many_links(child) {
            removed.push(child);
            continue;
        }
        // Short paragraphs go, with what is in them; is one left?
        let mut has_paragraphs = false;
        let mut inside_short = 0;
        let is_short = |id| tree.tag(id) == Some(&Tag::P) && texts.length(id) < 25;
        tree.walk(child, &mut |step| match step {
            Step::Open(id) if id != child && is_short(id) => {
                inside_short += 1;
                removed.push(id);
            }
            Step::Open(id) => {
                let own = id != child && tree.tag(id) == Some(&Tag::P);
                has_paragraphs |= own && inside_short == 0;
            }
            Step::Close(id) if id != child && is_short(id) => inside_short -= 1,
            Step::Close(_) => {}
        });
        let points = whole(scores.get(&child).copied().unwrap_or(0.0));
        let stays = match keeps {
            Keeps::Always => true,
            Keeps::WithParagraphs => has_paragraphs,
            Keeps::WithPoints => has_paragraphs && points >= threshold,
        };
        if !stays {
            removed.push(child);
        }
    }
    for id in removed {
        tree.remove(id);
    }
    let copies = added.into_iter().rev().map(|it| tree.text_copy(it));
    let copies = copies.collect();
    tree.prepend(top, copies);
}

/// What a child of the element needs to stay.
enum Keeps {
    Always,
    WithParagraphs,
    WithPoints,
}

/// `formatter`: the leaves that are left.
fn formatted(tree: &mut Tree, top: NodeId, scores: &Scores) -> Vec<u32> {
    for id in tree.below(top) {
        if scores.get(&id).is_some_and(|score| whole(*score) < 1.0) {
            tree.remove(id);
        }
    }
    tree.unwrap_below(top, |tag| {
        matches!(tag, Tag::A | Tag::B | Tag::Strong | Tag::I | Tag::Sup)
    });
    let texts = Texts::of(tree, top);
    for id in tree.below(top) {
        if tree.tag(id).is_none() || tree.tag(id) == Some(&Tag::Br) {
            continue;
        }
        let few = texts.stop_words(id) < 3 && !texts.has_object(id);
        if few || texts.is_in_brackets(id) {
            tree.remove(id);
        }
    }
    tree.leaves(top)
}

#[cfg(test)]
mod tests {
    use crate::removers::tests::{UNFLUFF, each};

    /// What the original leaves of 24 pages is the text of the same text nodes: each of ours stands there, and when all are taken out, nothing is left. (The
    /// original has text of links twice, paragraphs of other elements in another order, and words without a space between elements.)
    #[test]
    fn as_the_original() {
        let mut same = 0;
        each(UNFLUFF, "unfluff", |name, found, expected| {
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let mut rest = squeezed(expected);
            let mut found: Vec<String> = found.into_iter().map(squeezed).collect();
            // Long ones first, since short ones may stand in them.
            found.sort_by_key(|text| std::cmp::Reverse((text.len(), text.clone())));
            found.dedup();
            for text in found {
                assert!(rest.contains(&text), "{name}: only ours: {text}");
                rest = rest.replace(&text, "\u{1}");
            }
            let rest = rest.trim_matches(['\u{1}', '*']);
            assert!(
                !rest.contains(char::is_alphanumeric),
                "{name}: only theirs: {rest}"
            );
            same += 1;
        });
        assert_eq!(same, 24);
    }
}
