//! The first lines of ARC records (Burner and Kahle, "Arc File Format", 1996).
//!
//! Addresses may hold blanks, and so may types, so a line is read from its end, and is a record's first only if length, date and
//! IP address are where they should be.

use memchr::memchr;

/// Longest first line taken. Addresses have at most a few KB.
pub(crate) const LOOK: usize = 8 * 1024;

/// Longest name of a scheme (that of the specification's longest example is `filedesc`).
pub(crate) const MAX_SCHEME: usize = 16;

/// Fields, at most, between date and length: six in version 2, and a type may hold blanks.
const MAX_FIELDS: usize = 12;

/// The first line of a record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UrlLine<'a> {
    pub(crate) url: &'a [u8],
    pub(crate) date: &'a [u8],
    pub(crate) media: &'a [u8],
    /// Version 2 only.
    pub(crate) status: Option<&'a [u8]>,
    pub(crate) content_length: u64,
    /// Bytes up to the block.
    pub(crate) length: usize,
    pub(crate) crlf: bool,
}

/// Whether `bytes` begins with a record; [`LOOK`] bytes suffice.
pub(crate) fn begins_record(bytes: &[u8]) -> bool {
    url_line(bytes).is_some()
}

/// Whether `bytes` begins with the name of a scheme and a colon; the scheme's length.
pub(crate) fn scheme(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(MAX_SCHEME + 1)];
    let length = head.iter().take_while(in_scheme).count();
    (head.first()?.is_ascii_alphabetic() && head.get(length) == Some(&b':')).then_some(length)
}

pub(crate) fn in_scheme(byte: &&u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

pub(crate) fn url_line(bytes: &[u8]) -> Option<UrlLine<'_>> {
    scheme(bytes)?;
    let end = memchr(b'\n', &bytes[..bytes.len().min(LOOK)])?;
    let line = &bytes[..end];
    let crlf = line.ends_with(b"\r");
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (mut rest, last) = split_last(line)?;
    let content_length = number(last)?;
    // Fields between date and length, last first.
    let mut fields = Vec::new();
    // A type that is not known may be nothing at all.
    if let Some(before) = rest.strip_suffix(b" ") {
        fields.push(&b""[..]);
        rest = before;
    }
    while fields.len() <= MAX_FIELDS {
        let (before, field) = split_last(rest)?;
        if let Some((url, ip)) = split_last(before)
            && !fields.is_empty()
            && is_date_and_ip(field, ip)
        {
            let media = fields.last().copied().unwrap_or_default();
            let status = fields.len().checked_sub(2).filter(|_| fields.len() >= 6);
            return Some(UrlLine {
                url,
                date: field,
                media,
                status: status.and_then(|at| fields.get(at).copied()),
                content_length,
                length: end + 1,
                crlf,
            });
        }
        fields.push(field);
        rest = before;
    }
    None
}

/// What stands before and after the last blank.
fn split_last(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.iter().rposition(|byte| *byte == b' ')?;
    Some((&line[..at], &line[at + 1..]))
        .filter(|(before, after)| !before.is_empty() && !after.is_empty())
}

fn number(word: &[u8]) -> Option<u64> {
    let digits = word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word)
        .ok()
        .filter(|_| digits)?
        .parse()
        .ok()
}

/// A date is `YYYYMMDDhhmmss`; shorter and longer ones are found as well. An address that is not known may be a `-` or a `0`,
/// where only a date in full is believed, since an offset of version 2 looks like a shorter one.
fn is_date_and_ip(date: &[u8], ip: &[u8]) -> bool {
    let is_date = matches!(date.len(), 8 | 12 | 14 | 17)
        && date.iter().all(u8::is_ascii_digit)
        && (date.starts_with(b"19") || date.starts_with(b"20"));
    let is_ip = ip.iter().any(|byte| matches!(byte, b'.' | b':'))
        && ip
            .iter()
            .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':'));
    is_date && (is_ip || matches!(ip, b"-" | b"0") && date.len() >= 14)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::head::header::text;

    #[test]
    fn url_lines() {
        let check = |line: &str, expected: Option<(&str, &str, &str, Option<&str>, u64)>| {
            let bytes = format!("{line}\nblock");
            let got = url_line(bytes.as_bytes());
            let got = got.map(|got| {
                assert_eq!(&bytes[got.length..], "block");
                let status = got.status.map(text);
                (
                    text(got.url),
                    text(got.date),
                    text(got.media),
                    status,
                    got.content_length,
                )
            });
            let own =
                |(url, date, media, status, length): (&str, &str, &str, Option<&str>, u64)| {
                    let status = status.map(str::to_owned);
                    (
                        url.to_owned(),
                        date.to_owned(),
                        media.to_owned(),
                        status,
                        length,
                    )
                };
            assert_eq!(got, expected.map(own), "{line}");
        };
        // The examples of the specification.
        check(
            "filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain 76",
            Some((
                "filedesc://IA-001102.arc",
                "19960923142103",
                "text/plain",
                None,
                76,
            )),
        );
        check(
            "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 202",
            Some((
                "http://www.dryswamp.edu:80/index.html",
                "19961104142103",
                "text/html",
                None,
                202,
            )),
        );
        check(
            "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 200 \
             fac069150613fe55599cc7fa88aa089d - 209 IA-001102.arc 202",
            Some((
                "http://www.dryswamp.edu:80/index.html",
                "19961104142103",
                "text/html",
                Some("200"),
                202,
            )),
        );
        check(
            "http://a/b c d 1.2.3.4 20040101000000 text/html; charset=x 7",
            Some(("http://a/b c d", "20040101000000", "text/html;", None, 7)),
        );
        check(
            "http://a/ - 20040101000000 text/html 200 x - 20040101 f.arc 7",
            Some(("http://a/", "20040101000000", "text/html", Some("200"), 7)),
        );
        check(
            "dns:a.b 1.2.3.4 20040101000000 text/dns 7",
            Some(("dns:a.b", "20040101000000", "text/dns", None, 7)),
        );
        check(
            "http://a/ 1.2.3.4 20040101000000  7",
            Some(("http://a/", "20040101000000", "", None, 7)),
        );
        check(
            "http://a/ 0 20040101000000 text/html 7",
            Some(("http://a/", "20040101000000", "text/html", None, 7)),
        );
        for bad in [
            "http://a/ 1.2.3.4 20040101000000 text/html x",
            "http://a/ 1.2.3.4 20040101000000 7",
            "http://a/ 1.2.3.4 30040101000000 text/html 7",
            "no scheme 1.2.3.4 20040101000000 text/html 7",
            "http://a/ text/html 7",
            "URL IP-address Archive-date Content-type Archive-length",
            "",
        ] {
            check(bad, None);
        }
    }
}
