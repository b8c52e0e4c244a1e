//! What is left of a page, as a tree of what its parts mean.

use std::ops::Range;

/// A text with its structure: a tree of nodes, in document order, each with where its subtree ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Structure {
    /// The nodes; a node stands before what is in it.
    pub nodes: Vec<Node>,
    /// What nodes point to: texts, addresses, languages of code.
    pub text: String,
    /// Whether there is mathematics in it.
    pub has_math: bool,
}

/// A node of a [`Structure`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The number of the first node behind those in it.
    pub end: usize,
}

/// A place in [`Structure::text`], in bytes.
pub type Place = Range<usize>;

/// What a node of a [`Structure`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Something that begins and ends a line and means nothing more, as a `div` does.
    Block,
    /// A paragraph.
    Paragraph,
    /// A heading of a level from 1 to 6.
    Heading(u8),
    /// A list; of a numbered one with its first number.
    List(Option<u32>),
    /// An item of a list.
    Item,
    /// A quotation.
    Quote,
    /// Preformatted text, with the language that it is declared to be in. There is nothing but [`Kind::Text`] in it.
    Code(Place),
    /// A table. One that its author calls a matter of presentation is none for readers.
    Table {
        /// Whether it is a matter of presentation.
        layout: bool,
    },
    /// What a table is called.
    Caption,
    /// A row of a table.
    Row {
        /// Whether it stands in the table's head.
        head: bool,
    },
    /// A cell of a row, which may be empty.
    Cell {
        /// Whether it heads a row or a column.
        header: bool,
        /// Columns that it takes up.
        columns: u16,
        /// Rows that it takes up.
        rows: u16,
    },
    /// A list of terms and what they mean.
    Terms,
    /// A term.
    Term,
    /// What a term means.
    Definition,
    /// A figure.
    Figure,
    /// What is said of a figure.
    FigureCaption,
    /// A rule between paragraphs.
    Rule,
    /// A line break.
    Break,
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// What is no longer so.
    Deleted,
    /// Lowered text.
    Subscript,
    /// Raised text.
    Superscript,
    /// Code in a line. There is nothing but [`Kind::Text`] in it.
    Verbatim,
    /// A link to an address, which is whole, and none that runs a script.
    Link(Place),
    /// An image with its address and what stands for it in a text.
    Image {
        /// The address, as that of a link.
        address: Place,
        /// What stands for it.
        alternative: Place,
    },
    /// Mathematics as TeX.
    Math {
        /// The TeX.
        tex: Place,
        /// Whether it stands by itself, and not in a line.
        display: bool,
    },
    /// Text; white space as it stands in the page.
    Text(Place),
}

impl Kind {
    /// Does it begin and end a line?
    pub fn is_block(&self) -> bool {
        !matches!(
            self,
            Kind::Break
                | Kind::Emphasis
                | Kind::Strong
                | Kind::Deleted
                | Kind::Subscript
                | Kind::Superscript
                | Kind::Verbatim
                | Kind::Link(_)
                | Kind::Image { .. }
                | Kind::Math { .. }
                | Kind::Text(_)
        )
    }
}

impl Structure {
    /// The text at a place.
    pub fn at(&self, place: &Place) -> &str {
        self.text.get(place.clone()).unwrap_or_default()
    }

    /// The nodes in a node, with their numbers, those in these too.
    pub fn inside(&self, node: usize) -> impl Iterator<Item = (usize, &Node)> {
        let end = self.nodes.get(node).map_or(0, |it| it.end);
        let inside = self.nodes.get(node + 1..end).unwrap_or_default();
        (node + 1..).zip(inside)
    }

    /// The numbers of the nodes directly in a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes.get(node).map_or(0, |it| it.end);
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            let it = (child < end).then(|| self.nodes.get(child)).flatten()?;
            next = it.end.max(child + 1);
            Some(child)
        })
    }

    /// The text in a node, all of it, white space as it stands in the page.
    pub fn text_in(&self, node: usize) -> String {
        let inside = self
            .inside(node)
            .filter_map(|(_, inner)| match &inner.kind {
                Kind::Text(place) => Some(self.at(place)),
                _ => None,
            });
        inside.collect()
    }

    /// Has a node no text in it that is not blank, no mathematics, and no image?
    pub fn is_empty(&self, node: usize) -> bool {
        let of = |kind: &Kind| match kind {
            Kind::Text(place) => !self.at(place).trim().is_empty(),
            Kind::Math { .. } | Kind::Image { .. } => true,
            _ => false,
        };
        let own = self.nodes.get(node).is_some_and(|it| of(&it.kind));
        !own && !self.inside(node).any(|(_, inner)| of(&inner.kind))
    }
}
