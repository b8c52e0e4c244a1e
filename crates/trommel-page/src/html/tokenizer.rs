//! The tokenization stage: HTML standard §13.2.5. It goes through the bytes of the markup and hands tags and text on as places in it.

use std::collections::HashMap;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::builder::{Builder, Content, Tag};
use super::limits::Limits;
use super::markup::attributes::{self, Part};
use super::markup::names::{self, Name};
use super::markup::references::{self, resolve};
use super::markup::{doctype, raw_text, repair};
use super::tree::{Attributes, Place, Tree};
use crate::page::ParseLimit;

/// Parses markup without carriage returns into a tree. Of raw text elements that are never closed, `repairs` are closed early.
/// With `keeps_source` the tree says where tags and text stand.
pub(super) fn parse(markup: &str, limits: &Limits, repairs: u32, keeps_source: bool) -> Tree {
    let bytes = markup.as_bytes();
    let mut tokenizer = Tokenizer {
        markup,
        bytes,
        at: 0,
        has_nulls: memchr(0, bytes).is_some(),
        builder: Builder::new(markup, limits.depth),
        limits,
        limit: None,
        left_out: HashMap::new(),
        repairs,
        #[cfg(test)]
        tags: Vec::new(),
    };
    tokenizer.builder.tree.keeps_source = keeps_source;
    tokenizer.run();
    let mut tree = tokenizer.builder.tree;
    tree.limit = tokenizer.limit;
    #[cfg(test)]
    {
        tree.tags = tokenizer.tags;
        tree.quirks = tokenizer.builder.quirks;
    }
    tree
}

struct Tokenizer<'a> {
    markup: &'a str,
    bytes: &'a [u8],
    at: usize,
    has_nulls: bool,
    builder: Builder<'a>,
    limits: &'a Limits,
    limit: Option<ParseLimit>,
    /// Start tags left out for depth, whose end tags must be left out too.
    left_out: HashMap<Name, u32>,
    repairs: u32,
    /// Where the tags stand that were read.
    #[cfg(test)]
    tags: Vec<std::ops::Range<usize>>,
}

impl Tokenizer<'_> {
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            self.text();
            if self.at < self.bytes.len() {
                self.markup();
            }
            if self.is_over_limit() {
                return;
            }
        }
        self.builder.end();
    }

    /// May the page cost no more?
    fn is_over_limit(&mut self) -> bool {
        let tree = &self.builder.tree;
        let passed = if tree.nodes.len() >= self.limits.nodes {
            ParseLimit::Nodes
        } else if tree.work >= self.limits.work {
            ParseLimit::Work
        } else {
            return false;
        };
        self.limit = Some(passed);
        true
    }

    /// Text up to the next tag or comment.
    fn text(&mut self) {
        let start = self.at;
        let mut is_plain = true;
        let mut at = start;
        loop {
            let rest = &self.bytes[at..];
            let found = match (is_plain, self.has_nulls) {
                (false, _) => memchr(b'<', rest),
                (true, false) => memchr2(b'<', b'&', rest),
                (true, true) => memchr3(b'<', b'&', 0, rest),
            };
            at = found.map_or(self.bytes.len(), |found| at + found);
            match self.bytes.get(at) {
                Some(b'<') => {
                    let next = self.bytes.get(at + 1);
                    if next
                        .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
                    {
                        break;
                    }
                }
                Some(_) => is_plain = false,
                None => break,
            }
            at += 1;
        }
        // At the end of the page this is text.
        if self.bytes[at..] == *b"</" {
            at += 2;
        }
        self.at = at;
        if start == at {
            return;
        }
        match is_plain {
            true => self.builder.text(start as u32..at as u32),
            false => self.text_with_references(start, at),
        }
    }

    fn text_with_references(&mut self, start: usize, end: usize) {
        if self.builder.tree.keeps_source {
            let own = (self.markup.len() + self.builder.tree.own.len()) as u32;
            let place = start as u32..end as u32;
            self.builder.tree.origins.push((own, place));
        }
        let mut parts = self.markup[start..end].split('\0').peekable();
        while let Some(part) = parts.next() {
            let place = self.own(|own| resolve(part, references::Place::Text, "", own));
            if !place.is_empty() {
                self.builder.text(place);
            }
            if parts.peek().is_some() && self.builder.null() {
                let place = self.own(|own| own.push('\u{fffd}'));
                self.builder.replaced_null(place);
            }
        }
    }

    /// The place of text that is written behind the markup's end.
    fn own(&mut self, write: impl FnOnce(&mut String)) -> Place {
        let own = &mut self.builder.tree.own;
        let start = own.len();
        write(own);
        let place = |at: usize| (self.markup.len() + at) as u32;
        place(start)..place(own.len())
    }

    /// The place of text in which references count where `references` says so, and NULs become U+FFFD.
    fn resolved(
        &mut self,
        start: usize,
        end: usize,
        references: Option<references::Place>,
    ) -> Place {
        let text = &self.markup[start..end];
        let is_plain = match references {
            Some(_) => memchr2(b'&', 0, text.as_bytes()).is_none(),
            None => !self.has_nulls || memchr(0, text.as_bytes()).is_none(),
        };
        if is_plain {
            return start as u32..end as u32;
        }
        self.own(|own| match references {
            Some(place) => resolve(text, place, "\u{fffd}", own),
            None => own.push_str(&text.replace('\0', "\u{fffd}")),
        })
    }

    /// The tag, comment or other thing that the `<` at hand begins.
    fn markup(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest {
            [b'<', b'/', b, ..] if b.is_ascii_alphabetic() => self.end_tag(),
            [b'<', b'/', b'>', ..] => self.at += 3,
            [b'<', b'!', b'-', b'-', ..] => {
                self.at += end_of_comment(rest);
                self.builder.comment();
            }
            [b'<', b'!', b'[', ..]
                if rest.starts_with(b"<![CDATA[") && self.builder.is_in_foreign_content() =>
            {
                self.cdata()
            }
            [b'<', b'!', ..] if is_doctype(rest) => self.doctype(),
            [b'<', b'!' | b'?' | b'/', ..] => {
                self.at += memchr(b'>', rest).map_or(rest.len(), |found| found + 1);
                self.builder.comment();
            }
            _ => self.start_tag(),
        }
    }

    fn doctype(&mut self) {
        let start = self.at + "<!doctype".len();
        let found = memchr(b'>', &self.bytes[start..]);
        let end = found.map_or(self.bytes.len(), |found| start + found);
        let text = &self.markup[start..end];
        self.builder
            .doctype(|| doctype::is_quirky(text, found.is_none()));
        self.at = (end + 1).min(self.bytes.len());
    }

    fn cdata(&mut self) {
        let start = self.at + "<![CDATA[".len();
        let found = memmem::find(&self.bytes[start..], b"]]>");
        let end = found.map_or(self.bytes.len(), |found| start + found);
        self.at = (end + 3).min(self.bytes.len());
        // NULs are those of the tree builder, as in markup.
        let mut parts = self.markup[start..end].split('\0').peekable();
        let mut from = start;
        while let Some(part) = parts.next() {
            let to = from + part.len();
            if from < to {
                self.builder.text(from as u32..to as u32);
            }
            from = to + 1;
            if parts.peek().is_some() && self.builder.null() {
                let place = self.own(|own| own.push('\u{fffd}'));
                self.builder.replaced_null(place);
            }
        }
    }

    /// Reads the tag whose name begins `name` bytes from here on; none if the page ends inside it.
    fn tag(&mut self, name: usize) -> Option<Tag> {
        let start = self.at + name;
        #[cfg(test)]
        let opens = self.at;
        let bytes = self.bytes;
        let end = attributes::end_of_tag_name(bytes, start);
        let (mut at, mut rest_end) = (end, None);
        let mut count = 0;
        let mut id = None;
        let mut class = None;
        let is_html = bytes[start..end].eq_ignore_ascii_case(b"html");
        let (mut lang, mut xml_lang) = (None, None);
        let self_closing = loop {
            let (part, next) = attributes::part(bytes, at);
            match part {
                Part::Attribute { name, value } => {
                    count += 1;
                    if count > self.limits.attributes {
                        rest_end.get_or_insert(at);
                    } else {
                        let name = &bytes[name];
                        match name.len() {
                            2 if id.is_none() && name.eq_ignore_ascii_case(b"id") => {
                                id = Some(value)
                            }
                            5 if class.is_none() && name.eq_ignore_ascii_case(b"class") => {
                                class = Some(value)
                            }
                            4 if is_html && name.eq_ignore_ascii_case(b"lang") => {
                                lang.get_or_insert(value);
                            }
                            8 if is_html && name.eq_ignore_ascii_case(b"xml:lang") => {
                                xml_lang.get_or_insert(value);
                            }
                            _ => {}
                        }
                    }
                    at = next;
                }
                Part::End { self_closing, next } => {
                    rest_end.get_or_insert(at);
                    self.at = next;
                    break self_closing;
                }
                Part::Unfinished => {
                    self.at = bytes.len();
                    return None;
                }
            }
        };
        #[cfg(test)]
        self.tags.push(opens..self.at);
        if count > self.limits.attributes {
            self.limit.get_or_insert(ParseLimit::Attributes);
        }
        let mut kept = |value: Option<std::ops::Range<usize>>| match value {
            Some(value) => {
                self.resolved(value.start, value.end, Some(references::Place::Attribute))
            }
            None => 0..0,
        };
        let language = kept(lang.or(xml_lang));
        let rest = end as u32..rest_end.unwrap_or(end) as u32;
        let kept = Attributes {
            id: kept(id),
            class: kept(class),
            tag: match self.builder.tree.keeps_source {
                true => rest.clone(),
                false => 0..0,
            },
        };
        let known: &Place = &self.builder.tree.language;
        if known.is_empty() {
            self.builder.tree.language = language;
        }
        Some(Tag {
            name: self.builder.tree.names.number(bytes, start..end),
            self_closing,
            rest,
            kept,
        })
    }

    fn start_tag(&mut self) {
        let Some(tag) = self.tag(1) else { return };
        let name = tag.name;
        if self.is_too_deep(name) {
            self.limit = Some(ParseLimit::Depth);
            *self.left_out.entry(name).or_default() += 1;
            return self.line_break();
        }
        match self.builder.start_tag(&tag) {
            Content::Markup => {}
            Content::PlainText => {
                let text = self.resolved(self.at, self.bytes.len(), None);
                self.at = self.bytes.len();
                if !text.is_empty() {
                    self.builder.text(text);
                }
            }
            content => self.raw_text(name, content),
        }
    }

    /// Is a start tag to be left out, because its element would stand too deep?
    fn is_too_deep(&self, name: Name) -> bool {
        // The depth of the last insertion is known for nothing; only near the limit the real one is looked up.
        self.builder.tree.last_depth >= self.limits.depth
            && names::sets(name) & names::SHORT_LIVED == 0
            && self.builder.depth() >= self.limits.depth
    }

    /// A line break stands for tags that are left out, so that the text before and after stays apart.
    fn line_break(&mut self) {
        if self.builder.is_after_line_break() {
            return;
        }
        self.builder.start_tag(&Tag {
            name: names::BR,
            self_closing: false,
            rest: 0..0,
            kept: Attributes::default(),
        });
    }

    fn end_tag(&mut self) {
        let Some(tag) = self.tag(2) else { return };
        if !self.left_out.is_empty()
            && let Some(count) = self.left_out.get_mut(&tag.name)
            && *count > 0
        {
            *count -= 1;
            return self.line_break();
        }
        self.builder.end_tag(tag.name);
    }

    /// The text of an element that holds no markup, and its end tag.
    fn raw_text(&mut self, name: Name, content: Content) {
        let start = self.at;
        let name_text = names::text(name);
        let mut is_repaired = false;
        let mut end = raw_text::end(self.bytes, start, name_text);
        if end.is_none() && self.repairs > 0 {
            end = repair::early_end(self.bytes, start, name_text);
            is_repaired = end.is_some();
        }
        self.at = end.unwrap_or(self.bytes.len());
        let references = (content == Content::Rcdata).then_some(references::Place::Text);
        let text = self.resolved(start, self.at, references);
        if !text.is_empty() {
            self.builder.text(text);
        }
        if is_repaired {
            self.repairs -= 1;
            self.builder.end_tag(name);
        }
    }
}

fn is_doctype(text: &[u8]) -> bool {
    let keyword = text.get(2..2 + "doctype".len());
    keyword.is_some_and(|it| it.eq_ignore_ascii_case(b"doctype"))
}

/// Length of a comment that begins the text: HTML standard §13.2.5.43–13.2.5.52.
fn end_of_comment(text: &[u8]) -> usize {
    for short in [&b"<!-->"[..], b"<!--->"] {
        if text.starts_with(short) {
            return short.len();
        }
    }
    let mut at = 4;
    while let Some(found) = memmem::find(&text[at..], b"--").map(|found| at + found) {
        // A run of dashes ends the comment by its last two.
        let dashes = text[found..].iter().position(|b| *b != b'-');
        at = dashes.map_or(text.len(), |dashes| found + dashes);
        match &text[at..] {
            [b'>', ..] => return at + 1,
            [b'!', b'>', ..] => return at + 2,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        for (text, rest) in [
            ("<!-->a", "a"),
            ("<!--->a", "a"),
            ("<!---->a", "a"),
            ("<!----->a", "a"),
            ("<!-- - -- > -->a", "a"),
            ("<!-- --!>a", "a"),
            ("<!-- --!a-->b", "b"),
            ("<!-- --!--!>b", "b"),
            ("<!---!>a-->b", "b"),
            ("<!----!>a", "a"),
            ("<!-- <!-->a", "a"),
            ("<!--", ""),
            ("<!-----", ""),
            ("<!-- --!", ""),
        ] {
            assert_eq!(&text[end_of_comment(text.as_bytes())..], rest, "{text}");
        }
    }
}
