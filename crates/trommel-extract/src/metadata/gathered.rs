//! What of a page may tell of it, gathered in one pass.

use std::borrow::Cow;
use std::ops::Range;

use trommel_page::html::Source;
use trommel_page::{ElementId, Event, Page, Tag};

use super::json::{Objects, objects};

/// Bytes of one script that are read, and of all; larger ones are data of a program's.
const MOST_SCRIPT: usize = 4 << 20;
const MOST_SCRIPTS: usize = 12 << 20;
/// A text that says a name or a day is no longer, in bytes.
pub(super) const SHORT: usize = 200;

/// A script that holds data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Script<'a> {
    /// Its `id`; empty without one.
    pub id: &'a str,
    /// Whether its type says that it is JSON-LD.
    pub is_json_ld: bool,
    /// Whether its type says that it is JSON of any kind.
    pub is_json: bool,
    /// Its text.
    pub text: &'a str,
}

/// A page with what several sources of metadata look at.
pub struct Gathered<'a> {
    /// The page.
    pub page: &'a Page,
    /// Its source.
    pub source: &'a Source,
    /// Its address; may be empty.
    pub url: &'a str,
    /// Of each `meta` element its name (`name`, `property` or `itemprop`, in lower case) and content.
    pub metas: Vec<(String, Cow<'a, str>)>,
    /// Scripts with text, up to a limit of bytes.
    pub scripts: Vec<Script<'a>>,
    /// The objects of JSON-LD.
    pub objects: Objects,
    /// For each element the leaves in it.
    leaves: Vec<Range<u32>>,
}

impl<'a> Gathered<'a> {
    /// Looks through a page.
    pub fn new(page: &'a Page, source: &'a Source, url: &'a str) -> Gathered<'a> {
        let mut gathered = Gathered {
            page,
            source,
            url,
            metas: Vec::new(),
            scripts: Vec::new(),
            objects: Objects::default(),
            leaves: vec![0..0; page.elements.len()],
        };
        gathered.walk();
        let json_ld = gathered.scripts.iter().filter(|script| script.is_json_ld);
        gathered.objects = objects(json_ld.map(|script| script.text));
        gathered
    }

    fn walk(&mut self) {
        let (mut open, mut next_leaf, mut hidden, mut bytes) = (Vec::new(), 0, 0, 0);
        for event in &self.page.events {
            match *event {
                Event::Start(id) => {
                    self.leaves[id as usize] = next_leaf..next_leaf;
                    open.push(id);
                    if *self.page.tag(id) == Tag::Meta {
                        self.meta(id);
                    }
                }
                Event::End(id) => {
                    self.leaves[id as usize].end = next_leaf;
                    open.pop();
                }
                Event::Leaf(leaf) => next_leaf = leaf + 1,
                Event::Hidden => {
                    let source = self.source;
                    let text = source.hidden(hidden);
                    hidden += 1;
                    let is_fine = text.len() <= MOST_SCRIPT && bytes + text.len() <= MOST_SCRIPTS;
                    if let Some(&id) = open.last()
                        && *self.page.tag(id) == Tag::Script
                        && is_fine
                    {
                        bytes += text.len();
                        self.script(id, text);
                    }
                }
                Event::Blank(_) => {}
            }
        }
    }

    fn meta(&mut self, id: ElementId) {
        let source = self.source;
        let Some(content) = source.attribute(id, "content") else {
            return;
        };
        for attribute in ["name", "property", "itemprop", "http-equiv"] {
            if let Some(name) = source.attribute(id, attribute) {
                self.metas
                    .push((name.trim().to_ascii_lowercase(), content.clone()));
            }
        }
    }

    fn script(&mut self, id: ElementId, text: &'a str) {
        let kind = self.source.attribute(id, "type").unwrap_or_default();
        let kind = kind.trim().to_ascii_lowercase();
        self.scripts.push(Script {
            id: self.page.id(id),
            is_json_ld: kind.starts_with("application/ld+json"),
            is_json: kind.contains("json"),
            text,
        });
    }

    /// The contents of `meta` elements of these names, in the order of the names.
    pub fn metas<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = String> {
        names.iter().flat_map(move |name| {
            let of_name = self.metas.iter().filter(move |(own, _)| own == name);
            of_name
                .map(|(_, content)| words(content))
                .filter(|text| !text.is_empty())
        })
    }

    /// The text in an element in one line; none if it is long.
    pub fn short_text(&self, id: ElementId) -> Option<String> {
        let leaves = self.leaves[id as usize].clone();
        let mut text = String::new();
        for leaf in leaves {
            // What can be pressed is no part of a name.
            let parent = self.page.leaves[leaf as usize].parent;
            let around = self.page.ancestors(parent).take_while(|it| *it != id);
            if around
                .into_iter()
                .any(|it| *self.page.tag(it) == Tag::Button)
            {
                continue;
            }
            // Leaves of different elements are different words, but for those of one word's parts, which are rare here.
            text.push(' ');
            text.push_str(self.page.leaf_text(leaf));
            if text.len() > 4 * SHORT {
                return None;
            }
        }
        let text = words(&text);
        (!text.is_empty() && text.len() <= SHORT).then_some(text)
    }

    /// The elements of the page.
    pub fn elements(&self) -> impl Iterator<Item = ElementId> {
        0..self.page.elements.len() as ElementId
    }
}

/// A text in one line.
pub(super) fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
