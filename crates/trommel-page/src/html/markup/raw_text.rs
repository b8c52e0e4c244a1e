//! Where raw text ends: HTML standard §13.2.5.9–13.2.5.31.

use memchr::{memchr, memchr2};

use super::attributes::ends_tag_name;

/// Where the end tag of raw text stands that begins at `at`; none if it has none. `name` is the element's in lower case.
pub(crate) fn end(bytes: &[u8], at: usize, name: &str) -> Option<usize> {
    if name == "script" {
        return end_of_script(bytes, at);
    }
    let mut at = at;
    loop {
        at += memchr(b'<', bytes.get(at..)?)?;
        if is_end_tag(bytes, at, name) {
            return Some(at);
        }
        at += 1;
    }
}

/// Does `</name` stand at `at`, with what ends a name?
fn is_end_tag(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_name(bytes, at + 2, name)
}

fn is_name(bytes: &[u8], at: usize, name: &str) -> bool {
    let end = at + name.len();
    let named = bytes.get(at..end);
    named.is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(end).is_some_and(|b| ends_tag_name(*b))
}

/// How deep in comments and further start tags a script is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    /// After `<!--`.
    Once,
    /// After `<!--` and `<script`: here `</script` only leads back.
    Twice,
}

fn end_of_script(bytes: &[u8], mut at: usize) -> Option<usize> {
    const SCRIPT: &str = "script";
    let mut escape = Escape::None;
    loop {
        let rest = bytes.get(at..)?;
        at += match escape {
            Escape::None => memchr(b'<', rest)?,
            _ => memchr2(b'<', b'-', rest)?,
        };
        let rest = &bytes[at..];
        if rest[0] == b'-' {
            if rest.starts_with(b"-->") {
                escape = Escape::None;
            }
        } else if escape == Escape::None && rest.starts_with(b"<!--") {
            escape = Escape::Once;
            // The dashes may belong to the end too.
            at += 1;
        } else if escape == Escape::Twice {
            if is_end_tag(bytes, at, SCRIPT) {
                escape = Escape::Once;
            }
        } else if is_end_tag(bytes, at, SCRIPT) {
            return Some(at);
        } else if escape == Escape::Once && is_name(bytes, at + 1, SCRIPT) {
            escape = Escape::Twice;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, text: &str, rest: Option<&str>) {
        let found = end(text.as_bytes(), 0, name);
        assert_eq!(found.map(|at| &text[at..]), rest, "{text}");
    }

    #[test]
    fn ends() {
        check(
            "title",
            "a<b></titles></ title></TITLE\n>c",
            Some("</TITLE\n>c"),
        );
        check("title", "a</title", None);
        check("style", "</style/>", Some("</style/>"));
        check("script", "a<b</script>", Some("</script>"));
        check("script", "<!-- </script>", Some("</script>"));
        check(
            "script",
            "<!-- <script></script> --></script>",
            Some("</script>"),
        );
        check(
            "script",
            "<!-- <script></script></script>x",
            Some("</script>x"),
        );
        check("script", "<!-- <script> --></script>", Some("</script>"));
        check("script", "<!--><script></script>", Some("</script>"));
        check("script", "<!-- <script></script> <script </script>", None);
        check("script", "<!-- <scripts></script>", Some("</script>"));
        check("script", "<!- <script></script>", Some("</script>"));
        check("script", "<!--<script", None);
    }
}
