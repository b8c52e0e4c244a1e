//! Stop words and links of the elements of a tree, in time that does not depend on how deep they are.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use trommel_page::Tag;

use super::tree::{Kind, NodeId, Step, Tree};

/// The text of a tree and where each node's stands in it.
pub(super) struct Texts {
    text: String,
    /// For each node: its text, the links before its beginning and its end, and whether an object is in it.
    of: HashMap<NodeId, Place>,
    /// Where single spaces stand.
    spaces: Vec<usize>,
    /// For each space the stop words that end there or before; the first word is none of them.
    stop_words: Vec<u32>,
    /// Words of the links, added up: for each link that ends the words of all until there.
    link_words: Vec<u64>,
}

#[derive(Debug, Clone, Default)]
struct Place {
    text: Range<usize>,
    links: Range<usize>,
    objects: u32,
}

/// A longer word is no stop word.
const LONGEST: usize = 200;

impl Texts {
    pub fn of(tree: &Tree, root: NodeId) -> Texts {
        let mut text = String::new();
        let mut of: HashMap<NodeId, Place> = HashMap::new();
        let mut links: Vec<Range<usize>> = Vec::new();
        let (mut objects, mut num_links) = (0u32, 0);
        tree.walk(root, &mut |step| match step {
            Step::Open(id) => {
                let place = Place {
                    text: text.len()..0,
                    links: num_links..0,
                    objects,
                };
                of.insert(id, place);
                match tree.kind(id) {
                    Kind::Text(own, _) => text.push_str(own),
                    Kind::Element(Tag::Object | Tag::Embed) => objects += 1,
                    // Line breaks are two line feeds when text is formatted, and nothing before; neither parts words.
                    Kind::Element(Tag::A) => {
                        num_links += 1;
                        links.push(text.len()..0);
                    }
                    Kind::Element(_) => {}
                }
            }
            Step::Close(id) => {
                if let Some(place) = of.get_mut(&id) {
                    place.text.end = text.len();
                    if tree.tag(id) == Some(&Tag::A) {
                        links[place.links.start].end = text.len();
                        // A link is no link of its own.
                        place.links.start += 1;
                    }
                    place.links.end = num_links;
                    let own = matches!(tree.tag(id), Some(Tag::Object | Tag::Embed));
                    place.objects = objects - place.objects - u32::from(own);
                }
            }
        });
        let mut texts = Texts {
            spaces: text.match_indices(' ').map(|(at, _)| at).collect(),
            text,
            of,
            stop_words: Vec::new(),
            link_words: vec![0],
        };
        let (mut sum, mut last) = (0, None);
        for at in &texts.spaces {
            if let Some(last) = last {
                sum += u32::from(is_stop_word(&texts.text[last + 1..*at]));
            }
            texts.stop_words.push(sum);
            last = Some(*at);
        }
        for link in links {
            let words = texts.spaces_in(&link).len() as u64 + 1;
            let before = texts.link_words.last().copied().unwrap_or(0);
            texts.link_words.push(before + words);
        }
        texts
    }

    fn place(&self, id: NodeId) -> Place {
        self.of.get(&id).cloned().unwrap_or_default()
    }

    /// The numbers of the spaces in a stretch of text.
    fn spaces_in(&self, text: &Range<usize>) -> Range<usize> {
        let first = self.spaces.partition_point(|at| *at < text.start);
        first..self.spaces.partition_point(|at| *at < text.end).max(first)
    }

    /// Stop words of a node.
    pub fn stop_words(&self, id: NodeId) -> u32 {
        let text = self.place(id).text;
        let spaces = self.spaces_in(&text);
        let is = |from: usize, to: usize| u32::from(is_stop_word(&self.text[from..to]));
        if spaces.is_empty() {
            return is(text.start, text.end);
        }
        let (first, last) = (spaces.start, spaces.end - 1);
        let between = self.stop_words[last] - self.stop_words[first];
        between + is(text.start, self.spaces[first]) + is(self.spaces[last] + 1, text.end)
    }

    /// `isHighlinkDensity`: the share of words in links times the number of links is 1 or more.
    pub fn has_many_links(&self, id: NodeId) -> bool {
        let place = self.place(id);
        let links = place.links.len() as u64;
        if links == 0 {
            return false;
        }
        let words = self.spaces_in(&place.text).len() as u64 + 1;
        let link_words = self.link_words[place.links.end] - self.link_words[place.links.start];
        link_words as f64 / words as f64 * links as f64 >= 1.0
    }

    /// The length of a node's text in JavaScript's units.
    pub fn length(&self, id: NodeId) -> usize {
        let text = &self.text[self.place(id).text];
        // Nobody asks for more.
        match text.len() {
            0..=400 => text.encode_utf16().count(),
            long => long,
        }
    }

    /// Is there an object or embedded thing below a node?
    pub fn has_object(&self, id: NodeId) -> bool {
        self.place(id).objects > 0
    }

    /// Does the text begin and end with a bracket?
    pub fn is_in_brackets(&self, id: NodeId) -> bool {
        let text = &self.text[self.place(id).text];
        text.trim_start().starts_with('(') && text.trim_end().ends_with(')')
    }
}

/// What the original takes out of words: its `,-/` is a range, with the full stop.
fn is_mark(c: char) -> bool {
    "|@<>[]\"'.,-/#?!$%^&*+;:{}=_`~()".contains(c)
}

fn is_stop_word(word: &str) -> bool {
    static LIST: OnceLock<HashSet<&str>> = OnceLock::new();
    if word.is_empty() || word.len() > LONGEST {
        return false;
    }
    let list = LIST.get_or_init(|| include_str!("stop_words.txt").lines().collect());
    let plain: String = word
        .chars()
        .filter(|c| !is_mark(*c))
        .flat_map(char::to_lowercase)
        .collect();
    !plain.is_empty() && list.contains(plain.as_str())
}
