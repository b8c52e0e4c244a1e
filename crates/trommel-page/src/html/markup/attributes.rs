//! Attributes of a tag: HTML standard §13.2.5.32–13.2.5.40.

use std::ops::Range;

use memchr::memchr;

/// What stands next in a tag.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// An attribute. Its name is as it stands in the markup, its value without quotes.
    Attribute {
        name: Range<usize>,
        value: Range<usize>,
    },
    /// The `>`, with whether a `/` stands right before it and where the tag's text goes on.
    End { self_closing: bool, next: usize },
    /// The markup ends inside the tag.
    Unfinished,
}

const SPACE: u8 = 1;
const ENDS_TAG_NAME: u8 = 1 << 1;
const ENDS_NAME: u8 = 1 << 2;
const ENDS_VALUE: u8 = 1 << 3;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let spaces = *b" \t\n\x0c\r";
    let mut at = 0;
    while at < spaces.len() {
        classes[spaces[at] as usize] = SPACE | ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
        at += 1;
    }
    classes[b'/' as usize] = ENDS_TAG_NAME | ENDS_NAME;
    classes[b'>' as usize] = ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE;
    classes[b'=' as usize] = ENDS_NAME;
    classes
};

fn is(b: u8, class: u8) -> bool {
    CLASSES[usize::from(b)] & class != 0
}

pub(crate) fn is_space(b: u8) -> bool {
    is(b, SPACE)
}

/// Does a byte end the name of a tag?
pub(crate) fn ends_tag_name(b: u8) -> bool {
    is(b, ENDS_TAG_NAME)
}

/// Where the first byte of a class stands from `at` on, or the end.
fn find(bytes: &[u8], at: usize, class: u8) -> usize {
    let rest = &bytes[at.min(bytes.len())..];
    let found = rest.iter().position(|b| is(*b, class));
    at + found.unwrap_or(rest.len())
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| is(*b, SPACE)) {
        at += 1;
    }
    at
}

/// Where the name of a tag that begins at `at` ends.
pub(crate) fn end_of_tag_name(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, ENDS_TAG_NAME)
}

/// The part of a tag at or after `at`, which stands behind the tag's name or another part; and where the next part begins.
#[inline]
pub(crate) fn part(bytes: &[u8], mut at: usize) -> (Part, usize) {
    loop {
        at = skip_space(bytes, at);
        match bytes.get(at) {
            None => return (Part::Unfinished, at),
            Some(b'>') => return (end(false, at), at),
            Some(b'/') if bytes.get(at + 1) == Some(&b'>') => return (end(true, at + 1), at),
            Some(b'/') => at += 1,
            Some(_) => break,
        }
    }
    // The name; a '=' at its start belongs to it.
    let name = at..find(bytes, at + 1, ENDS_NAME);
    at = skip_space(bytes, name.end);
    if bytes.get(at) != Some(&b'=') {
        let value = name.end..name.end;
        return (Part::Attribute { name, value }, at);
    }
    at = skip_space(bytes, at + 1);
    let (value, next) = match bytes.get(at) {
        Some(quote @ (b'"' | b'\'')) => match memchr(*quote, &bytes[at + 1..]) {
            Some(length) => (at + 1..at + 1 + length, at + 2 + length),
            None => return (Part::Unfinished, bytes.len()),
        },
        Some(b'>') | None => (at..at, at),
        Some(_) => {
            let end = find(bytes, at, ENDS_VALUE);
            (at..end, end)
        }
    };
    (Part::Attribute { name, value }, next)
}

fn end(self_closing: bool, bracket: usize) -> Part {
    Part::End {
        self_closing,
        next: bracket + 1,
    }
}

/// The attributes in a tag's text behind its name, as they stand in the markup, those of a name that was there too.
pub(crate) fn attributes(tag: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || match part(tag, at) {
        (Part::Attribute { name, value }, next) => {
            at = next;
            Some((&tag[name], &tag[value]))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The attributes, whether the tag closes itself, and what follows it.
    #[track_caller]
    fn check(markup: &str, expected: &[(&str, &str)], end: Option<(bool, &str)>) {
        let bytes = markup.as_bytes();
        let mut at = end_of_tag_name(bytes, 1);
        let mut found = Vec::new();
        loop {
            let (part, next) = part(bytes, at);
            match part {
                Part::Attribute { name, value } => found.push((&markup[name], &markup[value])),
                Part::End { self_closing, next } => {
                    assert_eq!(Some((self_closing, &markup[next..])), end, "{markup}");
                    break;
                }
                Part::Unfinished => {
                    assert_eq!(end, None, "{markup}");
                    break;
                }
            }
            at = next;
        }
        assert_eq!(found, expected, "{markup}");
    }

    #[test]
    fn walks() {
        check(
            "<a b c>x</a>",
            &[("b", ""), ("c", "")],
            Some((false, "x</a>")),
        );
        check(
            "<a b='>' c=\"d e f\" g=h i>x",
            &[("b", ">"), ("c", "d e f"), ("g", "h"), ("i", "")],
            Some((false, "x")),
        );
        check(
            "<a b = 1 c= 2 d>x",
            &[("b", "1"), ("c", "2"), ("d", "")],
            Some((false, "x")),
        );
        check(
            "<b x y z/>",
            &[("x", ""), ("y", ""), ("z", "")],
            Some((true, "")),
        );
        check("<b/x/y/>", &[("x", ""), ("y", "")], Some((true, "")));
        check("<b/ >", &[], Some((false, "")));
        check("<a b=c/>", &[("b", "c/")], Some((false, "")));
        check("<a =b =c>", &[("=b", "c")], Some((false, "")));
        check("<a b='c'd=>", &[("b", "c"), ("d", "")], Some((false, "")));
        check("<a b=\"c\"/>", &[("b", "c")], Some((true, "")));
        check("<a", &[], None);
        check("<a b=c", &[("b", "c")], None);
        check("<a b c d=\"never closed > ", &[("b", ""), ("c", "")], None);
    }
}
