//! Two ways to cut text into tokens: boilerpipe's and the paper's.

use super::chars::{is_letter_or_digit, is_non_spacing_mark};

/// Characters that boilerpipe 1.2 keeps with the words beside them: `U.S.`, `e-mail`, `$5`, `x/y` are one token each.
fn is_glue(c: char) -> bool {
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
    let mut rest = text;
    std::iter::from_fn(move || {
        let (token, after) = next_boilerpipe_token(rest)?;
        rest = after;
        Some(token)
    })
}

fn next_boilerpipe_token(text: &str) -> Option<(&str, &str)> {
    // A separator in the text itself is absorbed by a glue character beside it; else it splits.
    let text = text.trim_start_matches([' ', SEPARATOR]);
    let mut previous: Option<(char, bool)> = None;
    let mut after_separators = false;
    for (at, c) in text.char_indices() {
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
    text.split_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
