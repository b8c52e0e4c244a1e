//! Addresses of links: made whole, and none but those that lead to a document.

/// The address that a reference means on a page, if it is one that is safe to follow: `http`, `https`, `mailto`, `tel`, `ftp`. `base` is the
/// page's address; without one (empty) a reference that is not whole stays as it is. None for what runs a script, holds data, or leads
/// to a place on the page itself.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    // As browsers do: WHATWG URL, basic URL parser, steps 1 to 3.
    let reference: String = reference
        .trim_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    if reference.is_empty() || reference.starts_with('#') {
        return None;
    }
    if let Some((scheme, rest)) = scheme(&reference) {
        let scheme = scheme.to_ascii_lowercase();
        let known = ["http", "https", "mailto", "tel", "ftp"].contains(&scheme.as_str());
        return known.then(|| encoded(&format!("{scheme}:{rest}")));
    }
    let (base_scheme, base_rest) = match scheme(base) {
        Some((scheme @ ("http" | "https"), rest)) => (scheme, rest),
        // A page that is no page of the web has no address to go on from.
        _ => return Some(encoded(&reference)),
    };
    Some(encoded(&joined(base_scheme, base_rest, &reference)))
}

/// RFC 3986 §5.2.2, of a reference without a scheme and a base whose scheme is followed by an authority.
fn joined(scheme: &str, base: &str, reference: &str) -> String {
    if let Some(rest) = reference.strip_prefix("//") {
        let (authority, path, rest) = parts(rest);
        return format!("{scheme}://{authority}{}{rest}", without_dots(path));
    }
    let base = base.strip_prefix("//").unwrap_or(base);
    let (authority, base_path, base_rest) = parts(base);
    let (_, path, rest) = parts_of_path(reference);
    let query = base_rest.split('#').next().unwrap_or_default();
    let path = match path {
        "" if rest.starts_with('?') => base_path.to_owned(),
        "" => return format!("{scheme}://{authority}{base_path}{query}{rest}"),
        path if path.starts_with('/') => without_dots(path),
        path => {
            let folder = base_path.rfind('/').map_or("/", |at| &base_path[..=at]);
            without_dots(&format!("{folder}{path}"))
        }
    };
    format!("{scheme}://{authority}{path}{rest}")
}

/// Authority, path, and query with fragment.
fn parts(text: &str) -> (&str, &str, &str) {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (authority, rest) = text.split_at(end);
    let (_, path, rest) = parts_of_path(rest);
    (authority, path, rest)
}

fn parts_of_path(text: &str) -> (&str, &str, &str) {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    ("", path, rest)
}

/// RFC 3986 §5.2.4.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                // The first is what stands before the slash that the path begins with.
                if segment == ".." && kept.len() > 1 {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    kept.join("/")
}

/// The scheme of an address and what follows its colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let begins = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    (begins && scheme.chars().all(is_scheme)).then_some((scheme, rest))
}

/// With characters that would end the address in Markdown or HTML as percent-codes.
fn encoded(address: &str) -> String {
    let mut text = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            ' ' | '<' | '>' | '"' | '`' | '(' | ')' | '\\' | '|' | '^' | '{' | '}' => {
                text.push_str(&format!("%{:02X}", c as u32));
            }
            c if c.is_control() || c.is_whitespace() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    text.push_str(&format!("%{byte:02X}"));
                }
            }
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3986 §5.4.1 and §5.4.2, but for what is refused here (another scheme, the page itself).
    #[test]
    fn examples_of_the_standard() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
        ] {
            assert_eq!(
                resolve(base, reference).as_deref(),
                Some(expected),
                "{reference}"
            );
        }
    }

    #[test]
    fn what_is_no_document_is_no_link() {
        for reference in [
            "",
            "#top",
            "javascript:alert(1)",
            " \u{1}JavaScript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,<script>",
            "vbscript:x",
            "file:///etc/passwd",
        ] {
            assert_eq!(
                resolve("https://x.example/", reference),
                None,
                "{reference:?}"
            );
        }
        let found = resolve("", "a b(c).html?<x>");
        assert_eq!(found.as_deref(), Some("a%20b%28c%29.html?%3Cx%3E"));
        assert_eq!(
            resolve("https://x.example", "y").as_deref(),
            Some("https://x.example/y")
        );
        assert_eq!(
            resolve("", "MAILTO:a@b.example").as_deref(),
            Some("mailto:a@b.example")
        );
    }
}
