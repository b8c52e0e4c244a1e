//! The text of a filter in tokens.

use std::fmt;
use std::ops::Range;

use super::error::{Problem, at};
use super::operator::{OPERATORS, Operator};
use crate::attribute;

/// A token and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub place: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
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

/// Words that are part of the language.
pub(super) const KEYWORDS: [&str; 6] = ["and", "or", "not", "in", "of", UNFILTERED];

/// Is a character of names, numbers and dates?
pub(super) fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '%' | '+' | '@')
}

/// Cuts a text into tokens; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Problem> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let operator = OPERATORS
            .iter()
            .find(|(symbol, _)| rest.starts_with(symbol));
        let (kind, length) = match first {
            c if c.is_whitespace() => {
                start += c.len_utf8();
                continue;
            }
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
            c => {
                let what = format!("'{}' is no part of a filter", c.escape_debug());
                return Err(at(start..start + c.len_utf8(), what));
            }
        };
        tokens.push(Token {
            kind,
            place: start..start + length,
        });
        start += length;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        place: text.len()..text.len(),
    });
    Ok(tokens)
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
pub(super) fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
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
