//! Closes raw text elements that the author forgot to close.
//!
//! The HTML standard lets an unclosed title, script or style run to the end of the page, so that a parser that follows it
//! finds no text at all; readers of such pages (and boilerpipe's parser) do.

/// Markup in which the raw text element `tag` that swallowed the end of the page is closed early; none if its start tag
/// is not found.
///
/// The element that swallowed the rest is the first `<tag` after the last `</tag`. A title, textarea or style is closed
/// at the next `<`. A script may hold `<` in its code, so it is closed at the first `<` that begins a line and starts a
/// tag or comment, else at the next start or end tag of head or body.
pub(super) fn close(markup: &str, tag: &str) -> Option<String> {
    let lower = markup.to_ascii_lowercase();
    let after_last_end = last_end_tag(&lower, tag).unwrap_or(0);
    let start = find_tag(&lower, after_last_end, &format!("<{tag}"))?;
    let content = start + lower[start..].find('>')? + 1;
    let at = match tag {
        "script" => end_of_script(&lower, content),
        _ => lower[content..].find('<').map(|at| content + at),
    }?;
    Some(format!("{}</{tag}>{}", &markup[..at], &markup[at..]))
}

/// Where the first tag from `from` on begins that begins with `open`, its name being no longer than that.
fn find_tag(lower: &str, from: usize, open: &str) -> Option<usize> {
    let found = lower[from..].match_indices(open);
    found
        .map(|(at, _)| from + at)
        .find(|at| name_ends(lower, at + open.len()))
}

/// Where the name of the last end tag ends.
fn last_end_tag(lower: &str, tag: &str) -> Option<usize> {
    let close = format!("</{tag}");
    let found = lower.rmatch_indices(&close);
    found
        .map(|(at, _)| at + close.len())
        .find(|&end| name_ends(lower, end))
}

fn name_ends(lower: &str, at: usize) -> bool {
    let after = lower.as_bytes().get(at);
    after.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
}

fn end_of_script(lower: &str, content: usize) -> Option<usize> {
    let bytes = lower.as_bytes();
    let begins_line = |at: usize| {
        let before = lower[content..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r'])
    };
    let starts_tag = |at: usize| {
        bytes
            .get(at + 1)
            .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!'))
    };
    let opens = || {
        lower[content..]
            .match_indices('<')
            .map(|(at, _)| content + at)
    };
    let of_page = |at: usize| {
        ["<body", "</body", "</head", "<head"]
            .iter()
            .any(|tag| lower[at..].starts_with(tag))
    };
    // Scripts used to begin with a comment's start, to hide from browsers that did not know them.
    let hides_script =
        |at: usize| lower[at..].starts_with("<!--") && lower[content..at].trim_ascii().is_empty();
    opens()
        .find(|&at| starts_tag(at) && begins_line(at) && !hides_script(at))
        .or_else(|| opens().find(|&at| of_page(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
