//! Header lines of WARC records and HTTP messages, read without strictness.

use memchr::memchr;

/// What a version line begins with.
pub(crate) const MAGIC: &[u8] = b"WARC/";
/// Longest record header taken. Real ones have at most a few KB, addresses included.
pub(crate) const MAX_HEADER: usize = 256 * 1024;
/// Bytes looked at to tell a record's beginning: version line and the name of the first field.
pub(crate) const LOOK: usize = 128;
/// Bytes looked at behind a blank line that may not be the header's end.
const LOOK_BEHIND: usize = 2048;

/// Named fields in their order; names in lower case, values trimmed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first value of a field that is not empty; `name` in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The values of a field that are not empty, in their order; `name` in lower case.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let own = self.0.iter().filter(move |(known, _)| known == name);
        own.map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// Adds a field; `name` in lower case.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.trim().to_owned()));
    }

    /// Adds a header line. A line that begins with white space continues the one before; one without a colon, or with
    /// a name that cannot be one, is ignored.
    pub(crate) fn push(&mut self, line: &[u8]) {
        if line
            .first()
            .is_some_and(|byte| *byte == b' ' || *byte == b'\t')
        {
            let more = line.trim_ascii();
            if let Some((_, value)) = self.0.last_mut()
                && !more.is_empty()
            {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(&text(more));
            }
            return;
        }
        let Some(colon) = memchr(b':', line) else {
            return;
        };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if !name.is_empty() && name.iter().all(u8::is_ascii_graphic) {
            self.0.push((text(name).to_ascii_lowercase(), text(value)));
        }
    }
}

/// Bytes as text: UTF-8, or else each byte as its Latin-1 character, so that nothing is lost.
pub(crate) fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Whether bytes are all zero or white space. Stretches of zeros are passed over quickly: damaged disks leave gigabytes.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    const ZEROS: [u8; 1024] = [0; 1024];
    bytes.chunks(ZEROS.len()).all(|chunk| {
        let blank = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
        *chunk == ZEROS[..chunk.len()] || chunk.iter().all(blank)
    })
}

/// Whether a header holds control characters, which no writer puts there.
pub(crate) fn holds_controls(header: &[u8]) -> bool {
    header
        .iter()
        .any(|byte| *byte < b' ' && !byte.is_ascii_whitespace())
}

/// The line at the beginning of `bytes` without its end, and where the next one begins. None: it does not end here.
pub(crate) fn line(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let end = memchr(b'\n', bytes)?;
    let line = &bytes[..end];
    Some((line.strip_suffix(b"\r").unwrap_or(line), end + 1))
}

/// Whether bytes begin as a version line does. Writers agree on capitals, but for some.
pub(crate) fn begins_with_magic(bytes: &[u8]) -> bool {
    let head = bytes.get(..MAGIC.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(MAGIC))
}

/// Length of the version line (`WARC/1.0` and line end) that `bytes` begins with.
pub(crate) fn version_line(bytes: &[u8]) -> Option<usize> {
    let head = bytes.get(..bytes.len().min(32))?;
    let (line, length) = line(head)?;
    let version = line.get(MAGIC.len()..).filter(|_| begins_with_magic(line));
    let version = version?.trim_ascii_end();
    let (major, minor) = version.split_at_checked(memchr(b'.', version)?)?;
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    (digits(major) && digits(&minor[1..])).then_some(length)
}

/// Whether `bytes` begins with a record: a version line and then something like a field. [`LOOK`] bytes suffice.
pub(crate) fn begins_record(bytes: &[u8]) -> bool {
    let Some(length) = version_line(bytes) else {
        return false;
    };
    let field = bytes.get(length..bytes.len().min(LOOK)).unwrap_or_default();
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = field.iter().take_while(is_name).count();
    name > 0 && field.get(name) == Some(&b':')
}

/// The header of a WARC record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) fields: Fields,
    /// Bytes from the version line to the beginning of the block.
    pub(crate) length: usize,
    /// The declared length of the block, if there is one that can be understood.
    pub(crate) content_length: Option<u64>,
    /// Its lines end in CR LF (else LF).
    pub(crate) crlf: bool,
    /// A line holds control characters: something was lost, perhaps the end of one header and the beginning of another.
    pub(crate) damaged: bool,
}

/// What [`header`] found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    Header(Header),
    /// It does not end within these bytes.
    Incomplete,
    /// Another record begins inside it, at this index.
    Interrupted(usize),
}

/// Reads the record header at the beginning of `bytes`; `complete` says that no bytes follow them.
pub(crate) fn header(bytes: &[u8], complete: bool) -> Parsed {
    let Some(first) = version_line(bytes) else {
        return Parsed::Incomplete;
    };
    let mut header = Header {
        length: first,
        crlf: bytes[..first].ends_with(b"\r\n"),
        ..Header::default()
    };
    loop {
        let rest = &bytes[header.length..];
        if begins_record(rest) {
            return Parsed::Interrupted(header.length);
        }
        let Some((line, length)) = line(rest) else {
            return Parsed::Incomplete;
        };
        header.length += length;
        if !line.is_empty() {
            header.damaged |= line
                .iter()
                .any(|byte| *byte < b' ' && !byte.is_ascii_whitespace());
            header.fields.push(line);
            continue;
        }
        if header.fields.get("content-length").is_none() {
            let behind = &bytes[header.length..];
            if behind.len() < LOOK_BEHIND && !complete {
                return Parsed::Incomplete;
            }
            if header_goes_on(&behind[..behind.len().min(LOOK_BEHIND)]) {
                continue;
            }
        }
        header.content_length = header
            .fields
            .get("content-length")
            .and_then(|value| value.parse().ok());
        return Parsed::Header(header);
    }
}

/// ClueWeb09 has headers with a blank line inside, before Content-Length: whether what follows a blank line is a
/// record's header still, with a length to come.
fn header_goes_on(mut behind: &[u8]) -> bool {
    let mut first = true;
    while let Some((text, length)) = line(behind) {
        let starts_with = |name: &str| {
            text.get(..name.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()))
        };
        if starts_with("content-length:") {
            return true;
        }
        if first && !text.is_empty() && !starts_with("warc-") && !starts_with("content-type:") {
            return false;
        }
        if text.is_empty() && !first {
            return false;
        }
        first &= text.is_empty();
        behind = &behind[length..];
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::*;

    fn parse(bytes: &[u8]) -> Header {
        match header(bytes, true) {
            Parsed::Header(header) => header,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn duplicate_folded_and_broken_lines() {
        let got = parse(
            b"WARC/1.0\r\nA: 1\r\na: 2\r\nno colon\r\nB: x\r\n  y\r\nContent-Length: 3\r\n\r\nabc",
        );
        assert_eq!(got.fields.get("a"), Some("1"));
        assert_eq!(got.fields.get("b"), Some("x y"));
        assert_eq!((got.content_length, got.crlf), (Some(3), true));
    }

    #[test]
    fn blank_continuation_makes_no_value_of_blanks() {
        let got = parse(b"WARC/1.0\nA:\n \nA: x\nB: y\n\t\nC:\n z\nContent-Length: 0\n\n");
        assert_eq!(got.fields.get("a"), Some("x"));
        assert_eq!(got.fields.get("b"), Some("y"));
        assert_eq!(got.fields.get("c"), Some("z"));
    }

    #[test]
    fn raw_bytes_are_latin_1_unless_utf_8() {
        let got =
            parse(b"WARC/0.18\nWARC-Target-URI: http://a/\xe9\nX: \xc3\xa9\nContent-Length: 0\n\n");
        assert_eq!(got.fields.get("warc-target-uri"), Some("http://a/\u{e9}"));
        assert_eq!(got.fields.get("x"), Some("\u{e9}"));
        assert!(!got.crlf);
    }

    #[test]
    fn clueweb09_blank_line_before_content_length() {
        let bytes = b"WARC/0.18\nWARC-Type: response\n\nContent-Length: 4\n\nbody";
        let got = parse(bytes);
        assert_eq!(
            (got.content_length, &bytes[got.length..]),
            (Some(4), &b"body"[..])
        );
        let bytes = b"WARC/0.18\nWARC-Type: warcinfo\n\nsoftware: x\nContent-Length: 4\n\n";
        assert_eq!(
            parse(bytes).content_length,
            None,
            "a block without a declared length is no header"
        );
    }

    #[test]
    fn versions() {
        for (line, good) in [
            (&b"WARC/0.18\n"[..], true),
            (b"WARC/1.1\r\n", true),
            (b"WARC/1.0 \r\n", true),
            (b"warc/1.0\r\n", true),
            (b"WARC/1\n", false),
            (b"WARC/.0\n", false),
            (b"WARC/1.0", false),
            (b"WARC/1.0 is a format\n", false),
        ] {
            assert_eq!(
                version_line(line).is_some(),
                good,
                "{}",
                line.escape_ascii()
            );
        }
    }
}
