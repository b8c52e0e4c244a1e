//! Tests: our trees are those of html5ever, on real pages and on seeded soups of tags.
//!
//! Compared are nesting, names and namespaces, text, comments as what parts text, the contents of templates, and the attributes
//! `id` and `class`. Early closing of raw text is off: it is a departure from the standard. All limits are off too.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::path::{Path, PathBuf};

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TokenizerResult, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, QualName, ns};
use trommel_text::SplitMix64;

use super::charset::{self, Charset};
use super::markup::names::{MATHML, SVG, namespace};
use super::tree::{CLOSED, DOCUMENT, FRAGMENT, JOINS, NONE, NodeId, START_TAG, TEXT, Tree};
use super::{Limits, normalize_line_breaks, tokenizer};

/// A node of html5ever's tree.
enum Data {
    Fragment,
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
        /// A template's contents.
        contents: Option<usize>,
        holds_html: bool,
    },
    Text(String),
    Comment,
}

struct Node {
    data: Data,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// The nodes, and whether the page is in quirks mode.
#[derive(Default)]
struct Dom(RefCell<Vec<Node>>, Cell<bool>);

impl Dom {
    fn add(&self, data: Data) -> usize {
        let mut nodes = self.0.borrow_mut();
        nodes.push(Node {
            data,
            parent: None,
            children: Vec::new(),
        });
        nodes.len() - 1
    }

    fn detach(&self, id: usize) {
        let mut nodes = self.0.borrow_mut();
        if let Some(parent) = nodes[id].parent.take() {
            nodes[parent].children.retain(|child| *child != id);
        }
    }

    fn insert(&self, parent: usize, before: Option<usize>, child: NodeOrText<usize>) {
        let place = || {
            let nodes = self.0.borrow();
            let children = &nodes[parent].children;
            before.map_or(children.len(), |before| {
                children.iter().position(|child| *child == before).unwrap()
            })
        };
        let child = match child {
            NodeOrText::AppendNode(child) => child,
            NodeOrText::AppendText(text) => {
                let at = place();
                let neighbour = at
                    .checked_sub(1)
                    .map(|at| self.0.borrow()[parent].children[at]);
                if let Some(neighbour) = neighbour
                    && let Data::Text(existing) = &mut self.0.borrow_mut()[neighbour].data
                {
                    existing.push_str(&text);
                    return;
                }
                self.add(Data::Text(text.to_string()))
            }
        };
        self.detach(child);
        let at = place();
        let mut nodes = self.0.borrow_mut();
        nodes[child].parent = Some(parent);
        nodes[parent].children.insert(at, child);
    }
}

impl TreeSink for Dom {
    type Handle = usize;
    type Output = Self;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        if self.0.borrow().is_empty() {
            self.add(Data::Fragment);
        }
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Ref<'a, QualName> {
        Ref::map(self.0.borrow(), |nodes| match &nodes[*target].data {
            Data::Element { name, .. } => name,
            _ => unreachable!(),
        })
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> usize {
        let contents = flags.template.then(|| self.add(Data::Fragment));
        self.add(Data::Element {
            name,
            attributes,
            contents,
            holds_html: flags.mathml_annotation_xml_integration_point,
        })
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add(Data::Comment)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(Data::Comment)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, None, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &usize,
        previous: &usize,
        child: NodeOrText<usize>,
    ) {
        let parent = self.0.borrow()[*element].parent;
        match parent {
            Some(parent) => self.insert(parent, Some(*element), child),
            None => self.insert(*previous, None, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        match &self.0.borrow()[*target].data {
            Data::Element {
                contents: Some(contents),
                ..
            } => *contents,
            _ => unreachable!(),
        }
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.1.set(mode == QuirksMode::Quirks);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.0.borrow()[*sibling].parent.unwrap();
        self.insert(parent, Some(*sibling), child);
    }

    fn add_attrs_if_missing(&self, target: &usize, new: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &mut self.0.borrow_mut()[*target].data {
            for attribute in new {
                if attributes.iter().all(|it| it.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let children = self.0.borrow()[*node].children.clone();
        for child in children {
            self.insert(*new_parent, None, NodeOrText::AppendNode(child));
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &usize) -> bool {
        matches!(
            &self.0.borrow()[*target].data,
            Data::Element {
                holds_html: true,
                ..
            }
        )
    }
}

/// Keeps parse errors from the tree builder: it takes one for the token after `<pre>`, whose line feed it then keeps.
struct WithoutErrors(TreeBuilder<usize, Dom>);

impl TokenSink for WithoutErrors {
    type Handle = usize;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<usize> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            token => self.0.process_token(token, line),
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn indent(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', depth));
}

fn show_element(out: &mut String, namespace: &str, name: &str, id: &str, class: &str) {
    out.push_str(&format!("<{namespace}{name}"));
    for (name, value) in [("id", id), ("class", class)] {
        if !value.is_empty() {
            out.push_str(&format!(" {name}={value:?}"));
        }
    }
    out.push('>');
}

/// html5ever's tree, a line a node. Comments are left out, but text before and after one is two nodes.
fn theirs(markup: &str) -> String {
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(Dom::default(), options);
    // It would drop a byte order mark wherever it was interrupted.
    let options = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(WithoutErrors(builder), options);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(markup));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    dump(&tokenizer.sink.0.sink.0.into_inner())
}

fn dump(nodes: &[Node]) -> String {
    let mut out = String::new();
    let mut pending = vec![(0, 0)];
    while let Some((id, depth)) = pending.pop() {
        let node = &nodes[id];
        let mut children = node.children.clone();
        match &node.data {
            Data::Fragment => {}
            Data::Comment => continue,
            Data::Text(text) => {
                indent(&mut out, depth);
                out.push_str(&format!("{text:?}"));
            }
            Data::Element {
                name,
                attributes,
                contents,
                ..
            } => {
                indent(&mut out, depth);
                let value = |wanted: &str| {
                    attributes
                        .iter()
                        .find(|it| &*it.name.local == wanted)
                        .map_or("", |it| &it.value)
                };
                let namespace = match name.ns {
                    ns!(svg) => "svg ",
                    ns!(mathml) => "math ",
                    _ => "",
                };
                show_element(
                    &mut out,
                    namespace,
                    &name.local,
                    value("id"),
                    value("class"),
                );
                children.extend(*contents);
            }
        }
        let children = children.iter().rev();
        pending.extend(children.map(|child| (*child, depth + 1)));
    }
    out
}

fn text_of(tree: &Tree, markup: &str, id: NodeId) -> String {
    let node = tree.node(id);
    super::flatten::slice(tree, markup, &(node.first..node.last)).to_owned()
}

/// Our tree in the same form.
fn ours(markup: &str) -> String {
    let markup = normalize_line_breaks(markup);
    shown(&parsed(&markup), &markup)
}

/// Our tree of markup without carriage returns.
fn parsed(markup: &str) -> Tree {
    let limits = Limits::default()
        .with_bytes(usize::MAX)
        .with_depth(u16::MAX)
        .with_attributes(usize::MAX)
        .with_nodes(usize::MAX)
        .with_work(u64::MAX);
    let tree = tokenizer::parse(markup, &limits, 0, false);
    assert_eq!(tree.limit, None);
    tree
}

fn shown(tree: &Tree, markup: &str) -> String {
    let mut out = String::new();
    let mut pending = vec![(DOCUMENT, 0)];
    while let Some((id, depth)) = pending.pop() {
        let node = tree.node(id);
        if node.key == TEXT {
            let mut text = text_of(tree, markup, id);
            let mut last = id;
            while let Some(&(next, _)) = pending.last()
                && tree.node(next).key == TEXT
                && tree.node(next).flags & JOINS != 0
            {
                assert_eq!(tree.node(last).flags & CLOSED, 0);
                pending.pop();
                text.push_str(&text_of(tree, markup, next));
                last = next;
            }
            assert_eq!(node.flags & JOINS, 0, "nothing to join: {markup:?}");
            indent(&mut out, depth);
            out.push_str(&format!("{text:?}"));
            continue;
        }
        if node.key != FRAGMENT {
            indent(&mut out, depth);
            let kept = tree
                .attributes
                .get(node.attributes as usize)
                .cloned()
                .unwrap_or_default();
            let value = |place| super::flatten::slice(tree, markup, place);
            let tag = tree
                .names
                .tag(markup.as_bytes(), super::markup::names::local(node.key));
            let space = match namespace(node.key) {
                SVG => "svg ",
                MATHML => "math ",
                _ => "",
            };
            show_element(
                &mut out,
                space,
                tag.name(),
                value(&kept.id),
                value(&kept.class),
            );
            if node.flags & START_TAG == 0 {
                out.insert_str(out.len() - 1, &MADE_AGAIN[..1]);
            }
        }
        let from = pending.len();
        let mut child = node.first;
        while child != NONE {
            pending.push((child, depth + 1));
            child = tree.node(child).next;
        }
        if tree.contents(id) != id {
            pending.push((tree.contents(id), depth + 1));
        }
        pending[from..].reverse();
    }
    out
}

/// The end of the line of an element that was made again; no name has a NUL in it, since the tokenizer replaces them.
const MADE_AGAIN: &str = "\0>";

/// Why trees differ, if they do. The elements that we know were made again have no attributes in our tree.
fn difference(markup: &str) -> Option<String> {
    compare(&ours(markup), &theirs(markup))
}

fn compare(ours: &str, theirs: &str) -> Option<String> {
    let is_same = |(one, other): &(&str, &str)| match one.strip_suffix(MADE_AGAIN) {
        Some(name) => other
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with([' ', '>'])),
        None => one == other,
    };
    let same = ours.lines().zip(theirs.lines()).take_while(is_same).count();
    if ours.lines().count() == same && theirs.lines().count() == same {
        return None;
    }
    let line = |text: &str| text.lines().nth(same).map(str::to_owned);
    Some(format!(
        "line {same}: ours {:?}, theirs {:?}",
        line(ours),
        line(theirs)
    ))
}

/// The shortest markup that still shows a difference, as far as leaving out parts of it leads.
fn shortest(markup: &str) -> String {
    let mut kept: Vec<char> = markup.chars().collect();
    let mut size = kept.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            let end = (at + size).min(kept.len());
            let rest: String = kept[..at].iter().chain(&kept[end..]).collect();
            if difference(&rest).is_some() {
                kept.drain(at..end);
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    kept.into_iter().collect()
}

#[track_caller]
fn check(name: &str, markup: &str) {
    if let Some(difference) = difference(markup) {
        panic!("{name}: {difference}\nshortest: {:?}", shortest(markup));
    }
}

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.bits() % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Families of elements that mean something to each other. A soup takes most of its tags from a few of them.
const FAMILIES: &[&[&str]] = &[
    &[
        "a", "b", "i", "font", "nobr", "u", "tt", "code", "strong", "em", "small", "big", "s",
        "strike",
    ],
    &[
        "p",
        "div",
        "span",
        "h1",
        "h2",
        "h6",
        "pre",
        "center",
        "blockquote",
        "section",
        "address",
        "main",
        "menu",
        "details",
    ],
    &[
        "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "colgroup", "col",
    ],
    &["ul", "ol", "li", "dl", "dd", "dt", "dir"],
    &[
        "svg",
        "math",
        "foreignObject",
        "desc",
        "title",
        "mi",
        "mo",
        "mtext",
        "annotation-xml",
        "mglyph",
        "malignmark",
        "g",
    ],
    &[
        "select", "option", "optgroup", "button", "input", "textarea", "form", "label", "fieldset",
        "legend", "keygen", "hr",
    ],
    &[
        "html", "head", "body", "base", "link", "meta", "title", "style", "script", "noscript",
        "template", "noframes",
    ],
    &[
        "template", "table", "tr", "td", "col", "div", "b", "select", "caption",
    ],
    &["frameset", "frame", "noframes", "body", "html", "head"],
    &[
        "object", "applet", "marquee", "iframe", "embed", "param", "source", "track", "img",
        "image", "br", "wbr", "area",
    ],
    &[
        "ruby", "rb", "rt", "rp", "rtc", "listing", "xmp", "noembed", "isindex", "bgsound",
        "basefont", "nextid", "search",
    ],
    &[
        "linearGradient",
        "feBlend",
        "clippath",
        "script",
        "style",
        "a",
        "font",
        "p",
        "table",
    ],
    &[
        "x",
        "x-y",
        "o:p",
        "ü",
        "a\u{0}b",
        "selectedcontent",
        "dialog",
        "hgroup",
        "plaintexts",
        "spacer",
    ],
    &[
        "e\u{1}",
        "\u{7f}",
        "p\u{b}",
        "b\u{80}",
        "i\u{fffe}",
        "td\u{1f}",
        "p",
        "b",
        "a\u{8}c",
    ],
];

const TEXTS: &[&str] = &[
    "a",
    " ",
    "\n",
    "\r\n",
    "\r",
    "word ",
    " x y ",
    "\t\u{c}",
    "é",
    "\u{a0}",
    "\u{0}",
    "a\u{0}b",
    "<",
    "< ",
    "<<",
    "&",
    "]]>",
    ">",
    "\"",
    "'",
    "=",
    "/",
    "--",
    "-->",
    "&amp;",
    "&lt",
    "&copy",
    "&copy;",
    "&notit;",
    "&notin;",
    "&not",
    "&nosuch;",
    "&#65;",
    "&#x41",
    "&#0;",
    "&#128;",
    "&#x110000;",
    "&#",
    "&#x",
    "&#x;",
    "&#10;",
    "&#13;",
    "&acE;",
    "&ampx",
    "&am\u{0}p;",
    "\u{feff}",
    "\u{1f600}",
    "\u{1}",
    "\u{b}",
    "\u{1}\t\u{1f}",
    "\u{7f}\u{80}\u{9f}",
    "\u{fffe}\u{fdd0}",
    "&\u{1};",
];

const THINGS: &[&str] = &[
    "<!-- a -->",
    "<!-->",
    "<!--->",
    "<!---->",
    "<!-- a --!>",
    "<!-- <!-- -->",
    "<!--x--",
    "<!",
    "<!x>",
    "<?x?>",
    "</>",
    "</ x>",
    "</1>",
    "<!doctype html>",
    "<!DOCTYPE>",
    "<![CDATA[a<b>]]>",
    "<![CDATA[\u{0}]]]>",
    "<![CDATA[",
    "<1>",
    "<\u{0}>",
    "<!-- \u{0} -->",
    "<!--->-->",
    "<!-- --->",
    "<!-",
];

const ATTRIBUTES: &[&str] = &[
    " id=1",
    " id=\"2\"",
    " ID='3'",
    " class=a",
    " class=\"a b\"",
    " class='&amp;&copy=&copy;'",
    " type=hidden",
    " type=HIDDEN",
    " x",
    " x=y",
    " x='>'",
    " x=\">\"",
    "/",
    " / ",
    " =",
    " ='",
    " x=y/",
    " encoding=text/html",
    " encoding='application/XHTML+xml'",
    " color=red",
    " Face",
    " size=\"\"",
    "\u{0}=\u{0}",
    " id",
    " class=",
    " x = y",
    "\nx\r\n=\ny",
    " \"",
    " '",
    " <",
    " id=\"\u{0}\r\"",
    " definitionurl=x",
    " xlink:href=y",
    " shadowrootmode=open",
    "\u{1}",
    "\u{1}\t",
    " id=\u{1}",
    " class='\u{b}\u{1}'",
    "\u{b}id=1",
];

const DOCTYPES: &[&str] = &[
    "",
    "",
    "<!DOCTYPE html>",
    "<!doctype html public 'x'>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">",
    "<!DOCTYPE svg>",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
    "<!DOCTYPE html x>",
    " \n<!-- x --> <!doctype HTML >",
];

fn tag(random: &mut Random, names: &[&str], out: &mut String) {
    let name = random.pick(names);
    let is_end = random.below(5) < 2;
    out.push_str(if is_end { "</" } else { "<" });
    match random.below(8) {
        0 => out.push_str(&name.to_ascii_uppercase()),
        _ => out.push_str(name),
    }
    let attributes = if is_end {
        random.below(10) / 9
    } else {
        random.below(9) / 4
    };
    for _ in 0..attributes {
        out.push_str(random.pick(ATTRIBUTES));
    }
    if random.below(12) == 0 {
        out.push('/');
    }
    if random.below(100) > 0 {
        out.push('>');
    }
}

/// Up to some 120 tags, texts and other things.
fn soup(random: &mut Random) -> String {
    let mut out = random.pick(DOCTYPES).to_owned();
    let families: Vec<&[&str]> = (0..1 + random.below(4))
        .map(|_| FAMILIES[random.below(FAMILIES.len())])
        .collect();
    for _ in 0..random.below(120) {
        match random.below(20) {
            0..12 => {
                let family = families[random.below(families.len())];
                tag(random, family, &mut out);
            }
            12 => {
                let family = FAMILIES[random.below(FAMILIES.len())];
                tag(random, family, &mut out);
            }
            13..19 => out.push_str(random.pick(TEXTS)),
            _ => out.push_str(random.pick(THINGS)),
        }
    }
    out
}

/// The soup with parts of it cut off, left out, doubled or moved, at any character.
fn cut(random: &mut Random, soup: &str) -> String {
    let characters: Vec<char> = soup.chars().collect();
    let mut places = [0; 3].map(|_| random.below(characters.len() + 1));
    places.sort_unstable();
    let [one, two, three] = places;
    let parts = match random.below(4) {
        0 => vec![&characters[..one]],
        1 => vec![&characters[..one], &characters[two..]],
        2 => vec![&characters[..two], &characters[one..]],
        _ => vec![
            &characters[..one],
            &characters[two..three],
            &characters[one..two],
            &characters[three..],
        ],
    };
    parts.concat().into_iter().collect()
}

/// Compressed bytes that were given as a page, cut down: the marker of the dump was taken for the name's end.
#[test]
fn control_characters_in_a_name() {
    check("a name", "<e\u{1}\t>");
    for c in (1..0x20).chain(0x7f..0xa0).filter_map(char::from_u32) {
        check("a name", &format!("<e{c}>a</e{c}>b<p{c}x {c} id={c}>"));
        check("a text", &format!("{c}<p>{c}<table>{c}<tr>&{c}"));
    }
}

/// Bytes of any kind, among them what gzip makes of a page, read as browsers read them.
#[test]
fn bytes_of_any_kind() {
    for seed in 0..400 {
        let mut random = Random(SplitMix64::new(seed));
        let mut bytes: Vec<u8> = (0..random.below(1500))
            .map(|_| random.below(256) as u8)
            .collect();
        // Bytes that mean something to a parser are seldom; these make them likelier.
        for _ in 0..random.below(200) {
            let at = random.below(bytes.len() + 1);
            let byte = random.pick(&["<", "/", ">", "!", "-", "=", "'", "&", " ", "\t", "p", "b"]);
            let byte = byte.as_bytes()[0];
            bytes.insert(at, byte);
        }
        check(
            &format!("bytes {seed}"),
            &charset::decode(&bytes, Charset::Auto, None),
        );
        let latin = encoding_rs::WINDOWS_1252
            .decode_without_bom_handling(&bytes)
            .0;
        check(&format!("bytes {seed} as Latin"), &latin);
    }
}

#[test]
fn soups() {
    let count = match std::env::var("TROMMEL_SOUPS") {
        Ok(count) => count.parse().unwrap(),
        Err(_) => 4000,
    };
    for seed in 0..count {
        let mut random = Random(SplitMix64::new(seed));
        let whole = soup(&mut random);
        check(&format!("soup {seed}"), &whole);
        for part in 0..3 {
            let markup = cut(&mut random, &whole);
            check(&format!("part {part} of soup {seed}"), &markup);
        }
    }
}

/// Raw text and scripts, whose states the soups seldom go far into.
#[test]
fn raw_texts() {
    const PARTS: &[&str] = &[
        "<!--",
        "-->",
        "<!-",
        "-",
        "--",
        "->",
        "<script>",
        "<script ",
        "</script>",
        "</script ",
        "</script",
        "<scripts>",
        "</scripts>",
        "<!-->",
        "<!--->",
        "<",
        "</",
        ">",
        " ",
        "/",
        "x",
        "\u{0}",
        "&amp;",
        "<SCRIPT/",
        "</SCRIPT\n>",
        "</title>",
        "</style>",
        "\r\n",
    ];
    for seed in 0..6000 {
        let mut random = Random(SplitMix64::new(seed));
        let name = random.pick(&[
            "script", "script", "script", "title", "textarea", "style", "xmp", "iframe", "noembed",
            "noframes",
        ]);
        let mut markup = format!("<{name}>");
        for _ in 0..random.below(14) {
            let part = random.pick(PARTS);
            markup.push_str(&part.replace("title", name));
        }
        check(&format!("raw text {seed}"), &markup);
    }
}

/// Every named reference, with and without what may follow it, in text and in an attribute's value.
#[test]
fn all_references() {
    for line in include_str!("../markup/entities.txt").lines() {
        let name = line.split(' ').next().unwrap();
        for after in ["", ";", "x", "=", "1", "&", "<b>"] {
            check(
                name,
                &format!("&{name}{after}<p id='&{name}{after}' class=&{name}{after}>"),
            );
        }
        let shorter = &name[..name.len() - 1];
        check(name, &format!("&{shorter}<p id='&{shorter}'>"));
    }
}

fn pages() -> Vec<PathBuf> {
    let shared = std::env::var_os("TROMMEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let Ok(corpora) = shared.join("corpora").read_dir() else {
        return Vec::new();
    };
    let mut pages: Vec<PathBuf> = corpora
        .filter_map(|corpus| corpus.unwrap().path().join("html").read_dir().ok())
        .flat_map(|folder| folder.map(|page| page.unwrap().path()))
        .collect();
    pages.sort();
    pages
}

#[test]
fn pages_of_the_corpora() {
    let pages = pages();
    if pages.is_empty() {
        eprintln!("skipped: the corpora are not there (set TROMMEL_SHARED)");
    }
    let mut random = Random(SplitMix64::new(1));
    for (number, path) in pages.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        let markup = charset::decode(&bytes, Charset::Auto, None);
        check(&path.display().to_string(), &markup);
        if number % 4 == 0 {
            let part = cut(&mut random, &markup);
            check(&format!("part of {}", path.display()), &part);
        }
    }
    eprintln!("{} pages", pages.len());
}

#[path = "html5lib/tests.rs"]
mod html5lib;
