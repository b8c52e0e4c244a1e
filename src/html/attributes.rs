//! Drops attributes past a limit before the tokenizer sees them: its check for duplicates is quadratic.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// Markup in which no tag has more than `limit` attributes, and whether any were dropped outside scripts and styles.
///
/// Walks the markup as the tokenizer does (HTML standard §13.2.5), so that a `<` in a comment or a quote in a script is not
/// taken for the beginning of a tag that hides the text after it. Inside raw text (script, style, title …) tags are looked
/// for as well, since in SVG these elements hold markup, but never past the element's end.
pub(super) fn limit_attributes(markup: &str, limit: usize) -> (Cow<'_, str>, bool) {
    let bytes = markup.as_bytes();
    let mut kept = String::new();
    let mut copied = 0;
    let mut cut = false;
    let mut at = 0;
    // Where the raw text ends that is being walked, and whether it is code: what is dropped there is no text of the page.
    let (mut raw_end, mut in_code) = (0, false);
    while let Some(open) = find(bytes, at, b"<") {
        at = open + 1;
        let in_raw_text = open < raw_end;
        let is_end_tag = bytes.get(at) == Some(&b'/');
        let name = at + usize::from(is_end_tag);
        if !bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
            if !in_raw_text {
                at = end_of_comment(bytes, at);
            }
            continue;
        }
        let bound = if in_raw_text { raw_end } else { bytes.len() };
        let tag = walk_tag(&bytes[..bound], name, limit);
        if let Some(surplus) = tag.surplus {
            kept.push_str(&markup[copied..surplus]);
            copied = tag.end;
            cut |= !(in_raw_text && in_code);
        }
        at = tag.end;
        if !in_raw_text && !is_end_tag {
            (raw_end, in_code) = end_of_raw_text(bytes, name, at);
        }
    }
    if copied == 0 {
        return (Cow::Borrowed(markup), false);
    }
    kept.push_str(&markup[copied..]);
    (Cow::Owned(kept), cut)
}

struct TagExtent {
    /// Where the first attribute past the limit begins.
    surplus: Option<usize>,
    /// Where the closing `>` stands, or the end of the text.
    end: usize,
}

/// States 13.2.5.32 to 13.2.5.40: quoted values hide `>`.
fn walk_tag(bytes: &[u8], name: usize, limit: usize) -> TagExtent {
    let mut at = end_of_name(bytes, name);
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

fn end_of_name(bytes: &[u8], name: usize) -> usize {
    find(bytes, name, b" \t\n\x0c\r/>").unwrap_or(bytes.len())
}

/// Where a comment, a bogus comment or a declaration ends whose `<` stands before `at`; `at` itself if there is none.
fn end_of_comment(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if let Some(comment) = rest.strip_prefix(b"!--") {
        let start = bytes.len() - comment.len();
        // `<!-->` and `<!--->` are whole comments.
        if comment.starts_with(b">") || comment.starts_with(b"->") {
            return start;
        }
        let end = |mark: &[u8]| memmem::find(comment, mark).map(|end| start + end + mark.len());
        return [end(b"-->"), end(b"--!>")]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(bytes.len());
    }
    match rest.first() {
        Some(b'!' | b'?' | b'/') => find(bytes, at, b">").unwrap_or(bytes.len()),
        _ => at,
    }
}

/// Where the raw text of the element ends that begins at `at` with the tag name at `name`, and whether it is code; 0 for
/// an element without raw text.
fn end_of_raw_text(bytes: &[u8], name: usize, at: usize) -> (usize, bool) {
    let tag = bytes[name..end_of_name(bytes, name)].to_ascii_lowercase();
    match tag.as_slice() {
        b"script" => (end_of_script(bytes, at), true),
        b"style" => (end_at_tag(bytes, at, &tag), true),
        b"title" | b"textarea" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => {
            (end_at_tag(bytes, at, &tag), false)
        }
        _ => (0, false),
    }
}

/// Where the next end tag of this name begins.
fn end_at_tag(bytes: &[u8], at: usize, name: &[u8]) -> usize {
    let mut from = at;
    while let Some(open) = find(bytes, from, b"<") {
        if bytes.get(open + 1) == Some(&b'/') && is_tag(bytes, open + 2, name) {
            return open;
        }
        from = open + 1;
    }
    bytes.len()
}

/// A script ends at its end tag; but inside `<!-- <script>` it takes one more end tag (states 13.2.5.15 to 13.2.5.31).
fn end_of_script(bytes: &[u8], at: usize) -> usize {
    let (mut escaped, mut doubly_escaped) = (false, false);
    let mut from = at;
    while let Some(found) = find(bytes, from, b"<-") {
        let rest = &bytes[found..];
        from = found + 1;
        if rest.starts_with(b"-->") {
            (escaped, doubly_escaped) = (false, false);
        } else if rest.starts_with(b"<!--") {
            escaped = true;
        } else if rest.starts_with(b"</") && is_tag(bytes, found + 2, b"script") {
            if !doubly_escaped {
                return found;
            }
            doubly_escaped = false;
        } else if rest[0] == b'<' && escaped && is_tag(bytes, found + 1, b"script") {
            doubly_escaped = true;
        }
    }
    bytes.len()
}

/// Does a tag of this name (in lower case) stand at a position?
fn is_tag(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + name.len();
    bytes
        .get(at..end)
        .is_some_and(|found| found.eq_ignore_ascii_case(name))
        && bytes
            .get(end)
            .is_some_and(|b| is_space(*b) || matches!(b, b'/' | b'>'))
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0c | b'\r')
}

/// Position of the first byte from `from` on that is one of `set`.
fn find(bytes: &[u8], from: usize, set: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = match set {
        [one] => memchr(*one, rest),
        [one, two] => memchr::memchr2(*one, *two, rest),
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
        assert_eq!(cut, markup != expected, "{markup}");
    }

    #[test]
    fn cuts_what_is_past_the_limit() {
        check("<a b c>x</a>", "<a b c>x</a>");
        check("<a b c d>x</a b c d>", "<a b c >x</a b c >");
        check("<a b='>' c=\"d e f\" g=h i>x", "<a b='>' c=\"d e f\" >x");
        check("<a b = 1 c= 2 d>x<b x y z/>", "<a b = 1 c= 2 >x<b x y >");
        check("1 < 2 b c d e f <a", "1 < 2 b c d e f <a");
        check("<a b c d=\"never closed > ", "<a b c ");
        check("<é b c d>", "<é b c d>");
    }

    /// In SVG a style element holds markup; what is dropped from code is not worth a line in the ledger.
    #[test]
    fn code_is_cut_in_silence() {
        let (limited, cut) = limit_attributes("<svg><style><a b c d></style>", 2);
        assert_eq!((&*limited, cut), ("<svg><style><a b c ></style>", false));
    }

    /// Text after a comment, script or title with something like an open quote in it is not touched.
    #[test]
    fn keeps_text_after_what_is_no_tag() {
        for markup in [
            "<!-- <a b=' --><p>one two three four</p>'>",
            "<!--><p>x",
            "<!-- <a b=' --!><p>one two three four '>",
            "<!DOCTYPE html><p>one</p>",
            "<?xml a b c d ?><p>",
            "</ a b c d><p>",
            "<script>if (a<b && c=='</script><p>one two three four five</p>'>",
            "<script><!-- <script> x='<a b=' </script> --></script><p>one two three '>",
            "<TITLE>a <b c='</TITLE><p>one two three four '>",
            "<style>a <b c='</styled></style ><p>one two three four '>",
            "<script>x<y a='",
        ] {
            check(markup, markup);
        }
    }
}
