//! The encoding that a page says it has: HTML standard §13.2.3.2, "prescan a byte stream to determine its encoding".

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The encoding that a meta element declares in these bytes.
pub(super) fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while at < head.len() {
        at += memchr::memchr(b'<', &head[at..])?;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            // The dashes of `<!-->` may be those that begin it.
            at += memchr::memmem::find(&rest[2..], b"-->")? + 5;
        } else if is_meta(rest) {
            at += b"<meta".len();
            if let Some(encoding) = of_meta(head, &mut at)? {
                return Some(encoding);
            }
        } else if rest.get(1..).is_some_and(begins_tag) {
            let name = rest.iter().position(|b| is_space(*b) || *b == b'>')?;
            at += name;
            while attribute(head, &mut at)?.is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

fn is_space(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

fn is_meta(rest: &[u8]) -> bool {
    let name = rest.get(..5);
    name.is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"))
        && rest.get(5).is_some_and(|b| is_space(*b) || *b == b'/')
}

fn begins_tag(rest: &[u8]) -> bool {
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    rest.first().is_some_and(u8::is_ascii_alphabetic)
}

/// What the meta element at hand declares; the outer none where the bytes end.
#[allow(clippy::option_option)]
fn of_meta(head: &[u8], at: &mut usize) -> Option<Option<&'static Encoding>> {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut has_pragma = false;
    // Whether what was found counts only with `http-equiv=content-type`.
    let mut needs_pragma = None;
    let mut found = None;
    while let Some((name, value)) = attribute(head, at)? {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => has_pragma |= value == b"content-type",
            b"content" => {
                if let Some(encoding) = of_content(&value).filter(|_| found.is_none()) {
                    found = Some(encoding);
                    needs_pragma = Some(true);
                }
            }
            b"charset" => {
                found = Encoding::for_label(&value);
                needs_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name);
    }
    let counts = match needs_pragma {
        None => false,
        Some(needs) => has_pragma || !needs,
    };
    Some(found.filter(|_| counts).map(read_as))
}

/// The bytes are read as ASCII so far, so that they are no UTF-16.
pub(super) fn read_as(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// "Extract a character encoding from a meta element", §2.6.5. The value is in lower case.
fn of_content(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    loop {
        let found = memchr::memmem::find(rest, b"charset")?;
        rest = rest[found + b"charset".len()..].trim_ascii_start();
        if let Some(label) = rest.strip_prefix(b"=") {
            let label = label.trim_ascii_start();
            let label = match label.first() {
                Some(quote @ (b'"' | b'\'')) => {
                    let end = memchr::memchr(*quote, &label[1..])?;
                    &label[1..1 + end]
                }
                _ => {
                    let end = label.iter().position(|b| is_space(*b) || *b == b';');
                    &label[..end.unwrap_or(label.len())]
                }
            };
            return Encoding::for_label(label);
        }
    }
}

type Attribute = (Vec<u8>, Vec<u8>);

/// "Get an attribute", in lower case: the outer none where the bytes end, the inner at the tag's end.
#[allow(clippy::option_option)]
fn attribute(head: &[u8], at: &mut usize) -> Option<Option<Attribute>> {
    let rest = head.get(*at..)?;
    *at += rest.iter().position(|b| !is_space(*b) && *b != b'/')?;
    if head[*at] == b'>' {
        return Some(None);
    }
    // A `=` that begins a name belongs to it.
    let rest = &head[*at + 1..];
    let end = rest
        .iter()
        .position(|b| is_space(*b) || matches!(b, b'/' | b'>' | b'='))?;
    let name = head[*at..*at + 1 + end].to_ascii_lowercase();
    *at += 1 + end;
    let after = head[*at..].iter().position(|b| !is_space(*b))?;
    if head[*at + after] != b'=' {
        *at += after;
        return Some(Some((name, Vec::new())));
    }
    *at += after + 1;
    *at += head[*at..].iter().position(|b| !is_space(*b))?;
    let rest = &head[*at..];
    let value = match rest[0] {
        quote @ (b'"' | b'\'') => {
            let end = memchr::memchr(quote, &rest[1..])?;
            *at += end + 2;
            &rest[1..1 + end]
        }
        _ => {
            let end = rest.iter().position(|b| is_space(*b) || *b == b'>')?;
            *at += end;
            &rest[..end]
        }
    };
    Some(Some((name, value.to_ascii_lowercase())))
}
