//! The balancer's knowledge of elements.

use crate::page::Tag;

/// What the balancer does with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// Re-opened where a plain element or another inline element's end tag closed it.
    Inline,
    /// An end tag of what is neither a container nor closes its own kind does not reach out of it.
    Block,
    /// Takes the inline elements around it inside.
    Plain,
    /// Its end tag reaches out of blocks.
    Container,
    /// `table`: both a block and a container.
    Table,
    /// Has no content.
    Empty,
    /// Has text for content.
    Raw,
    /// Not in the balancer's list: a container. All of these are one kind.
    Unknown,
}

pub(super) fn model(tag: &Tag) -> Model {
    use Tag::*;
    match tag {
        A | Abbr | Acronym | B | Big | Caption | Cite | Code | Dfn | Em | I | Legend | Map | Q
        | Samp | Small | Strike | Strong | Sub | Sup | Tt | U | Var => Model::Inline,
        Address | Blockquote | Div | Dl | H1 | H2 | H3 | H4 | H5 | H6 | Iframe | Ol | Tr | Ul => {
            Model::Block
        }
        Applet | Button | Center | Colgroup | Dd | Del | Dir | Dt | Embed | Fieldset | Frameset
        | Ins | Kbd | Label | Li | Menu | Noframes | Noscript | Object | Optgroup | Option
        | Pre | S | Tbody | Tfoot | Thead => Model::Plain,
        Body | Font | Form | P | Select | Span | Td | Th => Model::Container,
        Table => Model::Table,
        Area | Base | Br | Col | Frame | Hr | Img | Input | Link | Meta | Param => Model::Empty,
        Script | Style | Textarea | Title | Xmp => Model::Raw,
        Other(name) => model_of_rare(name),
        _ => Model::Unknown,
    }
}

fn model_of_rare(name: &str) -> Model {
    match name {
        "bdo" | "blink" | "nobr" | "rb" | "rp" | "rt" => Model::Inline,
        "ilayer" | "layer" => Model::Block,
        "basefont" | "isindex" | "keygen" | "listing" | "marquee" | "multicol" | "noembed"
        | "nolayer" | "rbc" | "rtc" | "ruby" | "xml" => Model::Plain,
        "bgsound" | "nextid" | "sound" | "spacer" | "wbr" => Model::Empty,
        "comment" | "plaintext" => Model::Raw,
        _ => Model::Unknown,
    }
}

/// Kinds of elements that start tags close, as bits.
pub(super) type Kinds = u16;
const ANCHOR: Kinds = 1;
const PARAGRAPH: Kinds = 1 << 1;
const BUTTON: Kinds = 1 << 2;
const HEADING: Kinds = 1 << 3;
const ITEM: Kinds = 1 << 4;
const DEFINITION: Kinds = 1 << 5;
const OPTION: Kinds = 1 << 6;
const SELECT: Kinds = 1 << 7;
const COL: Kinds = 1 << 8;
const COLGROUP: Kinds = 1 << 9;
const THEAD: Kinds = 1 << 10;
const TBODY: Kinds = 1 << 11;
const CELL: Kinds = 1 << 12;
const ROW: Kinds = 1 << 13;

/// The kind of an element; none for those that no start tag closes.
pub(super) fn kind(tag: &Tag) -> Kinds {
    use Tag::*;
    match tag {
        A => ANCHOR,
        P => PARAGRAPH,
        Button => BUTTON,
        H1 | H2 | H3 | H4 | H5 | H6 => HEADING,
        Li => ITEM,
        Dd | Dt => DEFINITION,
        Option => OPTION,
        Select => SELECT,
        Col => COL,
        Colgroup => COLGROUP,
        Thead => THEAD,
        Tbody => TBODY,
        Td | Th => CELL,
        Tr => ROW,
        _ => 0,
    }
}

/// The kinds of open elements that the start tag of an element closes.
pub(super) fn closes(tag: &Tag) -> Kinds {
    use Tag::*;
    match tag {
        A => ANCHOR,
        Blockquote | Div | Hr | P => PARAGRAPH,
        Form => BUTTON | PARAGRAPH,
        H1 | H2 | H3 | H4 | H5 | H6 => HEADING | PARAGRAPH,
        Li => ITEM,
        Dd | Dt => DEFINITION,
        Optgroup | Option => OPTION,
        Select => SELECT,
        Colgroup => COL | COLGROUP,
        Thead => COLGROUP,
        Tbody => THEAD | CELL | ROW | COLGROUP,
        Tfoot => THEAD | TBODY | CELL | ROW,
        Tr => CELL | ROW | COLGROUP,
        Td | Th => CELL,
        _ => 0,
    }
}

/// The elements that an element has to stand in, the one that is made if there is none first; none for those that
/// stand anywhere in the body.
pub(super) fn parents(tag: &Tag) -> &'static [Tag] {
    use Tag::*;
    const TABLE: &[Tag] = &[Table];
    const TABLE_PARTS: &[Tag] = &[Tbody, Thead, Tfoot];
    const ROWS: &[Tag] = &[Tr];
    const DEFINITIONS: &[Tag] = &[Dl];
    const SELECTS: &[Tag] = &[Select];
    const FIELDSET: &[Tag] = &[Fieldset];
    const MAP: &[Tag] = &[Map];
    match tag {
        Caption | Col | Colgroup | Tbody | Tfoot | Thead => TABLE,
        Tr => TABLE_PARTS,
        Td | Th => ROWS,
        Dd | Dt => DEFINITIONS,
        Option | Optgroup => SELECTS,
        Legend => FIELDSET,
        Area => MAP,
        _ => &[],
    }
}

pub(super) fn closes_its_kind(tag: &Tag) -> bool {
    closes(tag) & kind(tag) != 0
}

/// Does an element always end where it ends in the tree? Those do that have no content for the HTML standard but have
/// for the balancer, since the tree does not tell whether they have an end tag. So do those whose text is left out:
/// the balancer is not to leave out more of it than the tree does.
pub(super) fn ends_with_tree(tag: &Tag) -> bool {
    use Tag::*;
    match tag {
        Embed | Source => true,
        Applet | Noscript | Object | Option | Script | Select | Style => true,
        Other(name) => matches!(&**name, "basefont" | "keygen" | "track"),
        _ => false,
    }
}
