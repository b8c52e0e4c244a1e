//! Drops attributes past a limit before the tokenizer sees them: its check for duplicates is quadratic.

use std::borrow::Cow;

/// Markup in which no tag has more than `limit` attributes, and whether any were dropped.
///
/// Walks every tag as the tokenizer does (HTML standard §13.2.5.32–13.2.5.40: quoted values hide `>`). It knows no
/// script or comment states; cutting a "tag" of that many attributes inside one of these loses nothing that is text.
pub(super) fn limit_attributes(markup: &str, limit: usize) -> (Cow<'_, str>, bool) {
    let bytes = markup.as_bytes();
    let mut kept = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(open) = find(bytes, at, b"<") {
        at = open + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        // An attribute takes two bytes at least, so a shorter tag cannot pass the limit: most pages end here.
        let tag = walk_tag(bytes, at, limit);
        if let Some(surplus) = tag.surplus {
            kept.push_str(&markup[copied..surplus]);
            copied = tag.end;
        }
        at = tag.end;
    }
    if copied == 0 {
        return (Cow::Borrowed(markup), false);
    }
    kept.push_str(&markup[copied..]);
    (Cow::Owned(kept), true)
}

struct TagExtent {
    /// Where the first attribute past the limit begins.
    surplus: Option<usize>,
    /// Where the closing `>` stands, or the end of the text.
    end: usize,
}

fn walk_tag(bytes: &[u8], start: usize, limit: usize) -> TagExtent {
    let mut at = find(bytes, start, b" \t\n\x0c\r/>").unwrap_or(bytes.len());
    let mut count = 0;
    let mut surplus = None;
    loop {
        while bytes.get(at).is_some_and(|b| is_space(*b) || *b == b'/') {
            at += 1;
        }
        if at >= bytes.len() || bytes[at] == b'>' {
            return TagExtent { surplus, end: at };
        }
        count += 1;
        if count > limit && surplus.is_none() {
            surplus = Some(at);
        }
        // The name; a '=' at its start belongs to it.
        at = find(bytes, at + 1, b" \t\n\x0c\r/>=").unwrap_or(bytes.len());
        let mut after = at;
        while bytes.get(after).is_some_and(|b| is_space(*b)) {
            after += 1;
        }
        if bytes.get(after) != Some(&b'=') {
            continue;
        }
        at = after + 1;
        while bytes.get(at).is_some_and(|b| is_space(*b)) {
            at += 1;
        }
        at = match bytes.get(at) {
            Some(b'"') => find(bytes, at + 1, b"\"").map_or(bytes.len(), |q| q + 1),
            Some(b'\'') => find(bytes, at + 1, b"'").map_or(bytes.len(), |q| q + 1),
            Some(b'>') | None => at,
            Some(_) => find(bytes, at, b" \t\n\x0c\r>").unwrap_or(bytes.len()),
        };
    }
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0c | b'\r')
}

/// Position of the first byte from `from` on that is one of `set`.
fn find(bytes: &[u8], from: usize, set: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = match set {
        [one] => memchr::memchr(*one, rest),
        _ => rest.iter().position(|b| set.contains(b)),
    };
    found.map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markup: &str, expected: &str) {
        let (limited, cut) = limit_attributes(markup, 2);
        assert_eq!(limited, expected);
        assert_eq!(cut, markup != expected);
    }

    #[test]
    fn cuts_what_is_past_the_limit() {
        check("<a b c>x</a>", "<a b c>x</a>");
        check("<a b c d>x</a>", "<a b c >x</a>");
        check("<a b='>' c=\"d e f\" g=h i>x", "<a b='>' c=\"d e f\" >x");
        check("<a b = 1 c= 2 d>x<b x y z/>", "<a b = 1 c= 2 >x<b x y >");
        check("1 < 2 b c d e f <a", "1 < 2 b c d e f <a");
        check("<a b c d=\"never closed > ", "<a b c ");
        check("<é b c d>", "<é b c d>");
    }
}
