//! Cutting markup into tags and text, forgiving what is neither SGML nor XML.

/// A piece of markup. Declarations and comments are skipped.
pub(super) enum Token<'a> {
    /// `name` in lower case, attributes as written.
    Open {
        name: String,
        attributes: &'a str,
    },
    Close {
        name: String,
    },
    Text(&'a str),
    /// The content of a CDATA section.
    Verbatim(&'a str),
}

/// Cuts text into tags and what stands between them, in one pass.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// Line of the last token's beginning, from 1.
    pub(super) line: usize,
    /// Newlines in the last token.
    newlines: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Tokens {
            rest: text,
            line: 1,
            newlines: 0,
        }
    }

    pub(super) fn next_token(&mut self) -> Option<Token<'a>> {
        self.line += self.newlines;
        self.newlines = 0;
        while !self.rest.is_empty() {
            if let Some(section) = self.rest.strip_prefix("<![CDATA[") {
                let content = section.split("]]>").next().unwrap_or(section);
                self.take("<![CDATA[".len() + content.len() + "]]>".len());
                return Some(Token::Verbatim(content));
            }
            if let Some(comment) = self.rest.strip_prefix("<!--") {
                let content = comment.split("-->").next().unwrap_or(comment);
                self.take("<!--".len() + content.len() + "-->".len());
                self.line += std::mem::take(&mut self.newlines);
                continue;
            }
            let tag_end = tag_end(self.rest);
            if tag_end > 0 {
                let tag = self.take(tag_end);
                match tag_token(tag) {
                    Some(token) => return Some(token),
                    None => {
                        self.line += std::mem::take(&mut self.newlines);
                        continue;
                    }
                }
            }
            // Text, with at least one character so that a lone `<` cannot stop the reader.
            let after_first = self.rest.chars().next().map_or(0, char::len_utf8);
            let until = self.rest.get(after_first..).and_then(|rest| rest.find('<'));
            let length = until.map_or(self.rest.len(), |offset| after_first + offset);
            return Some(Token::Text(self.take(length)));
        }
        None
    }

    /// Takes `length` bytes, or what is left (an unclosed comment or CDATA section runs to the end).
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.newlines += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        taken
    }
}

/// Length of the tag or declaration that `text` begins with, 0 if it begins with text. A tag begins
/// with a letter, `/` and a letter, `!` or `?`, and holds no other `<`; `>` in quotes does not end it.
fn tag_end(text: &str) -> usize {
    let mut bytes = text.bytes();
    let begins = match (bytes.next(), bytes.next(), bytes.next()) {
        (Some(b'<'), Some(b'/'), Some(third)) => third.is_ascii_alphabetic(),
        (Some(b'<'), Some(second), _) => {
            second.is_ascii_alphabetic() || matches!(second, b'!' | b'?')
        }
        _ => false,
    };
    if !begins {
        return 0;
    }
    let mut quote = None;
    let mut first_quoted_end = 0;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match (byte, quote) {
            (b'<', _) => break,
            (b'>', None) => return index + 1,
            (b'>', Some(_)) if first_quoted_end == 0 => first_quoted_end = index + 1,
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if open == byte => quote = None,
            _ => {}
        }
    }
    // A stray quote: then the first `>` is the end after all.
    first_quoted_end
}

/// The token of a whole tag, none for declarations.
fn tag_token(tag: &str) -> Option<Token<'_>> {
    let inner = tag.strip_prefix('<')?.strip_suffix('>')?;
    let (closing, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    let end = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
    let (name, attributes) = inner.split_at_checked(end)?;
    let name = name.to_ascii_lowercase();
    match (name.is_empty(), closing) {
        (true, _) => None,
        (false, true) => Some(Token::Close { name }),
        (false, false) => Some(Token::Open { name, attributes }),
    }
}

/// The value of the first attribute that has one of these names.
pub(super) fn attribute(attributes: &str, names: &[&str]) -> Option<String> {
    let mut rest = attributes;
    while let Some((before, after)) = rest.split_once('=') {
        let name = before.split_whitespace().last().unwrap_or_default();
        let after = after.trim_start();
        let (value, next) = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => after.get(1..)?.split_once(quote)?,
            _ => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        if names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)) {
            return Some(decode(value));
        }
        rest = next;
    }
    None
}

/// Decodes numeric references and the named ones of XML, and `&nbsp;`; anything else that begins with
/// `&` is text.
pub(super) fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        rest = after;
        let reference = after
            .char_indices()
            .take(10)
            .find(|(_, c)| *c == ';')
            .and_then(|(end, _)| Some((character(after.get(..end)?)?, after.get(end + 1..)?)));
        match reference {
            Some((c, after)) => {
                decoded.push(c);
                rest = after;
            }
            None => decoded.push('&'),
        }
    }
    decoded.push_str(rest);
    decoded
}

fn character(reference: &str) -> Option<char> {
    match reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = reference.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
