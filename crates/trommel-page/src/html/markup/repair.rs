//! Closes raw text elements that the author forgot to close.
//!
//! The HTML standard lets an unclosed title, script or style run to the end of the page, so that a parser that follows it
//! finds no text at all; readers of such pages (and boilerpipe's parser) do.

use memchr::memchr_iter;

/// Where raw text that begins at `content` and has no end tag is to end; none if it may as well run to the page's end.
/// `name` is the element's in lower case.
///
/// A title, textarea or style is closed at the next `<`. A script may hold `<` in its code, so it is closed at the first
/// `<` that begins a line and starts a tag or comment, else at the next start or end tag of head or body.
pub(crate) fn early_end(bytes: &[u8], content: usize, name: &str) -> Option<usize> {
    let text = &bytes[content..];
    let end = match name {
        "script" => end_of_script(text),
        _ => memchr_iter(b'<', text).next(),
    };
    end.map(|at| content + at)
}

fn end_of_script(text: &[u8]) -> Option<usize> {
    let begins_line = |at: usize| {
        let before = text[..at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        before.is_none_or(|b| matches!(b, b'\n' | b'\r'))
    };
    let starts_tag = |at: usize| {
        text.get(at + 1)
            .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!'))
    };
    let of_page = |at: usize| {
        ["<body", "</body", "</head", "<head"].iter().any(|tag| {
            text.get(at..at + tag.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(tag.as_bytes()))
        })
    };
    // Scripts used to begin with a comment's start, to hide from browsers that did not know them.
    let hides_script =
        |at: usize| text[at..].starts_with(b"<!--") && text[..at].trim_ascii().is_empty();
    memchr_iter(b'<', text)
        .find(|&at| starts_tag(at) && begins_line(at) && !hides_script(at))
        .or_else(|| memchr_iter(b'<', text).find(|&at| of_page(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::markup::raw_text;

    /// Closes the element in markup whose first unclosed one of the name it is.
    fn close(markup: &str, name: &str) -> Option<String> {
        let bytes = markup.as_bytes();
        let open = format!("<{name}");
        let mut content = 0;
        loop {
            content += markup[content..].to_ascii_lowercase().find(&open)? + open.len();
            if markup[content..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                continue;
            }
            content += markup[content..].find('>')? + 1;
            match raw_text::end(bytes, content, name) {
                Some(end) => content = end,
                None => break,
            }
        }
        let at = early_end(bytes, content, name)?;
        Some(format!("{}</{name}>{}", &markup[..at], &markup[at..]))
    }

    #[track_caller]
    fn check(markup: &str, tag: &str, expected: &str) {
        assert_eq!(close(markup, tag).as_deref(), Some(expected));
    }

    #[test]
    fn closes() {
        check("<title>A<body>b", "title", "<title>A</title><body>b");
        check(
            "<TITLE >A</Title><title>B<p>c",
            "title",
            "<TITLE >A</Title><title>B</title><p>c",
        );
        check(
            "<script>if (a<b) x();\n <p>c",
            "script",
            "<script>if (a<b) x();\n </script><p>c",
        );
        check(
            "<script>'<b>'</head><p>c",
            "script",
            "<script>'<b>'</script></head><p>c",
        );
        check(
            "<script>\n<!-- hidden\nx();\n<p>c",
            "script",
            "<script>\n<!-- hidden\nx();\n</script><p>c",
        );
        check(
            "<titles><title>A<p>",
            "title",
            "<titles><title>A</title><p>",
        );
        check(
            "<title>A</titlevalue><p>b",
            "title",
            "<title>A</title></titlevalue><p>b",
        );
        assert_eq!(close("<p>no such", "title"), None);
        assert_eq!(close("<script>a<b", "script"), None);
    }
}
