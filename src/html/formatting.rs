//! Keeps formatting elements cheap: the tree builder compares each with all that it may have to re-open, attribute by
//! attribute, and copies its attributes whenever it re-opens it.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use html5ever::tokenizer::Tag;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

/// Elements that are re-opened: the formatting category of the HTML standard, §13.2.4.2.
pub(super) fn is_formatting(name: &LocalName) -> bool {
    matches!(
        &**name,
        "a" | "b"
            | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

/// A formatting element with more attributes than this gets one that stands for all of them.
const MOST_ATTRIBUTES: usize = 8;
/// Steps that one comparison counts as: it copies and sorts the attributes of both.
const STEPS_PER_COMPARISON: usize = 16;
/// The list of elements that may be re-opened cannot be longer for the limit on nodes, so no more need be told apart.
const MOST_DISTINCT: usize = 4096;

/// How many formatting elements the tree builder may have in its list, by name.
#[derive(Default)]
pub(super) struct Formatting {
    kinds: HashMap<LocalName, Kind>,
}

#[derive(Default)]
struct Kind {
    /// Digests of the attributes: the list holds three elements of the same attributes at most.
    distinct: HashSet<u64>,
    /// Start tags without those that an end tag followed as it should.
    unclosed: usize,
}

impl Formatting {
    /// Takes note of a start tag and shortens its attributes. Gives the steps that the tree builder may need to compare it
    /// with the others of its name.
    pub fn begin(&mut self, tag: &mut Tag) -> u64 {
        let digest = digest(&tag.attrs);
        if tag.attrs.len() > MOST_ATTRIBUTES {
            shorten(tag, digest);
        }
        if tag.name == local_name!("a") {
            // An anchor ends the one before, so that there are never many.
            return 0;
        }
        let kind = self.kinds.entry(tag.name.clone()).or_default();
        if kind.distinct.len() < MOST_DISTINCT {
            kind.distinct.insert(digest);
        }
        let comparisons = kind.unclosed.min(kind.distinct.len() * 3);
        kind.unclosed += 1;
        (comparisons * STEPS_PER_COMPARISON) as u64
    }

    /// Takes note of an end tag that ends the current node, which takes it off the list for certain.
    pub fn end(&mut self, name: &LocalName) {
        if let Some(kind) = self.kinds.get_mut(name) {
            kind.unclosed = kind.unclosed.saturating_sub(1);
        }
    }
}

/// The same for the same attributes in any order, which is how the tree builder compares them.
fn digest(attributes: &[Attribute]) -> u64 {
    let mut pairs: Vec<(&str, &str)> = attributes
        .iter()
        .map(|attribute| (&*attribute.name.local, &*attribute.value))
        .collect();
    pairs.sort_unstable();
    let mut hasher = DefaultHasher::new();
    pairs.hash(&mut hasher);
    hasher.finish()
}

/// Puts the digest in the place of the attributes. Nothing looks into those of a formatting element but the comparison, and
/// inside SVG and MathML the rule that a font element with one of three attributes is HTML's.
fn shorten(tag: &mut Tag, digest: u64) {
    let is_font = tag.name == local_name!("font");
    tag.attrs
        .retain(|attribute| is_font && matches!(&*attribute.name.local, "color" | "face" | "size"));
    tag.attrs.push(Attribute {
        name: QualName::new(None, ns!(), LocalName::from("attributes")),
        value: format!("{digest:x}").into(),
    });
}
