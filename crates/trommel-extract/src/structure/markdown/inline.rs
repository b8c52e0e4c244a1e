//! The text of one paragraph, heading or cell: what stands in it, and what that is in Markdown.

use super::escape::{Context, code, escape};

/// What goes into a run of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Text, white space as it stands in the page.
    Text(String),
    /// Code.
    Code(String),
    /// TeX.
    Math { tex: String, display: bool },
    /// A line break.
    Break,
    /// An image.
    Image {
        address: String,
        alternative: String,
    },
    /// Where something begins.
    Open(Mark),
    /// Where the last thing that began ends.
    Close,
}

/// What text may be marked as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Emphasis,
    Strong,
    Deleted,
    Subscript,
    Superscript,
    Link(String),
}

/// Where a run of text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goes {
    /// Into a paragraph.
    Paragraph,
    /// Into a heading, which is one line.
    Heading,
    /// Into a cell of a table, which is part of one.
    Cell,
}

/// So many marks in one paragraph are looked at; more are no marks of a writer's.
const MOST_PAIRS: usize = 2_000;

/// A piece of Markdown.
enum Piece {
    /// What stands there, and the number of its pair of marks if it is one.
    Text(String),
    Open(usize),
    Close(usize),
}

/// What there is between an opening mark and its closing one.
struct Pair {
    mark: Mark,
    /// Left out, as Markdown would not take it for what it is.
    is_dropped: bool,
}

/// Makes Markdown of tokens, of which each that opens is closed. Nothing but white space gives an empty text.
pub(super) fn render(tokens: &[Token], goes: Goes, has_math: bool) -> String {
    let mut run = Run {
        goes,
        has_math,
        pieces: Vec::new(),
        pairs: Vec::new(),
        open: Vec::new(),
        waiting: 0,
        space: false,
        breaks: false,
        is_empty: true,
        begins_line: true,
    };
    for token in tokens {
        run.token(token);
    }
    run.merge();
    let mut text = run.settle();
    if goes == Goes::Heading && text.ends_with('#') {
        // A heading may end in a mark like that which it begins with.
        let without = text.trim_end_matches('#');
        if without.is_empty() || without.ends_with(' ') {
            text.insert(text.len() - 1, '\\');
        }
    }
    text
}

struct Run {
    goes: Goes,
    has_math: bool,
    pieces: Vec<Piece>,
    pairs: Vec<Pair>,
    /// Pairs that are open; none for those that say what an outer one said already.
    open: Vec<Option<usize>>,
    /// So many of the last of them have nothing in them yet, and are not among the pieces.
    waiting: usize,
    /// White space comes before the next character.
    space: bool,
    /// A line break does.
    breaks: bool,
    is_empty: bool,
    begins_line: bool,
}

impl Run {
    fn token(&mut self, token: &Token) {
        match token {
            Token::Text(text) => self.text(text),
            Token::Code(text) if text.trim().is_empty() => self.space = true,
            Token::Code(text) => {
                let spaced = |c: char| c.is_ascii_whitespace();
                self.space |= text.starts_with(spaced);
                let mut made = String::new();
                code(
                    text.trim_matches(spaced),
                    self.goes == Goes::Cell,
                    &mut made,
                );
                self.visible(made);
                self.space = text.ends_with(spaced);
            }
            Token::Math { tex, display } => {
                let words: Vec<&str> = tex.split_whitespace().collect();
                let mut tex = words.join(" ");
                if self.goes == Goes::Cell {
                    tex = tex.replace('|', "\\vert ");
                }
                let mark = if *display && self.goes == Goes::Paragraph {
                    "$$"
                } else {
                    "$"
                };
                self.visible(format!("{mark}{tex}{mark}"));
            }
            Token::Break => match self.goes {
                Goes::Heading => self.space = true,
                _ => self.breaks = true,
            },
            Token::Image {
                address,
                alternative,
            } => {
                let mut made = "![".to_owned();
                let context = Context {
                    begins_line: false,
                    in_link: true,
                    in_cell: self.goes == Goes::Cell,
                    has_math: self.has_math,
                };
                escape(alternative, context, &mut made);
                made.push_str(&format!("]({address})"));
                self.visible(made);
            }
            Token::Open(mark) => {
                let is_said =
                    |pair: &Option<usize>| pair.is_some_and(|pair| self.pairs[pair].mark == *mark);
                // A heading is strong by itself.
                let said = self.open.iter().any(is_said)
                    || self.pairs.len() >= MOST_PAIRS
                    || self.goes == Goes::Heading && *mark == Mark::Strong;
                let pair = (!said).then(|| {
                    self.pairs.push(Pair {
                        mark: mark.clone(),
                        is_dropped: false,
                    });
                    self.pairs.len() - 1
                });
                self.open.push(pair);
                self.waiting += 1;
            }
            Token::Close => {
                let pair = self.open.pop().flatten();
                if self.waiting > 0 {
                    self.waiting -= 1;
                } else if let Some(pair) = pair {
                    self.pieces.push(Piece::Close(pair));
                }
            }
        }
    }

    /// White space, as HTML collapses it; others, such as a non-breaking space, are characters.
    fn text(&mut self, text: &str) {
        let spaced = |c: char| c.is_ascii_whitespace();
        let mut rest = text;
        loop {
            let word = rest.trim_start_matches(spaced);
            self.space |= word.len() < rest.len();
            if word.is_empty() {
                return;
            }
            // All words up to the last, between single spaces.
            let end = word.trim_end_matches(spaced).len();
            let words: Vec<&str> = word[..end]
                .split(spaced)
                .filter(|word| !word.is_empty())
                .collect();
            self.before();
            let context = Context {
                begins_line: std::mem::take(&mut self.begins_line),
                in_link: self.is_in_link(),
                in_cell: self.goes == Goes::Cell,
                has_math: self.has_math,
            };
            let mut made = String::new();
            escape(&words.join(" "), context, &mut made);
            self.pieces.push(Piece::Text(made));
            rest = &word[end..];
        }
    }

    fn is_in_link(&self) -> bool {
        let mut open = self.open.iter().flatten();
        open.any(|pair| matches!(self.pairs[*pair].mark, Mark::Link(_)))
    }

    fn visible(&mut self, text: String) {
        self.before();
        self.begins_line = false;
        self.pieces.push(Piece::Text(text));
    }

    /// What comes before the next thing that is seen: a space or line break, and marks that were waiting for it.
    fn before(&mut self) {
        let (space, breaks) = (
            std::mem::take(&mut self.space),
            std::mem::take(&mut self.breaks),
        );
        if !self.is_empty && breaks {
            let text = match self.goes {
                Goes::Cell => "<br>",
                _ => "\\\n",
            };
            self.pieces.push(Piece::Text(text.to_owned()));
            self.begins_line = self.goes == Goes::Paragraph;
        } else if !self.is_empty && space {
            self.pieces.push(Piece::Text(" ".to_owned()));
        }
        self.is_empty = false;
        let waiting = self.open.len() - std::mem::take(&mut self.waiting);
        let opened = self.open[waiting..].iter().flatten().copied();
        self.pieces.extend(opened.map(Piece::Open));
    }

    /// Where one pair ends and the next of its kind begins, it goes on.
    fn merge(&mut self) {
        let mut at = 0;
        while at + 1 < self.pieces.len() {
            if let (Piece::Close(first), Piece::Open(second)) =
                (&self.pieces[at], &self.pieces[at + 1])
                && self.pairs[*first].mark == self.pairs[*second].mark
                && !matches!(self.pairs[*first].mark, Mark::Link(_))
            {
                let (first, second) = (*first, *second);
                self.pieces.drain(at..at + 2);
                for piece in &mut self.pieces[at..] {
                    if let Piece::Close(pair) = piece
                        && *pair == second
                    {
                        *pair = first;
                    }
                }
                at = at.saturating_sub(1);
            } else {
                at += 1;
            }
        }
    }

    /// Leaves out marks that would be taken for text, and puts the pieces together.
    fn settle(mut self) -> String {
        // Leaving out one may change what stands beside another; that ends soon.
        for _ in 0..8 {
            let wrong = self.wrong();
            if wrong.is_empty() {
                break;
            }
            for pair in wrong {
                self.pairs[pair].is_dropped = true;
            }
        }
        for pair in self.wrong() {
            self.pairs[pair].is_dropped = true;
        }
        let underscored = self.underscored();
        let mut text = String::new();
        for piece in &self.pieces {
            text.push_str(&self.shown(piece, &underscored));
        }
        text
    }

    /// Of each pair whether its mark is an underscore: where a star would touch another.
    fn underscored(&self) -> Vec<bool> {
        let mut underscored = vec![false; self.pairs.len()];
        let stars = |piece: &Piece| match piece {
            Piece::Open(pair) | Piece::Close(pair) if !self.pairs[*pair].is_dropped => {
                match self.pairs[*pair].mark {
                    Mark::Emphasis => Some((*pair, true)),
                    Mark::Strong => Some((*pair, false)),
                    _ => None,
                }
            }
            _ => None,
        };
        let is_there = |piece: &&Piece| match piece {
            Piece::Open(pair) | Piece::Close(pair) => !self.pairs[*pair].is_dropped,
            Piece::Text(_) => true,
        };
        let there: Vec<&Piece> = self.pieces.iter().filter(is_there).collect();
        for pieces in there.windows(2) {
            if let (Some(one), Some(other)) = (stars(pieces[0]), stars(pieces[1])) {
                for (pair, is_emphasis) in [one, other] {
                    underscored[pair] |= is_emphasis;
                }
            }
        }
        underscored
    }

    fn shown(&self, piece: &Piece, underscored: &[bool]) -> String {
        match piece {
            Piece::Text(text) => text.clone(),
            Piece::Open(pair) | Piece::Close(pair) if self.pairs[*pair].is_dropped => String::new(),
            Piece::Open(pair) | Piece::Close(pair) => {
                let opens = matches!(piece, Piece::Open(_));
                match (&self.pairs[*pair].mark, opens) {
                    (Mark::Emphasis, _) if underscored[*pair] => "_".to_owned(),
                    (Mark::Emphasis, _) => "*".to_owned(),
                    (Mark::Strong, _) => "**".to_owned(),
                    (Mark::Deleted, _) => "~~".to_owned(),
                    (Mark::Subscript, true) => "<sub>".to_owned(),
                    (Mark::Subscript, false) => "</sub>".to_owned(),
                    (Mark::Superscript, true) => "<sup>".to_owned(),
                    (Mark::Superscript, false) => "</sup>".to_owned(),
                    (Mark::Link(_), true) => "[".to_owned(),
                    (Mark::Link(address), false) => format!("]({address})"),
                }
            }
        }
    }

    /// The pairs whose marks would be taken for text: CommonMark §6.2, left- and right-flanking delimiter runs.
    fn wrong(&self) -> Vec<usize> {
        let underscored = self.underscored();
        let shown: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| self.shown(piece, &underscored))
            .collect();
        let mut wrong = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let (pair, opens) = match piece {
                Piece::Open(pair) => (*pair, true),
                Piece::Close(pair) => (*pair, false),
                Piece::Text(_) => continue,
            };
            let is_run = matches!(
                self.pairs[pair].mark,
                Mark::Emphasis | Mark::Strong | Mark::Deleted
            );
            if self.pairs[pair].is_dropped || !is_run {
                continue;
            }
            let before = shown[..at]
                .iter()
                .rev()
                .find_map(|text| text.chars().next_back());
            let after = shown[at + 1..].iter().find_map(|text| text.chars().next());
            let (inner, outer) = if opens {
                (after, before)
            } else {
                (before, after)
            };
            let is_mark = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
            let inner = inner.filter(|c| !c.is_whitespace());
            let is_apart = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_mark(c));
            let flanks = inner.is_some_and(|inner| !is_mark(inner) || is_apart(outer));
            // An underscore must not stand in a word.
            let may = !underscored[pair] || is_apart(outer);
            if !(flanks && may) {
                wrong.push(pair);
            }
        }
        wrong.sort_unstable();
        wrong.dedup();
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Token {
        Token::Text(text.to_owned())
    }

    #[track_caller]
    fn check(tokens: &[Token], expected: &str) {
        assert_eq!(render(tokens, Goes::Paragraph, false), expected);
    }

    #[test]
    fn marks_stand_where_markdown_takes_them() {
        let strong = || Token::Open(Mark::Strong);
        let emphasis = || Token::Open(Mark::Emphasis);
        check(
            &[text("a "), strong(), text(" b "), Token::Close, text("c")],
            "a **b** c",
        );
        check(
            &[text("a"), strong(), text(" "), Token::Close, text("c")],
            "a c",
        );
        check(
            &[
                strong(),
                text("a"),
                Token::Close,
                strong(),
                text("b"),
                Token::Close,
            ],
            "**ab**",
        );
        check(
            &[strong(), strong(), text("a"), Token::Close, Token::Close],
            "**a**",
        );
        check(
            &[strong(), emphasis(), text("a"), Token::Close, Token::Close],
            "**_a_**",
        );
        check(
            &[
                emphasis(),
                text("a"),
                Token::Close,
                strong(),
                text("b"),
                Token::Close,
            ],
            "_a_**b**",
        );
        // A star between a letter and a bracket would be text.
        check(
            &[text("a"), emphasis(), text("(b)"), Token::Close, text("c")],
            "a(b)c",
        );
        check(
            &[text("a"), emphasis(), text("b"), Token::Close, text("c")],
            "a*b*c",
        );
    }

    #[test]
    fn breaks_stand_between_texts() {
        check(
            &[
                Token::Break,
                text("a "),
                Token::Break,
                text("- b"),
                Token::Break,
            ],
            "a\\\n\\- b",
        );
        let cell = render(&[text("a|b"), Token::Break, text("c")], Goes::Cell, false);
        assert_eq!(cell, "a\\|b<br>c");
        assert_eq!(render(&[text("C #")], Goes::Heading, false), "C \\#");
        assert_eq!(render(&[text("C#")], Goes::Heading, false), "C#");
    }
}
