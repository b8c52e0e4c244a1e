//! A parsed page: its elements, its text leaves and the order in which a reader of its markup meets them.

mod language;
mod segmentation;
mod tag;

use std::ops::Range;

pub use segmentation::{Block, DensityUnit, Segmentation};
pub use tag::Tag;

/// Number of an element in [`Page::elements`].
pub type ElementId = u32;
/// Number of a leaf in [`Page::leaves`].
pub type LeafId = u32;

/// A parsed document. Plain data: segmenters, features and extractors only read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The text of the first non-empty HTML title element, white space collapsed; empty if there is none.
    pub title: String,
    /// The `lang` attribute of the `html` element, or else its `xml:lang`, as it stands in the markup; empty if there is none.
    pub language: String,
    /// The text of all leaves, one after the other.
    pub text: String,
    /// Text nodes with non-blank text, in document order. Text in script, style and template elements and comments
    /// is no leaf.
    pub leaves: Vec<Leaf>,
    /// Elements in document order; a parent stands before its children.
    pub elements: Vec<Element>,
    /// The walk over the tree in document order.
    pub events: Vec<Event>,
    /// The values of the elements' `id` and `class` attributes, one after the other.
    pub attributes: String,
    /// The parse limit that cut the page short or flattened it, if one did.
    pub limit: Option<ParseLimit>,
}

/// A DOM text node with non-blank text. Blank is what Java calls white space: a non-breaking space is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Where its text stands in [`Page::text`], in bytes.
    pub text: Range<usize>,
    /// The element that holds it.
    pub parent: ElementId,
    /// Whether one of the enclosing elements is an anchor.
    pub in_anchor: bool,
}

/// An element of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Its tag.
    pub tag: Tag,
    /// The enclosing element; none for the root.
    pub parent: Option<ElementId>,
    /// Whether it begins where the author began it. Not so for a formatting element (`a`, `b`, `font` …) that the HTML
    /// standard re-opened to mend misnested markup, and for the `br` that it makes of `</br>` and the `p` that it makes of a `</p>` that ends none. It is so for what the
    /// standard adds where a start tag may be missing, such as `tbody`.
    pub start_tag: bool,
    /// Whether its end tag stands where it ends. Not so where the standard ends it for another reason.
    pub end_tag: bool,
    /// Where its `id` attribute stands in [`Page::attributes`], in bytes; empty without one. An element that the standard
    /// re-opened has no attributes of its own here.
    pub id: Range<u32>,
    /// Where its `class` attribute stands in [`Page::attributes`], in bytes; empty without one.
    pub class: Range<u32>,
}

/// One step of the walk over the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An element begins.
    Start(ElementId),
    /// An element ends; void elements end at once.
    End(ElementId),
    /// A leaf.
    Leaf(LeafId),
    /// A text node of white space alone, with the number of line feeds in it.
    Blank(u32),
    /// A text node that is no text of the page (script, style).
    Hidden,
}

/// A limit of the parser that a page ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParseLimit {
    /// The payload was longer than the limit; only its beginning was parsed.
    Bytes,
    /// Elements nested deeper than the limit were taken for children of the deepest one allowed.
    Depth,
    /// Attributes past the limit were dropped from an element.
    Attributes,
    /// The tree had more nodes than the limit; only its beginning was kept.
    Nodes,
    /// Finding out which tags belong together took more steps than the limit; only the beginning was kept.
    Work,
}

impl ParseLimit {
    /// Says in words what became of the page.
    pub fn describe(self) -> &'static str {
        match self {
            ParseLimit::Bytes => "longer than the limit; its beginning was read",
            ParseLimit::Depth => "nested deeper than the limit; deeper elements were flattened",
            ParseLimit::Attributes => "over the limit of attributes in an element; they were cut",
            ParseLimit::Nodes => "over the limit of nodes; its beginning was read",
            ParseLimit::Work => "over the limit of work to parse it; its beginning was read",
        }
    }
}

impl Page {
    /// The text of a leaf, as it stands in the page.
    pub fn leaf_text(&self, leaf: LeafId) -> &str {
        &self.text[self.leaves[leaf as usize].text.clone()]
    }

    /// The element and all that enclose it, innermost first.
    pub fn ancestors(&self, element: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(Some(element), |&id| self.elements[id as usize].parent)
    }

    /// The `id` attribute of an element as it stands in the markup; empty without one.
    pub fn id(&self, element: ElementId) -> &str {
        self.attribute(&self.elements[element as usize].id)
    }

    /// The `class` attribute of an element as it stands in the markup; empty without one.
    pub fn class(&self, element: ElementId) -> &str {
        self.attribute(&self.elements[element as usize].class)
    }

    fn attribute(&self, range: &Range<u32>) -> &str {
        &self.attributes[range.start as usize..range.end as usize]
    }

    /// The tag of an element.
    pub fn tag(&self, element: ElementId) -> &Tag {
        &self.elements[element as usize].tag
    }

    /// The innermost structural element around (or at) an element; no tag's if there is none.
    pub fn structural_tag(&self, element: ElementId) -> Tag {
        let mut tags = self.ancestors(element).map(|id| self.tag(id));
        let structural = tags.find(|tag| tag.is_structural());
        structural.cloned().unwrap_or_default()
    }
}
