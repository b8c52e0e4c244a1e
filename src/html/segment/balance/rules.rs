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

/// Does the start tag of an element close an open one?
pub(super) fn closes(starting: &Tag, open: &Tag) -> bool {
    use Tag::*;
    match starting {
        A => matches!(open, A),
        Blockquote | Div | Hr => matches!(open, P),
        P => matches!(open, P),
        Form => matches!(open, Button | P),
        H1 | H2 | H3 | H4 | H5 | H6 => matches!(open, H1 | H2 | H3 | H4 | H5 | H6 | P),
        Li => matches!(open, Li),
        Dd | Dt => matches!(open, Dd | Dt),
        Optgroup => matches!(open, Option),
        Option => matches!(open, Option),
        Select => matches!(open, Select),
        Colgroup => matches!(open, Col | Colgroup),
        Thead => matches!(open, Colgroup),
        Tbody => matches!(open, Thead | Td | Th | Tr | Colgroup),
        Tfoot => matches!(open, Thead | Tbody | Td | Th | Tr),
        Tr => matches!(open, Td | Th | Tr | Colgroup),
        Td | Th => matches!(open, Td | Th),
        _ => false,
    }
}

/// The elements that an element has to stand in, the one that is made if there is none first; none for those that
/// stand anywhere in the body.
pub(super) fn parents(tag: &Tag) -> &'static [Tag] {
    use Tag::*;
    const TABLE: &[Tag] = &[Table];
    const TABLE_PARTS: &[Tag] = &[Tbody, Thead, Tfoot];
    const ROW: &[Tag] = &[Tr];
    const DEFINITIONS: &[Tag] = &[Dl];
    const SELECT: &[Tag] = &[Select];
    const FIELDSET: &[Tag] = &[Fieldset];
    const MAP: &[Tag] = &[Map];
    match tag {
        Caption | Col | Colgroup | Tbody | Tfoot | Thead => TABLE,
        Tr => TABLE_PARTS,
        Td | Th => ROW,
        Dd | Dt => DEFINITIONS,
        Option | Optgroup => SELECT,
        Legend => FIELDSET,
        Area => MAP,
        _ => &[],
    }
}

pub(super) fn closes_its_kind(tag: &Tag) -> bool {
    closes(tag, tag)
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
