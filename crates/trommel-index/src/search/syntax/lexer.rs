//! Query text to tokens.

use crate::search::expression::{Field, Leaf, Occur};
use crate::search::syntax::error::{SyntaxError, warn};

/// A piece of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    And,
    Or,
    Not,
    Open(Prefix),
    Close,
    Leaf(Prefix, Leaf),
}

/// What stands before a word, phrase or group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Prefix {
    pub occur: Option<Occur>,
    pub field: Option<Field>,
}

/// The tokens of a query, in order, and what is to be warned of.
pub(crate) fn tokens(text: &str) -> Result<(Vec<Token>, Vec<String>), SyntaxError> {
    let mut lexer = Lexer {
        rest: text,
        tokens: Vec::new(),
        warnings: Vec::new(),
    };
    lexer.run()?;
    Ok((lexer.tokens, lexer.warnings))
}

struct Lexer<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    warnings: Vec<String>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), SyntaxError> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() {
                return Ok(());
            }
            if let Some(rest) = self.rest.strip_prefix(')') {
                self.rest = rest;
                self.no_suffix(")")?;
                self.tokens.push(Token::Close);
                continue;
            }
            let prefix = self.prefix()?;
            if let Some(rest) = self.rest.strip_prefix('(') {
                self.rest = rest;
                self.tokens.push(Token::Open(prefix));
            } else if let Some(text) = self.quoted() {
                self.no_suffix(&format!("\"{text}\""))?;
                self.leaf(prefix, text, true);
            } else {
                self.word(prefix)?;
            }
        }
    }

    fn warn(&mut self, warning: String) {
        warn(&mut self.warnings, warning);
    }

    fn leaf(&mut self, prefix: Prefix, text: String, quoted: bool) {
        let leaf = Leaf {
            field: prefix.field,
            text,
            quoted,
        };
        self.tokens.push(Token::Leaf(prefix, leaf));
    }

    /// A sign and a field, if something stands right after them.
    fn prefix(&mut self) -> Result<Prefix, SyntaxError> {
        let occur = self.sign();
        let field = self.field()?;
        Ok(Prefix { occur, field })
    }

    fn sign(&mut self) -> Option<Occur> {
        let (sign, occur) = match self.rest.chars().next()? {
            '+' => ('+', Occur::Must),
            '-' => ('-', Occur::MustNot),
            _ => return None,
        };
        let rest = &self.rest[1..];
        if begins_operand(rest) && !rest.starts_with(['+', '-']) {
            self.rest = rest;
            return Some(occur);
        }
        self.warn(format!(
            "'{}' is taken as words: a sign stands right before its word, as in {sign}rain",
            until_blank(self.rest)
        ));
        None
    }

    fn field(&mut self) -> Result<Option<Field>, SyntaxError> {
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let (name, rest) = match self.rest.find(|c| !in_name(c)) {
            Some(end) if self.rest.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                self.rest.split_at(end)
            }
            _ => return Ok(None),
        };
        let Some(value) = rest.strip_prefix(':') else {
            return Ok(None);
        };
        match Field::by_name(name) {
            Some(field) if begins_operand(value) => {
                self.rest = value;
                return Ok(Some(field));
            }
            Some(_) => self.warn(format!(
                "'{name}:' is taken as a word: what is searched stands right after it, as in {name}:rain"
            )),
            None if value.starts_with("//") => {
                let word = until_blank(self.rest);
                self.warn(format!(
                    "'{word}' is searched as words of the text: url:{word} searches addresses"
                ));
            }
            None if value.starts_with(|c: char| c.is_alphanumeric() || "\"(“".contains(c)) => {
                let word = until_blank(self.rest).to_owned();
                return Err(SyntaxError::UnknownField(word, name.to_owned()));
            }
            None => {}
        }
        Ok(None)
    }

    /// A text in quotes; the quotes may be typographic.
    fn quoted(&mut self) -> Option<String> {
        for (open, close) in [('"', '"'), ('“', '”')] {
            let Some(rest) = self.rest.strip_prefix(open) else {
                continue;
            };
            if let Some((text, rest)) = rest.split_once(close) {
                self.rest = rest;
                return Some(text.to_owned());
            }
            self.warn(format!("a quote without its other one is left out: {open}"));
            self.rest = rest;
        }
        None
    }

    /// Refuses weights, slop and prefixes of phrases and groups.
    fn no_suffix(&self, before: &str) -> Result<(), SyntaxError> {
        let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let what = match self.rest.as_bytes().first() {
            Some(b'^') if digit(&self.rest[1..]) => "weights",
            Some(b'~') if digit(&self.rest[1..]) => "gaps in phrases",
            Some(b'*') => "word beginnings with *",
            _ => return Ok(()),
        };
        Err(SyntaxError::Unsupported {
            text: format!("{before}{}", until_blank(self.rest)),
            what,
        })
    }

    fn word(&mut self, prefix: Prefix) -> Result<(), SyntaxError> {
        let end = self
            .rest
            .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        let (word, after) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let unsupported = |text: &str, what| {
            Err(SyntaxError::Unsupported {
                text: text.to_owned(),
                what,
            })
        };
        if let Some(range) = range(self.rest) {
            return unsupported(range, "ranges");
        }
        if word
            .strip_suffix('*')
            .is_some_and(|head| !head.is_empty() && head.chars().all(char::is_alphanumeric))
        {
            return unsupported(word, "word beginnings with *");
        }
        self.rest = after;
        let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if word.len() > 2 && word.starts_with('/') && word.ends_with('/') {
            self.warn(format!(
                "'{word}' is taken as words: there are no regular expressions here"
            ));
        } else if word
            .rsplit_once(['^', '~'])
            .is_some_and(|(head, tail)| number(tail) && head.ends_with(char::is_alphanumeric))
        {
            self.warn(format!(
                "'{word}' is taken as words: there are no weights or similar words here"
            ));
        }
        match word {
            "" => return Ok(()),
            "AND" | "OR" | "NOT" if prefix == Prefix::default() => {
                self.tokens.push(match word {
                    "AND" => Token::And,
                    "OR" => Token::Or,
                    _ => Token::Not,
                });
                return Ok(());
            }
            "&&" | "||" => self.warn(format!(
                "'{word}' is taken as a word: the operators are AND, OR, NOT"
            )),
            _ => {}
        }
        self.leaf(prefix, word.to_owned(), false);
        Ok(())
    }
}

/// The text up to a blank.
fn until_blank(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Does a word, phrase or group begin here?
fn begins_operand(text: &str) -> bool {
    text.starts_with(|c: char| !c.is_whitespace() && c != ')')
}

/// `[a TO b]` at the beginning of a text, with any brackets.
fn range(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    let first = words.next()?.starts_with(['[', '{']);
    let to = words.next()? == "TO";
    let last = words.next()?;
    let end = last.find([']', '}'])?;
    // Words are parts of the text: the distance of their beginnings is an offset in it.
    let length = last.as_ptr() as usize - text.as_ptr() as usize + end + 1;
    (first && to).then(|| &text[..length])
}
