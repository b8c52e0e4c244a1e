//! What unfluff does with a page before it looks for text.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use trommel_page::{ElementId, Event, Page, Tag};

use super::tree::{Kind, NodeId, Step, Tree};

/// Elements whose id or class holds one of these go, whatever the case.
const BAD: &[&str] = &[
    "combx",
    "retweet",
    "mediaarticlerelated",
    "menucontainer",
    "navbar",
    "partner-gravity-ad",
    "video-full-transcript",
    "storytopbar-bucket",
    "utility-bar",
    "inline-share-tools",
    "comment",
    "popularquestions",
    "contact",
    "foot",
    "cnn_strycaptiontxt",
    "cnn_html_slideshow",
    "cnn_strylftcntnt",
    "links",
    "shoutbox",
    "sponsor",
    "tags",
    "socialnetworking",
    "cnnstryhghlght",
    "cnn_stryspcvbx",
    "pagetools",
    "post-attributes",
    "welcome_form",
    "contenttools2",
    "the_answers",
    "communitypromo",
    "runaroundleft",
    "subscribe",
    "vcard",
    "articleheadings",
    "date",
    "popup",
    "author-dropdown",
    "tools",
    "socialtools",
    "byline",
    "konafilter",
    "breadcrumbs",
    "wp-caption-text",
    "legende",
    "ajoutvideo",
    "timestamp",
    "js_replies",
];
/// Those that have one of these as their id or class, whatever the case.
const BAD_WHOLE: &[&str] = &["side", "inset", "print", "fn"];

fn is_bad(name: &str) -> bool {
    static BAD_PARTS: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    if name.is_empty() {
        return false;
    }
    let parts = BAD_PARTS.get_or_init(|| {
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).build(BAD).ok()
    });
    let lower = name.to_ascii_lowercase();
    parts.as_ref().is_some_and(|parts| parts.is_match(name))
        || BAD_WHOLE.contains(&lower.as_str())
        || lower.ends_with("meta")
}

/// `div` elements go as well whose id or class matches `^caption$`, ` google `, `^[^entry-]more.*$`, `[^-]facebook`, `facebook-broadcasting` or
/// `[^-]twitter`.
fn is_bad_div(name: &str) -> bool {
    let behind_no_hyphen = |what: &str| {
        let mut places = name.match_indices(what);
        places.any(|(at, _)| name[..at].chars().next_back().is_some_and(|it| it != '-'))
    };
    let more = || {
        let mut rest = name.chars();
        let first = rest.next();
        let is_other = first.is_some_and(|it| !"entry-".contains(it));
        is_other && rest.as_str().starts_with("more") && !rest.as_str().contains('\n')
    };
    name == "caption"
        || name.contains(" google ")
        || name.contains("facebook-broadcasting")
        || behind_no_hyphen("facebook")
        || behind_no_hyphen("twitter")
        || more()
}

/// The tree of a page, cleaned.
pub(super) fn cleaned(page: &Page) -> Tree {
    let mut tree = first_steps(page);
    for tag in [Tag::Div, Tag::Span] {
        to_paragraphs(&mut tree, &tag);
    }
    tree
}

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Stays,
    /// Its children take its place.
    Unwrapped,
    /// Its text takes its place.
    Text,
    Gone,
}

/// All but the last two steps. Each looks at an element by itself, so that one walk does them all.
fn first_steps(page: &Page) -> Tree {
    let mut has_image = vec![false; page.elements.len()];
    for (id, element) in page.elements.iter().enumerate().rev() {
        let Some(parent) = element.parent else {
            continue;
        };
        if has_image[id] || element.tag == Tag::Img {
            has_image[parent as usize] = true;
        }
    }
    let mut tree = Tree::new();
    let mut parents: Vec<NodeId> = vec![Tree::ROOT];
    let mut fates: Vec<Fate> = Vec::new();
    let (mut gone, mut text, mut paragraphs) = (0, 0, 0);
    for event in &page.events {
        match *event {
            Event::Start(id) => {
                let fate = fate(page, id, text > 0, paragraphs > 0, has_image[id as usize]);
                fates.push(fate);
                match fate {
                    Fate::Gone => gone += 1,
                    Fate::Text => text += 1,
                    Fate::Unwrapped => {}
                    Fate::Stays => {
                        let tag = page.tag(id).clone();
                        paragraphs += usize::from(tag == Tag::P);
                        let node = tree.make(Kind::Element(tag));
                        if gone == 0 {
                            tree.append(parents[parents.len() - 1], node);
                        }
                        parents.push(node);
                    }
                }
            }
            Event::End(id) => match fates.pop() {
                Some(Fate::Gone) => gone -= 1,
                Some(Fate::Text) => text -= 1,
                Some(Fate::Stays) => {
                    paragraphs -= usize::from(*page.tag(id) == Tag::P);
                    parents.pop();
                }
                _ => {}
            },
            Event::Leaf(leaf) if gone == 0 => {
                let parent = parents[parents.len() - 1];
                let own = page.leaf_text(leaf);
                let own = match tree.tag(parent) {
                    Some(Tag::P) => without_lone_line_feeds(own),
                    _ => own.to_owned(),
                };
                let node = tree.make(Kind::Text(own, Some(leaf)));
                tree.append(parent, node);
            }
            Event::Blank(lines) if gone == 0 => {
                let own = match lines {
                    0 => " ".to_owned(),
                    lines => "\n".repeat(lines.min(100) as usize),
                };
                let node = tree.make(Kind::Text(own, None));
                tree.append(parents[parents.len() - 1], node);
            }
            Event::Leaf(_) | Event::Blank(_) | Event::Hidden => {}
        }
    }
    tree
}

fn fate(page: &Page, id: ElementId, in_text: bool, in_paragraph: bool, has_image: bool) -> Fate {
    let tag = page.tag(id);
    let class = match tag {
        Tag::Body | Tag::Article => "",
        _ => page.class(id),
    };
    let own_id = if *tag == Tag::Article {
        ""
    } else {
        page.id(id)
    };
    let has_class = |name: &str| class.split_ascii_whitespace().any(|it| it == name);
    if in_text {
        return Fate::Unwrapped;
    }
    match tag {
        Tag::Em if !has_image => return Fate::Unwrapped,
        Tag::Code | Tag::Pre => return Fate::Text,
        Tag::Ul if has_class("task-list") => return Fate::Text,
        _ if class.contains("highlight-") => return Fate::Text,
        Tag::Span if has_class("dropcap") || has_class("drop_cap") => return Fate::Unwrapped,
        Tag::Script | Tag::Style => return Fate::Gone,
        _ => {}
    }
    let bad_div = *tag == Tag::Div && (is_bad_div(own_id) || is_bad_div(class));
    if is_bad(own_id) || is_bad(class) || bad_div {
        return Fate::Gone;
    }
    match tag {
        Tag::Span if in_paragraph => Fate::Unwrapped,
        Tag::U => Fate::Unwrapped,
        _ => Fate::Stays,
    }
}

/// JavaScript's `replace(/([^\n])\n([^\n])/g, "$1 $2")`: matches do not overlap.
fn without_lone_line_feeds(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    while at < characters.len() {
        let own = &characters[at..];
        match own {
            [a, '\n', b, ..] if *a != '\n' && *b != '\n' => {
                made.extend([*a, ' ', *b]);
                at += 3;
            }
            [a, ..] => {
                made.push(*a);
                at += 1;
            }
            [] => break,
        }
    }
    made
}

/// `divToPara`: the outermost elements of a name become paragraphs.
fn to_paragraphs(tree: &mut Tree, name: &Tag) {
    let mut outermost = Vec::new();
    let mut inside = None;
    tree.walk(Tree::ROOT, &mut |step| match step {
        Step::Open(id) => {
            if inside.is_none() && tree.tag(id) == Some(name) {
                inside = Some(id);
                outermost.push(id);
            }
        }
        Step::Close(id) => {
            if inside == Some(id) {
                inside = None;
            }
        }
    });
    // All are replaced at once, parent by parent, so that a parent with many takes no longer.
    let mut made = HashMap::new();
    let mut parents = BTreeSet::new();
    for id in outermost {
        let mut parser = Parser::default();
        let is_block = |it: &NodeId| {
            use Tag::*;
            matches!(
                tree.tag(*it),
                Some(A | Blockquote | Dl | Div | Img | Ol | P | Pre | Table | Ul)
            )
        };
        match tree.below(id).iter().any(is_block) {
            false => parser.paragraph(tree, &[Piece::Inner(id)]),
            true => {
                for paragraph in replacements(tree, id) {
                    parser.paragraph(tree, &paragraph);
                }
            }
        }
        if let Some(parent) = tree.ancestors(id).next() {
            parents.insert(parent);
            made.insert(id, parser.top);
        }
    }
    for parent in parents {
        let mut children = Vec::new();
        for child in tree.children(parent) {
            match made.get(&child) {
                Some(nodes) => children.extend(nodes),
                None => children.push(child),
            }
        }
        tree.set_children(parent, children);
    }
}

/// What stands in a paragraph that is made: what is in a node, the node itself, or a text of which part has gone.
#[derive(Debug, Clone)]
enum Piece {
    Inner(NodeId),
    Outer(NodeId),
    Text(NodeId),
}

/// `getReplacementNodes`.
fn replacements(tree: &Tree, id: NodeId) -> Vec<Vec<Piece>> {
    let children: Vec<NodeId> = tree.children(id).collect();
    let elements: Vec<usize> = (0..children.len())
        .filter(|at| tree.tag(children[*at]).is_some())
        .collect();
    let mut used = vec![false; children.len()];
    let (mut made, mut pending): (Vec<Vec<Piece>>, Vec<Piece>) = (Vec::new(), Vec::new());
    for (at, child) in children.iter().enumerate() {
        match tree.kind(*child) {
            Kind::Element(tag) => {
                if *tag == Tag::P && !pending.is_empty() {
                    made.push(std::mem::take(&mut pending));
                }
                if tree.children(*child).next().is_some() {
                    made.push(vec![Piece::Inner(*child)]);
                }
            }
            Kind::Text(text, _) => {
                // Line feeds are doubled and tabs removed; blank text is none.
                let length = text.chars().map(|c| match c {
                    '\n' => 2,
                    '\t' => 0,
                    _ => 1,
                });
                if text.trim().is_empty() || length.sum::<usize>() <= 1 {
                    continue;
                }
                let is_link = |at: usize| tree.tag(children[at]) == Some(&Tag::A);
                let behind = elements.partition_point(|it| *it < at);
                for before in elements[..behind].iter().rev() {
                    if !is_link(*before) || used[*before] {
                        break;
                    }
                    used[*before] = true;
                    pending.push(Piece::Outer(children[*before]));
                }
                pending.push(Piece::Text(*child));
                if let Some(next) = elements.get(behind)
                    && is_link(*next)
                    && !used[*next]
                {
                    used[*next] = true;
                    pending.push(Piece::Outer(children[*next]));
                }
            }
        }
    }
    if !pending.is_empty() {
        made.push(pending);
    }
    made
}

/// Makes nodes of tags and text as htmlparser2 3 does, which cheerio reads markup with.
#[derive(Default)]
struct Parser {
    top: Vec<NodeId>,
    open: Vec<(NodeId, Tag)>,
}

impl Parser {
    /// A paragraph of pieces.
    fn paragraph(&mut self, tree: &mut Tree, pieces: &[Piece]) {
        self.start(tree, &Tag::P);
        for piece in pieces {
            match piece {
                Piece::Inner(id) => self.around(tree, *id, false),
                Piece::Outer(id) => {
                    self.text(tree, Kind::Text(" ".to_owned(), None));
                    self.around(tree, *id, true);
                    self.text(tree, Kind::Text(" ".to_owned(), None));
                }
                Piece::Text(id) => {
                    if let Kind::Text(text, leaf) = tree.kind(*id).clone() {
                        let text = text.replace('\n', "\n\n").replace('\t', "");
                        self.text(tree, Kind::Text(text, leaf));
                    }
                }
            }
        }
        self.end(tree, &Tag::P);
    }

    /// The tags and text of a node, its own tags included or not.
    fn around(&mut self, tree: &mut Tree, id: NodeId, with_own: bool) {
        let mut steps = Vec::new();
        tree.walk(id, &mut |step| steps.push(step));
        for step in steps {
            let (Step::Open(node) | Step::Close(node)) = step;
            if node == id && !with_own {
                continue;
            }
            match (step, tree.kind(node).clone()) {
                (Step::Open(_), Kind::Element(tag)) => self.start(tree, &tag),
                (Step::Close(_), Kind::Element(tag)) => {
                    if !is_void(&tag) {
                        self.end(tree, &tag);
                    }
                }
                (Step::Open(_), text) => self.text(tree, text),
                (Step::Close(_), _) => {}
            }
        }
    }

    fn start(&mut self, tree: &mut Tree, tag: &Tag) {
        while let Some((_, last)) = self.open.last() {
            if !closes(tag, last) {
                break;
            }
            self.open.pop();
        }
        let node = tree.make(Kind::Element(tag.clone()));
        self.put(tree, node);
        if !is_void(tag) {
            self.open.push((node, tag.clone()));
        }
    }

    fn text(&mut self, tree: &mut Tree, text: Kind) {
        let node = tree.make(text);
        self.put(tree, node);
    }

    fn end(&mut self, tree: &mut Tree, tag: &Tag) {
        match self.open.iter().rposition(|(_, open)| open == tag) {
            Some(at) => self.open.truncate(at),
            // An end tag of a paragraph that is not open makes an empty one.
            None if *tag == Tag::P => {
                let node = tree.make(Kind::Element(Tag::P));
                self.put(tree, node);
            }
            None => {}
        }
    }

    fn put(&mut self, tree: &mut Tree, node: NodeId) {
        match self.open.last() {
            Some((parent, _)) => tree.append(*parent, node),
            None => self.top.push(node),
        }
    }
}

/// htmlparser2's `openImpliesClose`, as far as text can stand in it.
fn closes(new: &Tag, open: &Tag) -> bool {
    use Tag::*;
    match new {
        Tr => matches!(open, Tr | Th | Td),
        Th => *open == Th,
        Td => matches!(open, Thead | Th | Td),
        Li => *open == Li,
        P | H1 | H2 | H3 | H4 | H5 | H6 => *open == P,
        Select | Input | Button | Textarea => {
            matches!(open, Input | Option | Optgroup | Select | Button | Textarea)
        }
        Option => *open == Option,
        Optgroup => *open == Optgroup,
        _ => false,
    }
}

fn is_void(tag: &Tag) -> bool {
    use Tag::*;
    match tag {
        Area | Base | Br | Col | Embed | Frame | Hr | Img | Input | Link | Meta | Param
        | Source => true,
        Other(name) => matches!(&**name, "track" | "wbr" | "keygen" | "basefont"),
        _ => false,
    }
}
