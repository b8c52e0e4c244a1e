//! The features of *Web2Text: Deep Structured Boilerplate Removal* (ECIR 2018, Appendix A): 128 of each text node, 25 of each pair
//! of neighbours, on the collapsed DOM.
//!
//! Values are not standardized ("zero mean and unit variance across the training set" is the learner's business); logarithms and
//! lengths are clipped as the appendix says. Binary features are 1 or 0.
//!
//! How its numbering is read, which overlaps in places; where it is silent the authors' program was looked at:
//!
//! - b21 and b22 are powers of b20 (the text says b25), b27 is b26 squared (the text says 17).
//! - b31–b47 are b6–b22 for the parent: 17 features, as they should be. log(n characters) is clipped at 10 there and not at 5.5, as in
//!   the program: most parents would be at the bound.
//! - b49–b69 is a row of 20 tags, and b69 is "has grandparent": so the tags are b49–b68. `ul` is named twice among them; both
//!   are kept, for without the second there would be 127 features.
//! - b70–b89 are b29–b48 for the grandparent (20), b90–b109 the same for the root, b110–b128 the 19 tags of the leaf.
//! - Of a parent or grandparent that is not there all features are 0.
//! - The edge features: tree distance 2, 3, 4, more; line break; b70–b89 of the first common ancestor.
//!
//! Deviations. The page no longer knows its source code: positions (b26, b29) are counted in a source without attributes, comments
//! and scripts. The stop list is the index's English one, as the paper does not print its own.

#[cfg(test)]
mod tests;
mod text;
mod tree;

use trommel_page::{Page, Segmentation, Tag};

use self::text::Found;
use self::tree::{Collapsed, Node};
use super::Frequencies;
use super::set::{Feature, Set, ratio};

pub(super) const SET: Set = Set {
    name: "web2text",
    summary: "text nodes with their parents in the collapsed tree (Web2Text, Appendix A)",
    segmenter: "leaf",
    features,
    counts_in_collection: false,
    measure,
};

pub(super) const EDGES: Set = Set {
    name: "web2text-edges",
    summary: "pairs of neighbours, a row for each block but the last (Web2Text §3.3)",
    segmenter: "leaf",
    features: edge_features,
    counts_in_collection: false,
    measure: measure_edges,
};

/// b6–b22: of the block, and as b31–b47 of its parent.
const TEXT: [(&str, &str); 17] = [
    ("avg_word_length", "characters, 3 to 15"),
    ("has_stopword", "1/0"),
    ("stopword_ratio", "share of words"),
    ("log_num_characters", "log of characters, from 2.5"),
    (
        "log_punctuation_ratio",
        "log of share of characters, -4 to -2.5",
    ),
    ("has_numeric", "1/0"),
    ("numeric_ratio", "share of characters"),
    ("log_avg_sentence_length", "log of characters, 2 to 5"),
    ("ends_with_punctuation", "1/0"),
    ("ends_with_question_mark", "1/0"),
    ("contains_copyright", "1/0"),
    ("contains_email", "1/0"),
    ("contains_url", "1/0"),
    ("contains_year", "1/0"),
    ("capital_ratio", "share of words"),
    ("capital_ratio_2", "share of words, squared"),
    ("capital_ratio_3", "share of words, cubed"),
];

/// b49–b68.
const PARENT_TAGS: [Tag; 20] = [
    Tag::Td,
    Tag::Div,
    Tag::P,
    Tag::Tr,
    Tag::Table,
    Tag::Body,
    Tag::Ul,
    Tag::Span,
    Tag::Li,
    Tag::Blockquote,
    Tag::B,
    Tag::Small,
    Tag::A,
    Tag::Ol,
    Tag::Ul,
    Tag::I,
    Tag::Form,
    Tag::Dl,
    Tag::Strong,
    Tag::Pre,
];

/// b110–b128.
const LEAF_TAGS: [Tag; 19] = [
    Tag::A,
    Tag::P,
    Tag::Td,
    Tag::B,
    Tag::Li,
    Tag::Span,
    Tag::I,
    Tag::Tr,
    Tag::Div,
    Tag::Strong,
    Tag::Em,
    Tag::H3,
    Tag::H2,
    Tag::Table,
    Tag::H4,
    Tag::Small,
    Tag::Sup,
    Tag::H1,
    Tag::Blockquote,
];

/// Bound of log(n characters) of a leaf, and of other nodes.
const LOG_CHARACTERS: (f64, f64) = (5.5, 10.0);

/// Names and units of b29–b48.
fn node_rows(prefix: &str) -> Vec<(String, &'static str)> {
    let mut rows = vec![
        (format!("{prefix}_body_percentage"), "share of the source"),
        (format!("{prefix}_link_density"), "share of characters"),
    ];
    rows.extend(TEXT.map(|(name, unit)| (format!("{prefix}_{name}"), unit)));
    rows.push((format!("{prefix}_contains_form_element"), "1/0"));
    rows
}

fn features() -> Vec<Feature> {
    let own = |name: &str, unit| (name.to_owned(), unit);
    let mut rows = vec![
        own("has_duplicate", "1/0"),
        own("has_10_duplicates", "1/0"),
        own("same_class_path_ratio", "share of blocks"),
        own("has_word", "1/0"),
        own("log_num_words", "log of words, 0 to 3.5"),
    ];
    rows.extend(TEXT.map(|(name, unit)| (name.to_owned(), unit)));
    rows.extend([
        own("contains_punctuation", "1/0"),
        own("num_punctuation", "characters"),
        own("has_multiple_sentences", "1/0"),
        own("relative_position", "share of the source"),
        own("relative_position_2", "share of the source, squared"),
        own("has_parent", "1/0"),
    ]);
    rows.extend(node_rows("parent"));
    let second_ul = |place: usize| if place == 14 { "_2" } else { "" };
    for (place, tag) in PARENT_TAGS.iter().enumerate() {
        rows.push((format!("parent_tag_{tag}{}", second_ul(place)), "1/0"));
    }
    rows.push(own("has_grandparent", "1/0"));
    rows.extend(node_rows("grandparent"));
    rows.extend(node_rows("root"));
    rows.extend(LEAF_TAGS.iter().map(|tag| (format!("tag_{tag}"), "1/0")));
    numbered("b", "Appendix A", rows)
}

fn edge_features() -> Vec<Feature> {
    let own = |name: &str| (name.to_owned(), "1/0");
    let mut rows = vec![
        own("tree_distance_2"),
        own("tree_distance_3"),
        own("tree_distance_4"),
        own("tree_distance_more"),
        own("line_break"),
    ];
    rows.extend(node_rows("common_ancestor"));
    numbered("e", "§3.3", rows)
}

fn numbered(letter: &str, source: &'static str, rows: Vec<(String, &'static str)>) -> Vec<Feature> {
    let rows = (1..).zip(rows);
    rows.map(|(number, (name, unit))| Feature {
        name: format!("{letter}{number}_{name}"),
        unit,
        source,
    })
    .collect()
}

fn binary(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// The features of [`TEXT`].
fn text_values(found: &Found, most_log_characters: f64) -> [f64; TEXT.len()] {
    let of = |count: u32, whole: u32| ratio(f64::from(count), f64::from(whole));
    let capitals = of(found.capitals, found.words);
    // A text that is none has one character, so that no logarithm is infinite.
    let characters = f64::from(found.characters.max(1));
    let punctuation = match found.punctuation {
        0 => -4.0,
        count => (f64::from(count) / characters).ln().clamp(-4.0, -2.5),
    };
    [
        of(found.letters_of_words, found.words).clamp(3.0, 15.0),
        binary(found.stop_words > 0),
        of(found.stop_words, found.words),
        characters.ln().clamp(2.5, most_log_characters),
        punctuation,
        binary(found.digits > 0),
        f64::from(found.digits) / characters,
        (characters / f64::from(found.sentences.max(1)))
            .ln()
            .clamp(2.0, 5.0),
        binary(found.ends_with_punctuation),
        binary(found.ends_with_question_mark),
        binary(found.has_copyright),
        binary(found.has_email),
        binary(found.has_url),
        binary(found.has_year),
        capitals,
        capitals.powi(2),
        capitals.powi(3),
    ]
}

/// b29–b48 of a node.
fn node_values(node: &Node, tree: &Collapsed) -> Vec<f64> {
    let found = &node.found;
    let mut values = vec![
        ratio((node.end - node.start) as f64, tree.length() as f64),
        ratio(
            f64::from(found.characters_in_links),
            f64::from(found.characters),
        ),
    ];
    values.extend(text_values(found, LOG_CHARACTERS.1));
    values.push(binary(node.has_form_element));
    values
}

/// The values of the node that was asked for last: neighbours mostly ask for the same.
#[derive(Default)]
struct LastNode {
    number: Option<usize>,
    values: Vec<f64>,
}

impl LastNode {
    fn values(&mut self, number: usize, tree: &Collapsed) -> &[f64] {
        if self.number != Some(number) {
            self.number = Some(number);
            self.values = node_values(&tree.nodes[number], tree);
        }
        &self.values
    }
}

fn measure(
    page: &Page,
    segmentation: &Segmentation,
    _: &Frequencies,
    each: &mut dyn FnMut(&[f64]),
) {
    let tree = Collapsed::of(page, segmentation);
    let same_text = tree::counts(segmentation.blocks.iter().map(|block| block.text.as_str()));
    let same_path = tree::counts(tree.class_paths.iter().copied());
    let root = tree.nodes.first().map(|root| node_values(root, &tree));
    let absent = vec![0.0; TEXT.len() + 3];
    let (mut of_parent, mut of_grandparent) = (LastNode::default(), LastNode::default());
    let mut row: Vec<f64> = Vec::new();
    for (number, block) in segmentation.blocks.iter().enumerate() {
        let leaf = &tree.nodes[tree.leaves[number]];
        let found = &tree.own[number];
        let start = (tree.starts[number] - tree.start()) as f64;
        let position = ratio(start, tree.length() as f64);
        let copies = same_text.get(block.text.as_str()).copied().unwrap_or(0);
        let path = same_path
            .get(&tree.class_paths[number])
            .copied()
            .unwrap_or(0);
        row.clear();
        row.extend([
            binary(copies > 1),
            binary(copies > 10),
            f64::from(path) / segmentation.blocks.len() as f64,
            binary(found.words > 0),
            f64::from(found.words.max(1)).ln().clamp(0.0, 3.5),
        ]);
        row.extend(text_values(found, LOG_CHARACTERS.0));
        row.extend([
            binary(found.punctuation > 0),
            f64::from(found.punctuation),
            binary(found.sentences > 1),
            position,
            position.powi(2),
        ]);
        let of_ancestor = |ancestor: Option<usize>, last: &mut LastNode, row: &mut Vec<f64>| {
            row.push(binary(ancestor.is_some()));
            row.extend_from_slice(match ancestor {
                None => &absent,
                Some(number) => last.values(number, &tree),
            });
        };
        of_ancestor(leaf.parent, &mut of_parent, &mut row);
        let parent = leaf.parent.map(|number| &tree.nodes[number]);
        let has = |node: Option<&Node>, tag: &Tag| node.is_some_and(|of| of.tags.contains(tag));
        row.extend(PARENT_TAGS.iter().map(|tag| binary(has(parent, tag))));
        let grandparent = parent.and_then(|parent| parent.parent);
        of_ancestor(grandparent, &mut of_grandparent, &mut row);
        row.extend(root.as_ref().unwrap_or(&absent));
        row.extend(LEAF_TAGS.iter().map(|tag| binary(has(Some(leaf), tag))));
        each(&row);
    }
}

fn measure_edges(
    page: &Page,
    segmentation: &Segmentation,
    _: &Frequencies,
    each: &mut dyn FnMut(&[f64]),
) {
    let tree = Collapsed::of(page, segmentation);
    let mut of_ancestor = LastNode::default();
    let mut row: Vec<f64> = Vec::new();
    for (number, pair) in tree.leaves.windows(2).enumerate() {
        let (ancestor, distance) = tree.meeting(pair[0], pair[1]);
        row.clear();
        row.extend([
            binary(distance == 2),
            binary(distance == 3),
            binary(distance == 4),
            binary(distance > 4),
            binary(tree.breaks[number + 1]),
        ]);
        row.extend_from_slice(of_ancestor.values(ancestor, &tree));
        each(&row);
    }
}
