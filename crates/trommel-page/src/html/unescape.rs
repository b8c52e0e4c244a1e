//! Character references in text that is no markup.

use std::borrow::Cow;

use super::{Limits, parse_text};

/// Resolves character references (`&amp;`, `&#8217;`) as HTML does; everything else, tags too, stays as it is.
pub fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    // In a textarea only references are markup, once no `<` can close it. Its first line break is dropped, so it gets one.
    let text: Cow<str> = match text.contains('<') {
        true => text.replace('<', "&lt;").into(),
        false => text.into(),
    };
    let limits = Limits::default().with_bytes(usize::MAX);
    let page = parse_text(&format!("<textarea>\n{text}</textarea>"), &limits);
    page.text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        for (text, expected) in [
            ("a &amp; b", "a & b"),
            ("\n&#8217;&rsquo;&#146;\n", "\n\u{2019}\u{2019}\u{2019}\n"),
            ("<p>&lt;</textarea>&nosuch;", "<p><</textarea>&nosuch;"),
            ("AT&T", "AT&T"),
            ("&nbsp;", "\u{a0}"),
        ] {
            assert_eq!(unescape(text), expected, "{text}");
        }
    }
}
