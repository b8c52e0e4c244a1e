//! Where a tag ends and how many attributes it has, as the tokenizer sees it: HTML standard §13.2.5.32–13.2.5.40.

/// The extent of a tag.
pub(super) struct TagExtent {
    /// Where the first attribute past the limit begins.
    pub surplus: Option<usize>,
    /// Where the closing `>` stands, or the end of the text.
    pub end: usize,
}

/// Walks the tag whose name begins at `start`: quoted values hide `>`.
pub(super) fn walk_tag(bytes: &[u8], start: usize, limit: usize) -> TagExtent {
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

pub(super) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0c | b'\r')
}

/// Position of the first byte from `from` on that is one of `set`.
pub(super) fn find(bytes: &[u8], from: usize, set: &[u8]) -> Option<usize> {
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
    fn check(markup: &str, surplus: Option<&str>, rest: &str) {
        let tag = walk_tag(markup.as_bytes(), 1, 2);
        assert_eq!(tag.surplus.map(|at| &markup[at..tag.end]), surplus);
        assert_eq!(&markup[tag.end..], rest);
    }

    #[test]
    fn walks() {
        check("<a b c>x</a>", None, ">x</a>");
        check("<a b c d>x</a>", Some("d"), ">x</a>");
        check("<a b='>' c=\"d e f\" g=h i>x", Some("g=h i"), ">x");
        check("<a b = 1 c= 2 d>x", Some("d"), ">x");
        check("<b x y z/>", Some("z/"), ">");
        check("<b/x/y/>", None, ">");
        check("<a =b =c>", None, ">");
        check("<a", None, "");
        check(
            "<a b c d=\"never closed > ",
            Some("d=\"never closed > "),
            "",
        );
    }
}
