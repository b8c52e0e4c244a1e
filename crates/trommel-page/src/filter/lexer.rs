//! The text of a filter in tokens.

use std::fmt;
use std::ops::Range;

use super::error::{Problem, at, named};
use super::operator::{OPERATORS, Operator};
use crate::attribute;

/// A token and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub place: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A run of characters of names, numbers and dates; never quoted.
    Bare(String),
    /// A text in quotes.
    Quoted(String),
    Operator(Operator),
    Open,
    Close,
    Comma,
    /// `..`
    To,
    End,
}

/// The text of the filter that every block passes.
pub const UNFILTERED: &str = "unfiltered";

/// What ends the filter in a weight's `if FILTER then …`.
pub(crate) const THEN: &str = "then";

/// Words that are part of the language.
pub(super) const KEYWORDS: [&str; 7] = ["and", "or", "not", "in", "of", THEN, UNFILTERED];

/// Is a character of names, numbers and dates?
pub(super) fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '%' | '+' | '@')
}

/// Cuts a text into tokens; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Problem> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(token) = next(text, start)? {
        start = token.place.end;
        tokens.push(token);
    }
    tokens.push(end(text.len()..text.len()));
    Ok(tokens)
}

/// Cuts the tokens from `start` up to a word of the language that ends them, in place of which the end stands; says where
/// the word ends. None if there is no such word.
pub(crate) fn tokens_before(
    text: &str,
    mut start: usize,
    word: &str,
) -> Result<Option<(Vec<Token>, usize)>, Problem> {
    let mut tokens = Vec::new();
    while let Some(token) = next(text, start)? {
        if token.is_word(word) {
            tokens.push(end(token.place.clone()));
            return Ok(Some((tokens, token.place.end)));
        }
        start = token.place.end;
        tokens.push(token);
    }
    Ok(None)
}

/// The parameter that begins at a place, which nobody has given a value.
pub(crate) fn unbound(text: &str, start: usize) -> Problem {
    let rest = &text[start + 1..];
    let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')));
    let place = start..start + 1 + length.unwrap_or(rest.len());
    let what = format!("the parameter {} has no value", &text[place.clone()]);
    at(place, what).hint("put a number in its place; sweeps try several in weights")
}

fn end(place: Range<usize>) -> Token {
    Token {
        kind: TokenKind::End,
        place,
    }
}

impl Token {
    /// Is it this word of the language?
    pub fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, TokenKind::Bare(own) if own.eq_ignore_ascii_case(word))
    }
}

/// The first token at or behind a place; none at the end.
pub(crate) fn next(text: &str, start: usize) -> Result<Option<Token>, Problem> {
    let rest = text[start..].trim_start();
    let start = text.len() - rest.len();
    let Some(first) = rest.chars().next() else {
        return Ok(None);
    };
    let operator = OPERATORS
        .iter()
        .find(|(symbol, _)| rest.starts_with(symbol));
    let (kind, length) = match first {
        '(' => (TokenKind::Open, 1),
        ')' => (TokenKind::Close, 1),
        ',' => (TokenKind::Comma, 1),
        '"' | '\'' => quoted(rest, first)
            .ok_or_else(|| at(start..text.len(), format!("the {first} has no other one")))?,
        _ if rest.starts_with("..") => (TokenKind::To, 2),
        _ if operator.is_some() => {
            let (symbol, operator) = operator.unwrap_or(&OPERATORS[0]);
            (TokenKind::Operator(*operator), symbol.len())
        }
        c if is_bare(c) => bare(rest),
        '$' => return Err(unbound(text, start)),
        c => {
            let what = format!("{} is no part of a filter", named(c));
            return Err(at(start..start + c.len_utf8(), what));
        }
    };
    Ok(Some(Token {
        kind,
        place: start..start + length,
    }))
}

/// A run of bare characters, up to two dots in a row. Behind a colon it may have `=`, as the parameters of extractors do
/// (`justext:language=German`).
fn bare(rest: &str) -> (TokenKind, usize) {
    let mut colon = false;
    let end = rest.char_indices().find(|(at, c)| {
        colon |= *c == ':' && rest.starts_with(|first: char| first.is_alphabetic());
        rest[*at..].starts_with("..") || !(is_bare(*c) || colon && *c == '=')
    });
    let length = end.map_or(rest.len(), |(at, _)| at);
    (TokenKind::Bare(rest[..length].to_owned()), length)
}

/// What stands in quotes; a backslash takes the next character as it is.
fn quoted(rest: &str, quote: char) -> Option<(TokenKind, usize)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => text.push(chars.next()?.1),
            c if c == quote => return Some((TokenKind::Quoted(text), at + 1)),
            c => text.push(c),
        }
    }
    None
}

/// Is a name read as itself without quotes?
pub(super) fn is_plain(name: &str) -> bool {
    let word = tokens(name).is_ok_and(|tokens| {
        matches!(tokens.as_slice(), [Token { kind: TokenKind::Bare(_), place }, _] if place.len() == name.len())
    });
    let keyword = KEYWORDS.iter().any(|it| name.eq_ignore_ascii_case(it));
    let number = name.starts_with(|c: char| c.is_ascii_digit());
    let attribute = attribute::by_name(&name.to_ascii_lowercase().replace('_', "-")).is_some();
    word && !keyword && !number && !attribute
}

/// A name as it can be read again: in quotes where it has characters of the language, or is a word of it.
pub(crate) fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if is_plain(name) {
        return f.write_str(name);
    }
    f.write_str("\"")?;
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            f.write_str("\\")?;
        }
        fmt::Write::write_char(f, c)?;
    }
    f.write_str("\"")
}
