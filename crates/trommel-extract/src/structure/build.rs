//! Page and kept leaves to [`Structure`].

use trommel_page::html::Source;
use trommel_page::{ElementId, Event, LeafId, Page, Tag};

use super::address::resolve;
use super::code::language;
use super::math::{annotated, in_text};
use super::node::{Kind, Node, Place, Structure};
use super::options::StructureOptions;

/// Elements between an image and the nearest element with kept text, at most: farther off it belongs to something else.
const FAR: usize = 3;
/// A cell takes up at most so many columns or rows, as browsers have it (HTML standard §4.9.11: 1000 columns).
const MOST_SPAN: u16 = 1000;

impl Structure {
    /// What is left of a page where only these leaves are kept, with the elements around them. `kept` has a value for each leaf of
    /// the page. Without the page's source (one that knows of nothing) attributes are not seen: no links, images, spans, languages.
    ///
    /// `url` is the page's address, from which links go on; it may be empty.
    pub fn new(
        page: &Page,
        source: &Source,
        kept: &[bool],
        url: &str,
        options: &StructureOptions,
    ) -> Structure {
        let mut builder = Builder {
            page,
            source,
            kept,
            base: base(page, source, url),
            options,
            needed: needed(page, kept),
            last_leaf: kept.iter().rposition(|kept| *kept).unwrap_or(0) as LeafId,
            next_leaf: 0,
            has_begun: false,
            blanks: 0,
            hidden: 0,
            open: Vec::with_capacity(64),
            made: Structure::default(),
            rendered: None,
        };
        for event in &page.events {
            builder.event(*event);
        }
        builder.made
    }
}

/// For each element whether it has kept text in it.
fn needed(page: &Page, kept: &[bool]) -> Vec<bool> {
    let mut needed = vec![false; page.elements.len()];
    for (leaf, _) in page.leaves.iter().zip(kept).filter(|(_, kept)| **kept) {
        for element in page.ancestors(leaf.parent) {
            if std::mem::replace(&mut needed[element as usize], true) {
                break;
            }
        }
    }
    needed
}

/// The address that relative ones go on from: the page's, or what its `base` element makes of that.
fn base(page: &Page, source: &Source, url: &str) -> String {
    let mut bases = (0..page.elements.len() as ElementId).filter(|id| *page.tag(*id) == Tag::Base);
    let declared = bases.find_map(|id| source.attribute(id, "href"));
    let own = declared.and_then(|declared| resolve(url, &declared));
    own.unwrap_or_else(|| url.to_owned())
}

/// An open element.
struct Open {
    id: ElementId,
    /// The node that it made.
    node: Option<usize>,
    /// Nothing in it is looked at.
    skipped: bool,
    /// In preformatted text, or in code of a line: where its text is gathered.
    in_code: bool,
    /// Elements around it, and itself, that have no kept text.
    unneeded: usize,
    /// In a part of the page that is beside its content: images there are not its own.
    beside: bool,
}

struct Builder<'a> {
    page: &'a Page,
    source: &'a Source,
    kept: &'a [bool],
    base: String,
    options: &'a StructureOptions,
    needed: Vec<bool>,
    last_leaf: LeafId,
    /// Number of the leaf that comes next.
    next_leaf: LeafId,
    /// Has a kept leaf come?
    has_begun: bool,
    /// Blank and hidden texts so far.
    blanks: usize,
    hidden: usize,
    open: Vec<Open>,
    made: Structure,
    /// The nodes that a script has made of TeX which may follow it.
    rendered: Option<(usize, usize)>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start(id) => self.start(id),
            Event::End(id) => self.end(id),
            Event::Leaf(leaf) => {
                self.next_leaf = leaf + 1;
                if self.kept[leaf as usize] {
                    self.has_begun = true;
                    if !self.is_skipped() {
                        self.leaf(leaf);
                    }
                }
            }
            Event::Blank(_) => {
                let number = self.blanks;
                self.blanks += 1;
                // An element of nothing but white space parts what stands on both sides.
                let is_near = self
                    .open
                    .last()
                    .is_some_and(|it| it.in_code || it.unneeded <= 1);
                if !self.is_skipped() && is_near {
                    let source = self.source;
                    let text = source.blank(number);
                    // Without the source it is some white space.
                    self.text(if text.is_empty() { " " } else { text });
                }
            }
            Event::Hidden => {
                let number = self.hidden;
                self.hidden += 1;
                self.script(number);
            }
        }
    }

    fn is_skipped(&self) -> bool {
        self.open.last().is_some_and(|open| open.skipped)
    }

    /// Has the innermost open element kept text in it?
    fn is_needed(&self) -> bool {
        self.open.last().is_some_and(|open| open.unneeded == 0)
    }

    fn start(&mut self, id: ElementId) {
        let tag = self.page.tag(id);
        let outer = self.open.last();
        let needed = self.needed[id as usize];
        let mut open = Open {
            id,
            node: None,
            skipped: outer.is_some_and(|outer| outer.skipped),
            in_code: outer.is_some_and(|outer| outer.in_code),
            unneeded: match (needed, outer) {
                (true, _) => 0,
                (false, outer) => outer.map_or(0, |outer| outer.unneeded) + 1,
            },
            beside: outer.is_some_and(|outer| outer.beside)
                || matches!(tag, Tag::Nav | Tag::Aside | Tag::Footer | Tag::Button)
                || !needed && matches!(tag, Tag::Header | Tag::Form),
        };
        if !open.skipped {
            self.element(id, tag, needed, &mut open);
        }
        self.open.push(open);
    }

    fn element(&mut self, id: ElementId, tag: &Tag, needed: bool, open: &mut Open) {
        let in_code = open.in_code;
        match tag {
            Tag::Br if in_code => return self.push_text("\n"),
            Tag::Br if self.is_needed() => return self.leaf_node(Kind::Break),
            Tag::Hr if self.is_needed() && !in_code => return self.leaf_node(Kind::Rule),
            Tag::Img if self.options.images && !in_code => return self.image(id, open),
            // A cell that holds nothing keeps its neighbours in their columns.
            Tag::Td | Tag::Th if !needed && self.is_row() => {
                let kind = self.cell(id, tag);
                open.skipped = true;
                open.node = Some(self.begin(kind));
                return;
            }
            _ if !needed => return,
            Tag::A if self.is_permalink(id) => {
                open.skipped = true;
                return;
            }
            Tag::Math => {
                let found = annotated(self.page, self.source, id, self.next_leaf);
                if let Some((tex, display)) = found {
                    self.math(&tex, display);
                    open.skipped = true;
                }
                return;
            }
            _ => {}
        }
        let class = self.page.class(id);
        let has = |name: &str| class.split_ascii_whitespace().any(|it| it == name);
        if has("katex-html") && self.ends_with_math() {
            open.skipped = true;
            return;
        }
        if in_code {
            if is_line(tag) {
                self.end_line();
            }
            return;
        }
        let before = self.made.nodes.len();
        let kind = match tag {
            Tag::Pre | Tag::Xmp => {
                open.in_code = true;
                let language = self.language(id);
                Some(Kind::Code(language))
            }
            Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt => {
                open.in_code = true;
                Some(Kind::Verbatim)
            }
            Tag::A => self.link(id),
            Tag::Ol => Some(Kind::List(Some(self.first_number(id)))),
            Tag::Table => {
                let role = self.source.attribute(id, "role");
                let layout = role.is_some_and(|role| matches!(&*role, "presentation" | "none"));
                Some(Kind::Table { layout })
            }
            Tag::Tr => {
                let mut around = self.page.ancestors(id).map(|id| self.page.tag(id));
                let group = [Tag::Table, Tag::Tbody, Tag::Tfoot, Tag::Thead];
                let head = around.find(|tag| group.contains(tag)) == Some(&Tag::Thead);
                Some(Kind::Row { head })
            }
            Tag::Td | Tag::Th => Some(self.cell(id, tag)),
            tag => kind_of(tag),
        };
        if let Some(kind) = kind {
            open.node = Some(self.begin(kind));
        }
        if has("MathJax") || has("MathJax_Display") || has("MathJax_SVG") {
            // Where it ends is put down when it ends.
            self.rendered = Some((before, usize::MAX));
        }
    }

    /// Is an anchor in a heading nothing but a sign that links to that heading?
    fn is_permalink(&self, id: ElementId) -> bool {
        let is_heading = |open: &Open| {
            let kind = open.node.map(|node| &self.made.nodes[node].kind);
            matches!(kind, Some(Kind::Heading(_) | Kind::Term))
        };
        if !self.open.iter().any(is_heading) {
            return false;
        }
        let href = self.source.attribute(id, "href").unwrap_or_default();
        let next = self.page.leaves.get(self.next_leaf as usize);
        let sign = next.filter(|leaf| leaf.parent == id);
        let sign = sign.map(|leaf| self.page.text[leaf.text.clone()].trim());
        let is_sign = |text: &str| {
            let mut characters = text.chars();
            matches!((characters.next(), characters.next()), (Some(c), None) if !c.is_alphanumeric())
        };
        href.contains('#') && sign.is_some_and(is_sign)
    }

    fn is_row(&self) -> bool {
        let node = self.open.last().and_then(|open| open.node);
        node.is_some_and(|node| matches!(self.made.nodes[node].kind, Kind::Row { .. }))
    }

    fn end(&mut self, id: ElementId) {
        let Some(open) = self.open.pop() else { return };
        if open.skipped && open.node.is_none() {
            return;
        }
        if open.in_code
            && is_line(self.page.tag(id))
            && open.node.is_none()
            && self.needed[id as usize]
        {
            self.end_line();
        }
        if let Some(node) = open.node {
            self.made.nodes[node].end = self.made.nodes.len();
            self.finish_code(node);
        }
        if let Some((from, to)) = &mut self.rendered
            && *to == usize::MAX
            && self.page.class(id).contains("MathJax")
        {
            *to = self.made.nodes.len();
            if *from == *to {
                self.rendered = None;
            }
        }
    }

    /// Code of a line that has several is code by itself.
    fn finish_code(&mut self, node: usize) {
        if self.made.nodes[node].kind != Kind::Verbatim {
            return;
        }
        let text = self.made.text_in(node);
        let lines = text.trim().lines().filter(|line| !line.trim().is_empty());
        let alone = || {
            let siblings = self.open.last().and_then(|open| open.node);
            siblings.is_none_or(|outer| {
                let mut before = (outer + 1..node).map(|it| &self.made.nodes[it].kind);
                before.all(|kind| match kind {
                    Kind::Text(place) => self.made.at(place).trim().is_empty(),
                    kind => kind.is_block(),
                })
            })
        };
        if lines.count() > 2 && alone() {
            self.made.nodes[node].kind = Kind::Code(0..0);
        }
    }

    /// In preformatted text an element with a line of its own.
    fn end_line(&mut self) {
        let is_begun = |kind: &Kind| match kind {
            Kind::Text(place) => !self.made.at(place).ends_with('\n'),
            _ => false,
        };
        if self
            .made
            .nodes
            .last()
            .is_some_and(|last| is_begun(&last.kind))
        {
            self.push_text("\n");
        }
    }

    fn leaf(&mut self, leaf: LeafId) {
        let page = self.page;
        self.text(page.leaf_text(leaf));
    }

    fn text(&mut self, text: &str) {
        let in_code = self.open.last().is_some_and(|open| open.in_code);
        if in_code {
            return self.push_text(text);
        }
        // Only what a script would make mathematics of.
        let mut from = 0;
        while let Some(found) = in_text(&text[from..]) {
            self.push_text(&text[from..from + found.start]);
            self.math(
                &text[from + found.tex.start..from + found.tex.end],
                found.display,
            );
            from += found.end;
        }
        self.push_text(&text[from..]);
    }

    fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let place = self.place(text);
        self.leaf_node(Kind::Text(place));
    }

    fn place(&mut self, text: &str) -> Place {
        let start = self.made.text.len();
        self.made.text.push_str(text);
        start..self.made.text.len()
    }

    fn begin(&mut self, kind: Kind) -> usize {
        let node = self.made.nodes.len();
        self.made.nodes.push(Node {
            kind,
            end: node + 1,
        });
        node
    }

    fn leaf_node(&mut self, kind: Kind) {
        self.begin(kind);
    }

    fn math(&mut self, tex: &str, display: bool) {
        let tex = tex.trim();
        if tex.is_empty() {
            return;
        }
        let tex = self.place(tex);
        self.made.has_math = true;
        self.leaf_node(Kind::Math { tex, display });
    }

    fn ends_with_math(&self) -> bool {
        let mut last = self.made.nodes.iter().rev().take(4);
        last.any(|node| matches!(node.kind, Kind::Math { .. }))
    }

    /// TeX in a script, of which MathJax has made what stands before it, if that is in the page.
    fn script(&mut self, number: usize) {
        let Some(script) = self.open.last() else {
            return;
        };
        if script.skipped || script.unneeded > 1 || script.in_code || !self.has_begun {
            return;
        }
        let (source, id) = (self.source, script.id);
        let text = source.hidden(number);
        let kind = source.attribute(id, "type").unwrap_or_default();
        let kind = kind.to_ascii_lowercase().replace(' ', "");
        let Some(kind) = kind.strip_prefix("math/tex") else {
            return;
        };
        let display = kind.contains("mode=display");
        if let Some((from, to)) = self.rendered.take() {
            let behind = self.made.nodes.get(to..).unwrap_or_default();
            let blank = |node: &Node| match &node.kind {
                Kind::Text(place) => self.made.at(place).trim().is_empty(),
                _ => false,
            };
            if behind.iter().all(blank) {
                self.made.nodes.truncate(from);
            }
        }
        self.math(text, display);
    }

    fn link(&mut self, id: ElementId) -> Option<Kind> {
        if !self.options.links {
            return None;
        }
        let reference = self.source.attribute(id, "href")?;
        let address = resolve(&self.base, &reference)?;
        Some(Kind::Link(self.place(&address)))
    }

    fn image(&mut self, id: ElementId, open: &Open) {
        let is_near = open.unneeded <= FAR && !open.beside;
        let is_among = self.has_begun && self.next_leaf <= self.last_leaf;
        let around = self.page.ancestors(id).find(|it| self.needed[*it as usize]);
        let is_apart = around.is_none_or(|id| matches!(self.page.tag(id), Tag::Body | Tag::Html));
        if !is_near || !is_among || is_apart {
            return;
        }
        // What is loaded late stands in an attribute of a script's.
        let names = ["data-src", "data-lazy-src", "data-original", "src"];
        let mut references = names
            .iter()
            .filter_map(|name| self.source.attribute(id, name));
        let Some(address) = references.find_map(|it| resolve(&self.base, &it)) else {
            return;
        };
        let alternative = self.source.attribute(id, "alt").unwrap_or_default();
        let words: Vec<&str> = alternative.split_whitespace().collect();
        let alternative = self.place(&words.join(" "));
        let address = self.place(&address);
        self.leaf_node(Kind::Image {
            address,
            alternative,
        });
    }

    /// The language of preformatted text: its own, or that of the code in it, or of the nearest elements around it.
    fn language(&mut self, id: ElementId) -> Place {
        let of = |id: ElementId| {
            let data = ["data-lang", "data-language"];
            let data = data.iter().find_map(|name| self.source.attribute(id, name));
            language(self.page.class(id), data.as_deref())
        };
        let inner = (id + 1..self.page.elements.len() as ElementId).take(2);
        let inner = inner.filter(|it| *self.page.tag(*it) == Tag::Code);
        let outer = self.page.ancestors(id).skip(1).take(3);
        let outer = outer.filter(|it| matches!(self.page.tag(*it), Tag::Div | Tag::Figure));
        let found = std::iter::once(id).chain(inner).chain(outer).find_map(of);
        self.place(&found.unwrap_or_default())
    }

    fn first_number(&self, id: ElementId) -> u32 {
        let start = self.source.attribute(id, "start");
        let start = start.and_then(|start| start.trim().parse().ok());
        start.filter(|start| *start <= 999_999).unwrap_or(1)
    }

    fn cell(&self, id: ElementId, tag: &Tag) -> Kind {
        let span = |name: &str| {
            let value = self.source.attribute(id, name);
            let value = value.and_then(|value| value.trim().parse::<u32>().ok());
            value.map_or(1, |value| value.clamp(1, u32::from(MOST_SPAN)) as u16)
        };
        Kind::Cell {
            header: *tag == Tag::Th,
            columns: span("colspan"),
            rows: span("rowspan"),
        }
    }
}

/// Does an element stand on lines of its own in preformatted text?
fn is_line(tag: &Tag) -> bool {
    matches!(tag, Tag::Div | Tag::P | Tag::Li | Tag::Tr)
}

/// What an element means, whatever its attributes; none for what means nothing.
fn kind_of(tag: &Tag) -> Option<Kind> {
    Some(match tag {
        Tag::P => Kind::Paragraph,
        Tag::H1 => Kind::Heading(1),
        Tag::H2 => Kind::Heading(2),
        Tag::H3 => Kind::Heading(3),
        Tag::H4 => Kind::Heading(4),
        Tag::H5 => Kind::Heading(5),
        Tag::H6 => Kind::Heading(6),
        Tag::Ul | Tag::Menu | Tag::Dir => Kind::List(None),
        Tag::Li => Kind::Item,
        Tag::Blockquote => Kind::Quote,
        Tag::Caption => Kind::Caption,
        Tag::Dl => Kind::Terms,
        Tag::Dt => Kind::Term,
        Tag::Dd => Kind::Definition,
        Tag::Figure => Kind::Figure,
        Tag::Figcaption => Kind::FigureCaption,
        Tag::Em | Tag::I => Kind::Emphasis,
        Tag::Strong | Tag::B => Kind::Strong,
        Tag::Del | Tag::S | Tag::Strike => Kind::Deleted,
        Tag::Sub => Kind::Subscript,
        Tag::Sup => Kind::Superscript,
        Tag::Address
        | Tag::Article
        | Tag::Aside
        | Tag::Body
        | Tag::Center
        | Tag::Details
        | Tag::Dialog
        | Tag::Div
        | Tag::Fieldset
        | Tag::Footer
        | Tag::Form
        | Tag::Header
        | Tag::Html
        | Tag::Legend
        | Tag::Main
        | Tag::Nav
        | Tag::Option
        | Tag::Optgroup
        | Tag::Section
        | Tag::Select
        | Tag::Summary
        | Tag::Iframe
        | Tag::Noframes
        | Tag::Object => Kind::Block,
        Tag::Other(name) if matches!(&**name, "hgroup" | "search") => Kind::Block,
        _ => return None,
    })
}
