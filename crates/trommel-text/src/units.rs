//! Two ways to cut text into tokens: boilerpipe's and the paper's.

use super::chars::{is_letter_or_digit, is_letter_or_number, is_non_spacing_mark};
use super::wrap::utf16_length;

/// Characters that boilerpipe 1.2 keeps with the words beside them: `U.S.`, `e-mail`, `$5`, `x/y` are one token each.
const fn is_glue(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '.' | ',' | '!' | '@' | '-' | ':' | ';' | '$' | '?' | '(' | ')' | '/'
    )
}

/// The invisible separator that boilerpipe puts at word boundaries; one that the text itself holds acts likewise.
const SEPARATOR: char = '\u{2063}';

/// Tokens as boilerpipe 1.2's `UnicodeTokenizer` cuts them, given as byte ranges of `text`.
///
/// The original works by rewriting: it inserts U+2063 at every word boundary (between a word character (a letter, Nd, `_`,
/// or Mn after one of these) and any other), removes those beside one of `"'.,!@-:;$?()/`, then splits at runs of
/// spaces and U+2063. This is the same in one pass. Only U+0020 is a space here: the segmenter has made all Java
/// white space into it. A token is a slice of the text, so it still holds the U+2063 that the original would remove.
pub fn tokens_of_boilerpipe(text: &str) -> impl Iterator<Item = &str> {
    measured_tokens_of_boilerpipe(text).map(|token| token.text)
}

/// A token and what segmenters count in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token.
    pub text: &'a str,
    /// Whether a letter or digit is in it (for boilerpipe's tokens: or any number).
    pub is_word: bool,
    /// Its length in UTF-16 code units.
    pub length: u32,
}

/// [`tokens_of_boilerpipe`], measured.
pub fn measured_tokens_of_boilerpipe(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (token, after) = next_boilerpipe_token(rest)?;
        rest = after;
        Some(token)
    })
}

fn next_boilerpipe_token(text: &str) -> Option<(Token<'_>, &str)> {
    let spaces = text.bytes().position(|b| b != b' ');
    let mut text = &text[spaces.unwrap_or(text.len())..];
    // A separator in the text itself is absorbed by a glue character beside it; else it splits.
    if text.starts_with(SEPARATOR) {
        text = text.trim_start_matches([' ', SEPARATOR]);
    }
    let ascii = |at: usize, is_word: bool| {
        let (token, after) = text.split_at(at);
        let token = Token {
            text: token,
            is_word,
            length: at as u32,
        };
        Some((token, after))
    };
    let mut before = Ascii::Glue;
    let mut is_word = false;
    for (at, byte) in text.bytes().enumerate() {
        let kind = ASCII[usize::from(byte)];
        if kind != before {
            if kind == Ascii::Space {
                return ascii(at, is_word);
            }
            if kind == Ascii::None {
                let previous = text[..at].chars().next_back();
                let previous = previous.map(|c| (c, before == Ascii::Word));
                let (token, after) = next_token_from(text, at, previous)?;
                let token = Token {
                    text: token,
                    is_word: is_word || token[at..].chars().any(is_letter_or_number),
                    length: utf16_length(token),
                };
                return Some((token, after));
            }
            if kind != Ascii::Glue && before != Ascii::Glue {
                return ascii(at, is_word);
            }
            before = kind;
        }
        is_word |= kind == Ascii::Word && byte != b'_';
    }
    match text.is_empty() {
        true => None,
        false => ascii(text.len(), is_word),
    }
}

/// What a character of ASCII is for boilerpipe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ascii {
    Space,
    /// A letter, a digit or `_`.
    Word,
    Glue,
    Other,
    /// No character of ASCII.
    None,
}

const ASCII: [Ascii; 256] = {
    let mut kinds = [Ascii::None; 256];
    let mut byte = 0u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b' ' => Ascii::Space,
            b'_' => Ascii::Word,
            _ if byte.is_ascii_alphanumeric() => Ascii::Word,
            _ if is_glue(byte as char) => Ascii::Glue,
            _ => Ascii::Other,
        };
        byte += 1;
    }
    kinds
};

/// The first token of a text without spaces and separators before it, of which the characters before `from` are known to
/// belong to it. `previous` is the last of them, and whether it is a word character.
fn next_token_from(
    text: &str,
    from: usize,
    mut previous: Option<(char, bool)>,
) -> Option<(&str, &str)> {
    let mut after_separators = false;
    for (at, c) in text[from..].char_indices() {
        let at = from + at;
        if c == ' ' {
            return Some((&text[..at], &text[at..]));
        }
        if c == SEPARATOR {
            after_separators = true;
            continue;
        }
        let (before, in_word) = previous.unwrap_or((c, false));
        let is_word = is_letter_or_digit(c) || c == '_' || (in_word && is_non_spacing_mark(c));
        let boundary = previous.is_some() && (is_word != in_word || after_separators);
        if boundary && !is_glue(before) && !is_glue(c) {
            return Some((text[..at].trim_end_matches(SEPARATOR), &text[at..]));
        }
        previous = Some((c, is_word));
        after_separators = false;
    }
    let token = text.trim_end_matches(SEPARATOR);
    (!token.is_empty()).then_some((token, ""))
}

/// White-space delimited character sequences (WSDM 2010 §3.3).
pub fn tokens_of_white_space(text: &str) -> impl Iterator<Item = &str> {
    measured_tokens_of_white_space(text).map(|token| token.text)
}

/// [`tokens_of_white_space`], measured.
pub fn measured_tokens_of_white_space(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = trim_start(rest);
        let (mut at, mut is_word, mut length) = (0, false, 0);
        for byte in rest.bytes() {
            match BYTES[usize::from(byte)] {
                Byte::White | Byte::Wide => break,
                kind => is_word |= kind == Byte::Letter,
            }
            at += 1;
        }
        length += at as u32;
        if BYTES[usize::from(*rest.as_bytes().get(at).unwrap_or(&b' '))] == Byte::Wide {
            for c in rest[at..].chars().take_while(|c| !c.is_whitespace()) {
                at += c.len_utf8();
                length += c.len_utf16() as u32;
                is_word = is_word || is_letter_or_digit(c);
            }
        }
        let (text, after) = rest.split_at(at);
        rest = after;
        (!text.is_empty()).then_some(Token {
            text,
            is_word,
            length,
        })
    })
}

/// Returns the number of [`tokens_of_white_space`] of a text, and that of the words among them, which have a letter or digit.
pub fn count_tokens(text: &str) -> (u32, u32) {
    measured_tokens_of_white_space(text).fold((0, 0), |(tokens, words), token| {
        (tokens + 1, words + u32::from(token.is_word))
    })
}

/// A text without the white space at its beginning.
fn trim_start(text: &str) -> &str {
    let first = text
        .bytes()
        .position(|b| BYTES[usize::from(b)] != Byte::White);
    let text = &text[first.unwrap_or(text.len())..];
    match text.bytes().next() {
        Some(0x80..) => text.trim_start(),
        _ => text,
    }
}

/// What a character of ASCII is where white space parts tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    White,
    /// A letter or digit.
    Letter,
    Other,
    /// No character of ASCII.
    Wide,
}

const BYTES: [Byte; 256] = {
    let mut kinds = [Byte::Wide; 256];
    let mut byte = 0u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'\t'..=b'\r' | b' ' => Byte::White,
            _ if byte.is_ascii_alphanumeric() => Byte::Letter,
            _ => Byte::Other,
        };
        byte += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(tokens_of_boilerpipe(text).collect::<Vec<_>>(), expected);
    }

    /// The cases that the description of the original's behaviour lists.
    #[test]
    fn boilerpipe_tokens() {
        for one in [
            "U.S.",
            "e-mail",
            "3,000.50",
            "x/y",
            "$5",
            "foo@bar.com",
            "a_b",
        ] {
            check(one, &[one]);
        }
        check("AT&T", &["AT", "&", "T"]);
        check("don\u{2019}t", &["don", "\u{2019}", "t"]);
        check("a=b", &["a", "=", "b"]);
        check("50%", &["50", "%"]);
        check("\u{2022}", &["\u{2022}"]);
        check("foo\u{a0}bar", &["foo", "\u{a0}", "bar"]);
        check("  two  words ", &["two", "words"]);
        check("", &[]);
        check("cafe\u{301}s x", &["cafe\u{301}s", "x"]);
        check("(50%)", &["(50", "%)"]);
    }

    #[test]
    fn separators_in_the_text() {
        check("\u{2063}a\u{2063}b\u{2063}", &["a", "b"]);
        check("a\u{2063}.\u{2063}b", &["a\u{2063}.\u{2063}b"]);
    }

    /// boilerpipe's tokens by the way that goes by characters alone.
    fn tokens_by_characters(text: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        let mut rest = text.trim_start_matches([' ', SEPARATOR]);
        while let Some((token, after)) = next_token_from(rest, 0, None) {
            tokens.push(token);
            rest = after.trim_start_matches([' ', SEPARATOR]);
        }
        tokens
    }

    fn measured(text: &str, is_of_word: fn(char) -> bool) -> Token<'_> {
        Token {
            text,
            is_word: text.chars().any(is_of_word),
            length: text.encode_utf16().count() as u32,
        }
    }

    #[test]
    fn random_texts() {
        let often: Vec<char> = "ab1_ \t\n.,'\"=&-%éßЖ字½Ⅻ’…\u{301}\u{345}\u{2063}\u{a0}\u{85}\u{2003}\u{3000}\u{1680}\u{2028}\u{200b}😀"
            .chars()
            .collect();
        let mut random = SplitMix64::new(1);
        for _ in 0..200_000 {
            let length = random.below(16);
            let text = (0..length).map(|_| match random.below(16) {
                0 => char::from_u32(random.below(0x3100) as u32).unwrap_or('x'),
                1..8 => random.below(128) as u8 as char,
                _ => often[random.below(often.len())],
            });
            let text: String = text.collect();
            let tokens: Vec<Token> = measured_tokens_of_boilerpipe(&text).collect();
            let expected = tokens_by_characters(&text).into_iter();
            let expected = expected.map(|token| measured(token, is_letter_or_number));
            assert_eq!(tokens, expected.collect::<Vec<_>>(), "{text:?}");
            let tokens: Vec<Token> = measured_tokens_of_white_space(&text).collect();
            let expected = text.split_whitespace();
            let expected = expected.map(|token| measured(token, is_letter_or_digit));
            assert_eq!(tokens, expected.collect::<Vec<_>>(), "{text:?}");
            let words = tokens.iter().filter(|token| token.is_word);
            let counts = (tokens.len() as u32, words.count() as u32);
            assert_eq!(count_tokens(&text), counts, "{text:?}");
        }
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let text = format!("{c}a{c}b {c} ");
            let tokens: Vec<&str> = tokens_of_white_space(&text).collect();
            let expected: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(tokens, expected, "{c:?}");
        }
    }
}
