//! [`Structure`] to HTML: the elements that mean something, and of their attributes those that are written here.

use std::ops::Range;

use trommel_text::escape_markup;

use super::node::{Kind, Structure};

/// What lines there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Any.
    Any,
    /// None that is blank, since it would end HTML that stands in Markdown.
    NoneBlank,
}

/// Writes a text with its structure as HTML: what stands in a page's body, without scripts, styles, and attributes of the page's own.
/// Mathematics is TeX between `\(` and `\)`, or `\[` and `\]`.
pub fn html(structure: &Structure) -> String {
    let mut out = String::new();
    write(structure, 0..structure.nodes.len(), Lines::Any, &mut out);
    out
}

/// An element that is open.
struct Open {
    end: usize,
    name: &'static str,
    is_block: bool,
    /// A paragraph that nothing was written of.
    is_code: bool,
}

/// Writes nodes.
pub(super) fn write(structure: &Structure, nodes: Range<usize>, lines: Lines, out: &mut String) {
    let mut writer = Writer {
        structure,
        lines,
        out,
        open: Vec::new(),
        in_paragraph: false,
    };
    for at in nodes.clone() {
        writer.close(at);
        writer.node(at);
    }
    writer.close(nodes.end);
    writer.end_paragraph();
    if !writer.out.is_empty() && !writer.out.ends_with('\n') {
        writer.out.push('\n');
    }
}

struct Writer<'a> {
    structure: &'a Structure,
    lines: Lines,
    out: &'a mut String,
    open: Vec<Open>,
    /// Text that stands in no paragraph of the page is put into one.
    in_paragraph: bool,
}

impl Writer<'_> {
    fn close(&mut self, at: usize) {
        while self.open.last().is_some_and(|open| open.end <= at) {
            let Some(open) = self.open.pop() else { return };
            if open.is_block {
                self.end_paragraph();
                if !open.is_code {
                    self.trim();
                }
            }
            if !open.name.is_empty() {
                let name = if open.is_code {
                    "code></pre"
                } else {
                    open.name
                };
                self.out.push_str(&format!("</{name}>"));
            }
            if open.is_block {
                self.line();
            }
        }
    }

    fn line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// White space at the end of a block is nothing.
    fn trim(&mut self) {
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
    }

    fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.in_paragraph) {
            let end = self.out.trim_end_matches([' ', '\n']).len();
            self.out.truncate(end);
            self.out.push_str("</p>");
            self.line();
        }
    }

    /// Does text here need a paragraph around it?
    fn is_bare(&self) -> bool {
        let around = self
            .open
            .iter()
            .rev()
            .find(|open| open.is_block && !open.name.is_empty());
        around.is_none_or(|open| matches!(open.name, "blockquote" | "figure"))
    }

    fn node(&mut self, at: usize) {
        let node = &self.structure.nodes[at];
        let structure = self.structure;
        let is_block = node.kind.is_block();
        if is_block {
            // What was inline around a block is so in it, too.
            self.end_paragraph();
        }
        let mut tag = String::new();
        let name = match &node.kind {
            Kind::Block => "",
            Kind::Paragraph => match self
                .open
                .iter()
                .any(|open| open.name.starts_with('h') && open.name.len() == 2)
            {
                true => "",
                false => "p",
            },
            Kind::Heading(level) => {
                ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from((*level).clamp(1, 6)) - 1]
            }
            Kind::List(None) => "ul",
            Kind::List(Some(first)) => {
                if *first != 1 {
                    tag.push_str(&format!(" start=\"{first}\""));
                }
                "ol"
            }
            Kind::Item => "li",
            Kind::Quote => "blockquote",
            Kind::Code(_) => "pre",
            Kind::Table { .. } => "table",
            Kind::Caption => "caption",
            Kind::Row { .. } => "tr",
            Kind::Cell {
                header,
                columns,
                rows,
            } => {
                for (name, span) in [("colspan", columns), ("rowspan", rows)] {
                    if *span > 1 {
                        tag.push_str(&format!(" {name}=\"{span}\""));
                    }
                }
                if *header { "th" } else { "td" }
            }
            Kind::Terms => "dl",
            Kind::Term => "dt",
            Kind::Definition => "dd",
            Kind::Figure => "figure",
            Kind::FigureCaption => "figcaption",
            Kind::Rule => {
                self.out.push_str("<hr>");
                return self.line();
            }
            Kind::Break => {
                self.begin_text();
                return self.out.push_str("<br>");
            }
            Kind::Emphasis => "em",
            Kind::Strong => "strong",
            Kind::Deleted => "del",
            Kind::Subscript => "sub",
            Kind::Superscript => "sup",
            Kind::Verbatim => "code",
            Kind::Link(address) => {
                tag.push_str(&format!(
                    " href=\"{}\"",
                    escape_markup(structure.at(address))
                ));
                "a"
            }
            Kind::Image {
                address,
                alternative,
            } => {
                self.begin_text();
                let (address, alternative) = (structure.at(address), structure.at(alternative));
                let (address, alternative) = (escape_markup(address), escape_markup(alternative));
                return self
                    .out
                    .push_str(&format!("<img src=\"{address}\" alt=\"{alternative}\">"));
            }
            Kind::Math { tex, display } => {
                self.begin_text();
                let tex = escape_markup(structure.at(tex));
                let made = match display {
                    true => format!("\\[{tex}\\]"),
                    false => format!("\\({tex}\\)"),
                };
                return self.text(&made);
            }
            Kind::Text(place) => {
                let text = structure.at(place);
                if self.open.iter().any(|open| open.is_code) {
                    return self.text(&escape_markup(text));
                }
                // White space is a space, and none at the beginning of a block or line.
                let spaced = |c: char| c.is_ascii_whitespace();
                let is_at_beginning = self.out.is_empty()
                    || self.out.ends_with([' ', '\n'])
                    || self.open.last().is_some_and(|open| {
                        open.is_block && !open.name.is_empty() && self.out.ends_with('>')
                    });
                let words: Vec<&str> = text.split(spaced).filter(|it| !it.is_empty()).collect();
                if text.starts_with(spaced) && !is_at_beginning {
                    self.out.push(' ');
                }
                if words.is_empty() {
                    return;
                }
                self.begin_text();
                self.text(&escape_markup(&words.join(" ")));
                if text.ends_with(spaced) {
                    self.out.push(' ');
                }
                return;
            }
        };
        if !is_block {
            self.begin_text();
        }
        let is_code = name == "pre";
        if !name.is_empty() {
            self.out.push_str(&format!("<{name}{tag}>"));
        }
        if let Kind::Code(language) = &node.kind {
            let language = structure.at(language);
            self.out.push_str(&match language {
                "" => "<code>".to_owned(),
                language => format!("<code class=\"language-{}\">", escape_markup(language)),
            });
        }
        self.open.push(Open {
            end: node.end,
            name,
            is_block,
            is_code,
        });
    }

    fn begin_text(&mut self) {
        if !self.in_paragraph && self.is_bare() {
            self.out.push_str("<p>");
            self.in_paragraph = true;
        }
    }

    /// Text that is markup already.
    fn text(&mut self, text: &str) {
        match self.lines {
            Lines::Any => self.out.push_str(text),
            Lines::NoneBlank if self.open.iter().any(|open| open.is_code) => {
                self.out.push_str(&text.replace('\n', "&#10;"));
            }
            Lines::NoneBlank => self.out.push_str(&text.replace('\n', " ")),
        }
    }
}
