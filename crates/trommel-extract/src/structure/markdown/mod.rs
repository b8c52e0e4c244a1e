//! [`Structure`] to Markdown: CommonMark 0.31 with GitHub's tables and strikethrough; mathematics between dollar signs; what Markdown has
//! no way to write, such as cells over several rows, as HTML.

mod escape;
mod inline;

use escape::longest_run;
use inline::{Goes, Mark, Token, render};

use super::html::{Lines, write};
use super::node::{Kind, Structure};
use super::tables::{Way, way};

/// Writes a text with its structure as Markdown. It ends with a line feed unless it is empty.
pub fn markdown(structure: &Structure) -> String {
    let mut writer = Writer {
        structure,
        out: String::new(),
        around: Vec::new(),
        gap: Gap::Blank,
        tokens: Vec::new(),
        marks: Vec::new(),
        goes: Vec::new(),
        open: Vec::new(),
        last_list: None,
        last_rule: None,
    };
    writer.run();
    // A rule at the end parts nothing.
    if let Some((start, end)) = writer.last_rule
        && end == writer.out.len()
    {
        writer.out.truncate(start);
    }
    writer.out
}

/// What parts a block from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    Line,
    Blank,
}

/// What lines stand in.
enum Around {
    Quote {
        /// No line of it was written yet.
        is_fresh: bool,
    },
    Item {
        marker: String,
        is_fresh: bool,
    },
}

impl Around {
    /// Was no line of it written yet?
    fn is_fresh(&self) -> bool {
        match self {
            Around::Quote { is_fresh } | Around::Item { is_fresh, .. } => *is_fresh,
        }
    }
}

/// A list that is open, or was the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct List {
    /// The number of the next item, of a numbered one.
    number: Option<u32>,
    /// The second of two marks, as the list follows another of its kind directly.
    is_second: bool,
    is_loose: bool,
    has_items: bool,
}

/// What to do where a node ends.
enum End {
    Nothing,
    /// A paragraph ends.
    Block,
    /// A heading, or what is written like a paragraph of its own.
    Run,
    List(List),
    Item,
    Quote,
    Mark,
}

struct Writer<'a> {
    structure: &'a Structure,
    out: String,
    around: Vec<Around>,
    gap: Gap,
    /// The paragraph so far.
    tokens: Vec<Token>,
    /// Marks that are open: a paragraph that begins inside them begins with them.
    marks: Vec<Mark>,
    /// Levels of headings that are open.
    goes: Vec<u8>,
    open: Vec<(usize, End)>,
    /// The list that ended last: how much was written then, and how many things were around it.
    last_list: Option<(usize, usize, List)>,
    /// Where the last rule begins, with the blank line before it, and ends in what is written.
    last_rule: Option<(usize, usize)>,
}

impl Writer<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while at < self.structure.nodes.len() {
            self.close(at);
            at = self.node(at);
        }
        self.close(usize::MAX);
        self.flush();
    }

    /// Ends the nodes that end before a node.
    fn close(&mut self, at: usize) {
        while self.open.last().is_some_and(|(end, _)| *end <= at) {
            let Some((_, end)) = self.open.pop() else {
                return;
            };
            match end {
                End::Nothing => {}
                End::Block => self.flush(),
                End::Run => {
                    self.flush();
                    self.goes.pop();
                }
                End::List(list) => {
                    self.flush();
                    self.last_list = Some((self.out.len(), self.around.len(), list));
                    self.gap = Gap::Blank;
                }
                End::Item => {
                    self.flush();
                    self.around.pop();
                    self.gap = match self.list() {
                        Some(list) if !list.is_loose => Gap::Line,
                        _ => Gap::Blank,
                    };
                }
                End::Quote => {
                    self.flush();
                    self.around.pop();
                    self.gap = Gap::Blank;
                }
                End::Mark => {
                    self.tokens.push(Token::Close);
                    self.marks.pop();
                }
            }
        }
    }

    fn list(&mut self) -> Option<&mut List> {
        self.open.iter_mut().rev().find_map(|(_, end)| match end {
            End::List(list) => Some(list),
            _ => None,
        })
    }

    /// Writes a node, or begins it. Gives the number of the node that is next.
    fn node(&mut self, at: usize) -> usize {
        let structure = self.structure;
        let node = &structure.nodes[at];
        let end = match &node.kind {
            Kind::Text(place) => {
                self.tokens
                    .push(Token::Text(structure.at(place).to_owned()));
                return at + 1;
            }
            Kind::Break => {
                self.line_break();
                return at + 1;
            }
            Kind::Math { tex, display } => {
                let tex = structure.at(tex).to_owned();
                self.tokens.push(Token::Math {
                    tex,
                    display: *display,
                });
                return at + 1;
            }
            Kind::Image {
                address,
                alternative,
            } => {
                self.tokens.push(Token::Image {
                    address: structure.at(address).to_owned(),
                    alternative: structure.at(alternative).to_owned(),
                });
                return at + 1;
            }
            Kind::Verbatim => {
                self.tokens.push(Token::Code(structure.text_in(at)));
                return node.end;
            }
            Kind::Rule => {
                self.flush();
                self.rule();
                return at + 1;
            }
            Kind::Code(language) => {
                self.flush();
                let lines = fenced(&structure.text_in(at), structure.at(language));
                self.block(&lines);
                return node.end;
            }
            Kind::Table { .. } => match way(structure, at) {
                Way::Plain => {
                    self.flush();
                    self.table(at);
                    return node.end;
                }
                Way::Markup => {
                    self.flush();
                    let mut lines = String::new();
                    write(structure, at..node.end, Lines::NoneBlank, &mut lines);
                    self.block(&lines);
                    return node.end;
                }
                Way::Unwrapped => self.begin_block(),
            },
            Kind::Emphasis => self.mark(Mark::Emphasis),
            Kind::Strong => self.mark(Mark::Strong),
            Kind::Deleted => self.mark(Mark::Deleted),
            Kind::Subscript => self.mark(Mark::Subscript),
            Kind::Superscript => self.mark(Mark::Superscript),
            Kind::Link(address) => self.mark(Mark::Link(structure.at(address).to_owned())),
            // What is a block in a heading is part of its line.
            _ if !self.goes.is_empty()
                && !matches!(node.kind, Kind::List(_) | Kind::Item | Kind::Quote) =>
            {
                self.tokens.push(Token::Text(" ".to_owned()));
                End::Nothing
            }
            Kind::Heading(level) => {
                self.flush();
                self.goes.push(*level);
                End::Run
            }
            Kind::Term => {
                self.flush();
                self.marks.push(Mark::Strong);
                self.tokens.push(Token::Open(Mark::Strong));
                self.open.push((node.end, End::Block));
                End::Mark
            }
            Kind::List(number) => self.begin_list(at, *number),
            Kind::Item | Kind::Definition => self.begin_item(),
            Kind::Quote => {
                self.flush();
                self.around.push(Around::Quote { is_fresh: true });
                End::Quote
            }
            Kind::Block
            | Kind::Paragraph
            | Kind::Caption
            | Kind::Row { .. }
            | Kind::Cell { .. }
            | Kind::Terms
            | Kind::Figure
            | Kind::FigureCaption => self.begin_block(),
        };
        self.open.push((node.end, end));
        at + 1
    }

    fn begin_block(&mut self) -> End {
        self.flush();
        End::Block
    }

    fn mark(&mut self, mark: Mark) -> End {
        self.tokens.push(Token::Open(mark.clone()));
        self.marks.push(mark);
        End::Mark
    }

    /// A second line break after another begins a paragraph.
    fn line_break(&mut self) {
        let is_blank =
            |token: &&Token| matches!(token, Token::Text(text) if text.trim().is_empty());
        let last = self.tokens.iter().rev().find(|token| !is_blank(token));
        match last {
            Some(Token::Break) if self.goes.is_empty() => self.flush(),
            _ => self.tokens.push(Token::Break),
        }
    }

    fn begin_list(&mut self, at: usize, number: Option<u32>) -> End {
        self.flush();
        let is_second = self
            .last_list
            .as_ref()
            .is_some_and(|(written, around, last)| {
                *written == self.out.len()
                    && *around == self.around.len()
                    && last.number.is_some() == number.is_some()
                    && !last.is_second
                    && last.has_items
            });
        let is_loose = is_loose(self.structure, at);
        // A list in an item goes on from the text before it; only one that begins with 1 may follow a line of text.
        let in_item = matches!(
            self.around.last(),
            Some(Around::Item {
                is_fresh: false,
                ..
            })
        );
        let outer_is_tight = self.list().is_some_and(|list| !list.is_loose);
        if in_item && outer_is_tight && !is_second && number.is_none_or(|number| number == 1) {
            self.gap = Gap::Line;
        }
        End::List(List {
            number,
            is_second,
            is_loose,
            has_items: false,
        })
    }

    /// An item of a list, or what is written as one.
    fn begin_item(&mut self) -> End {
        self.flush();
        let is_list_item = matches!(self.open.last(), Some((_, End::List(_))));
        let marker = match self.list().filter(|_| is_list_item) {
            Some(list) => {
                list.has_items = true;
                let number = list.number;
                list.number = number.map(|number| number + 1);
                match (number, list.is_second) {
                    (None, false) => "-".to_owned(),
                    (None, true) => "*".to_owned(),
                    (Some(number), false) => format!("{number}."),
                    (Some(number), true) => format!("{number})"),
                }
            }
            None => "-".to_owned(),
        };
        self.around.push(Around::Item {
            marker,
            is_fresh: true,
        });
        End::Item
    }

    /// Writes the paragraph so far, if there is one.
    fn flush(&mut self) {
        if self.tokens.is_empty() {
            return;
        }
        let mut tokens = std::mem::take(&mut self.tokens);
        // What is open ends here and begins anew in the next paragraph.
        tokens.extend(self.marks.iter().map(|_| Token::Close));
        self.tokens
            .extend(self.marks.iter().cloned().map(Token::Open));
        let has_math = self.structure.has_math;
        match self.goes.last() {
            Some(level) => {
                let text = render(&tokens, Goes::Heading, has_math);
                if !text.is_empty() {
                    self.block(&format!("{} {text}", "#".repeat(usize::from(*level))));
                }
            }
            None => {
                let text = render(&tokens, Goes::Paragraph, has_math);
                self.block(&text);
            }
        }
    }

    /// Writes lines, with what they stand in before each.
    fn block(&mut self, lines: &str) {
        if lines.trim().is_empty() {
            return;
        }
        self.lines(lines);
    }

    /// Writes a rule, where there is something that it parts from what follows.
    fn rule(&mut self) {
        let is_fresh = self.around.iter().any(Around::is_fresh);
        let is_second = self.last_rule.is_some_and(|(_, end)| end == self.out.len());
        if !self.out.is_empty() && !is_fresh && !is_second && self.goes.is_empty() {
            self.gap = Gap::Blank;
            let start = self.out.len();
            self.lines("---");
            self.last_rule = Some((start, self.out.len()));
        }
    }

    fn lines(&mut self, lines: &str) {
        if !self.out.is_empty() && self.gap == Gap::Blank {
            // A line that belongs to what goes on, not to what begins.
            let is_fresh = |around: &Around| match around {
                Around::Quote { is_fresh } | Around::Item { is_fresh, .. } => *is_fresh,
            };
            let goes_on = self
                .around
                .iter()
                .position(is_fresh)
                .unwrap_or(self.around.len());
            let mut prefix = String::new();
            for around in &self.around[..goes_on] {
                match around {
                    Around::Quote { .. } => prefix.push_str("> "),
                    Around::Item { marker, .. } => {
                        prefix.extend(std::iter::repeat_n(' ', marker.len() + 1))
                    }
                }
            }
            self.out.push_str(prefix.trim_end());
            self.out.push('\n');
        }
        for line in lines.trim_end_matches('\n').split('\n') {
            let start = self.out.len();
            for around in &mut self.around {
                match around {
                    Around::Quote { is_fresh } => {
                        self.out.push_str("> ");
                        *is_fresh = false;
                    }
                    Around::Item { marker, is_fresh } => match std::mem::take(is_fresh) {
                        true => {
                            self.out.push_str(marker);
                            self.out.push(' ');
                        }
                        false => self.out.extend(std::iter::repeat_n(' ', marker.len() + 1)),
                    },
                }
            }
            if line.is_empty() {
                let end = self.out[start..].trim_end().len() + start;
                self.out.truncate(end);
            }
            self.out.push_str(line);
            self.out.push('\n');
        }
        self.gap = Gap::Blank;
    }

    /// A table whose cells are lines: GitHub Flavored Markdown §4.10.
    fn table(&mut self, table: usize) {
        let structure = self.structure;
        let mut rows: Vec<(bool, Vec<String>)> = Vec::new();
        let mut caption = String::new();
        for (number, node) in structure.inside(table) {
            match node.kind {
                Kind::Caption => caption = self.cell(number, Goes::Paragraph),
                Kind::Row { head } => rows.push((head, Vec::new())),
                Kind::Cell { header, .. } => {
                    let text = self.cell(number, Goes::Cell);
                    if let Some((head, row)) = rows.last_mut() {
                        *head &= header;
                        *head |= header && row.is_empty();
                        row.push(text);
                    }
                }
                _ => {}
            }
        }
        self.block(&caption);
        // The first row heads the table if all its cells are headers; else the head is empty, since Markdown has no table without.
        let columns = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        let is_headed = rows.first().is_some_and(|(_, row)| !row.is_empty())
            && structure
                .inside(table)
                .find_map(|(number, node)| match node.kind {
                    Kind::Row { .. } => Some(number),
                    _ => None,
                })
                .is_some_and(|row| heads(structure, row));
        let mut lines = String::new();
        let empty = Vec::new();
        let head = match is_headed {
            true => &rows[0].1,
            false => &empty,
        };
        line(head, columns, &mut lines);
        lines.push('|');
        lines.push_str(&" --- |".repeat(columns));
        lines.push('\n');
        for (_, row) in rows.iter().skip(usize::from(is_headed)) {
            line(row, columns, &mut lines);
        }
        self.block(&lines);
    }

    /// What stands in a cell, or in a caption, in one line.
    fn cell(&self, cell: usize, goes: Goes) -> String {
        let structure = self.structure;
        let mut tokens = Vec::new();
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut skip_to = cell + 1;
        for (number, node) in structure.inside(cell) {
            while open.last().is_some_and(|(end, _)| *end <= number) {
                let is_mark = open.pop().is_some_and(|(_, is_mark)| is_mark);
                tokens.push(if is_mark { Token::Close } else { Token::Break });
            }
            if number < skip_to {
                continue;
            }
            let mark = match &node.kind {
                Kind::Text(place) => {
                    tokens.push(Token::Text(structure.at(place).to_owned()));
                    continue;
                }
                Kind::Break => {
                    tokens.push(Token::Break);
                    continue;
                }
                Kind::Verbatim => {
                    tokens.push(Token::Code(structure.text_in(number)));
                    skip_to = node.end;
                    continue;
                }
                Kind::Math { tex, display } => {
                    tokens.push(Token::Math {
                        tex: structure.at(tex).to_owned(),
                        display: *display,
                    });
                    continue;
                }
                Kind::Image {
                    address,
                    alternative,
                } => {
                    tokens.push(Token::Image {
                        address: structure.at(address).to_owned(),
                        alternative: structure.at(alternative).to_owned(),
                    });
                    continue;
                }
                Kind::Emphasis => Mark::Emphasis,
                Kind::Strong | Kind::Heading(_) | Kind::Term => Mark::Strong,
                Kind::Deleted => Mark::Deleted,
                Kind::Subscript => Mark::Subscript,
                Kind::Superscript => Mark::Superscript,
                Kind::Link(address) => Mark::Link(structure.at(address).to_owned()),
                _ => {
                    tokens.push(Token::Break);
                    open.push((node.end, false));
                    continue;
                }
            };
            if node.kind.is_block() {
                // It has a line of its own.
                tokens.push(Token::Break);
                open.push((node.end, false));
            }
            tokens.push(Token::Open(mark));
            open.push((node.end, true));
        }
        while let Some((_, is_mark)) = open.pop() {
            tokens.push(if is_mark { Token::Close } else { Token::Break });
        }
        render(&tokens, goes, structure.has_math)
    }
}

/// Are all cells of a row headers, or does it stand in the head?
fn heads(structure: &Structure, row: usize) -> bool {
    let is_head = structure.nodes[row].kind == Kind::Row { head: true };
    let mut cells = structure.children(row);
    let is_header =
        |cell: usize| matches!(structure.nodes[cell].kind, Kind::Cell { header: true, .. });
    is_head || cells.all(is_header)
}

/// A row of a table.
fn line(cells: &[String], columns: usize, out: &mut String) {
    out.push('|');
    for column in 0..columns {
        let cell = cells.get(column).map_or("", String::as_str);
        out.push(' ');
        out.push_str(cell);
        out.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    out.push('\n');
}

/// Has a list an item of several paragraphs, or of what stands by itself?
fn is_loose(structure: &Structure, list: usize) -> bool {
    let mut paragraphs = 0;
    let mut skip_to = 0;
    for (number, node) in structure.inside(list) {
        if number < skip_to {
            continue;
        }
        match node.kind {
            // Lists in items are lists of their own.
            Kind::List(_) => skip_to = node.end,
            Kind::Item => paragraphs = 0,
            Kind::Paragraph => paragraphs += 1,
            Kind::Heading(_)
            | Kind::Code(_)
            | Kind::Quote
            | Kind::Table { .. }
            | Kind::Terms
            | Kind::Rule => {
                return true;
            }
            _ => {}
        }
        if paragraphs > 1 {
            return true;
        }
    }
    false
}

/// Code between fences: CommonMark §4.5.
fn fenced(code: &str, language: &str) -> String {
    let code = code.trim_end();
    // The first lines may be blank, but not the beginning of the first that is not.
    let begins = code.len() - code.trim_start().len();
    let code = match code[..begins].rfind('\n') {
        Some(at) => &code[at + 1..],
        None => code,
    };
    if code.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat((longest_run(code, '`') + 1).max(3));
    format!("{fence}{language}\n{code}\n{fence}")
}
