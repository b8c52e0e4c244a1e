//! ARC files of the Internet Archive, versions 1 and 2 (Burner and Kahle, "Arc File Format", 1996): how records begin.
//!
//! ```text
//! filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain 76
//! 1 0 Alexa Internet
//! URL IP-address Archive-date Content-type Archive-length
//!
//! http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 202
//! HTTP/1.0 200 Document follows
//! …
//! ```
//!
//! Version 2 has result code, check sum, location, offset and file name between type and length. Addresses may hold blanks,
//! and so may types, so a line is read from its end, and is a record's first only if length, date and IP address are
//! where they should be. It becomes the header that a WARC record of the same content has, and all that follows is what
//! [`super::warc`] does: the same repairs of lengths, the same way past damage. An ARC record has no identifier of its own: the
//! one it is given is `DATE/URL`, as in the addresses of web archives.

use memchr::{memchr, memchr_iter};

use super::frame::{Candidates, Grammar};
use super::header::{Fields, Header, Parsed, text};

/// Longest first line taken. Addresses have at most a few KB.
const LOOK: usize = 8 * 1024;
/// Longest name of a scheme (that of the specification's longest example is `filedesc`).
const MAX_SCHEME: usize = 16;
/// Fields, at most, between date and length: six in version 2, and a type may hold blanks.
const MAX_FIELDS: usize = 12;
/// Schemes that are recognised where they do not begin a line.
const SCHEMES: &[&[u8]] = &[b"https", b"http", b"ftp", b"dns"];

/// Records of ARC files.
pub(super) const GRAMMAR: Grammar = Grammar {
    look: LOOK,
    opens,
    begins: begins_record,
    convinces: |bytes| opens(bytes, false),
    is_cut,
    candidates,
    header,
    closing: 1,
    before_member: 0,
    inside_header: b"\nHTTP/",
};

/// The first line of a record.
#[derive(Debug, PartialEq, Eq)]
struct UrlLine<'a> {
    url: &'a [u8],
    date: &'a [u8],
    media: &'a [u8],
    /// Version 2 only.
    status: Option<&'a [u8]>,
    content_length: u64,
    /// Bytes up to the block.
    length: usize,
    crlf: bool,
}

/// Whether `bytes` begins with a record; [`LOOK`] bytes suffice.
pub(super) fn begins_record(bytes: &[u8]) -> bool {
    url_line(bytes).is_some()
}

fn opens(bytes: &[u8], line: bool) -> bool {
    let known = || scheme(bytes).is_some_and(|length| SCHEMES.contains(&&bytes[..length]));
    (line || known()) && begins_record(bytes)
}

/// Whether `bytes` begins with the name of a scheme and a colon; the scheme's length.
fn scheme(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(MAX_SCHEME + 1)];
    let length = head.iter().take_while(in_scheme).count();
    (head.first()?.is_ascii_alphabetic() && head.get(length) == Some(&b':')).then_some(length)
}

fn in_scheme(byte: &&u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn url_line(bytes: &[u8]) -> Option<UrlLine<'_>> {
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

fn header(bytes: &[u8], _: bool) -> Parsed {
    let Some(line) = url_line(bytes) else {
        return Parsed::Incomplete;
    };
    let (url, date, media) = (text(line.url), text(line.date), text(line.media));
    let kind = match line.url.starts_with(b"filedesc:") {
        true => "warcinfo",
        false => "response",
    };
    let mut fields = Fields::default();
    fields.set("warc-type", kind);
    fields.set("warc-record-id", &format!("{date}/{url}"));
    fields.set("warc-target-uri", &url);
    fields.set("warc-date", &date);
    // The type of a block without HTTP header; where that header has none, the one that the crawler made out.
    fields.set("content-type", &media);
    fields.set("warc-identified-payload-type", &media);
    if let Some(status) = line.status {
        fields.set("arc-result-code", &text(status));
    }
    Parsed::Header(Header {
        fields,
        length: line.length,
        content_length: Some(line.content_length),
        crlf: line.crlf,
        damaged: false,
    })
}

/// Every colon of the bytes may be that of an address. In the middle of a line, where letters before it may be anything,
/// only known schemes count.
fn candidates(bytes: &[u8], from: usize) -> Candidates<'_> {
    let colons = memchr_iter(b':', bytes.get(from..).unwrap_or_default()).map(move |at| from + at);
    Box::new(colons.filter_map(move |colon| {
        let before = &bytes[from..colon];
        let length = before
            .iter()
            .rev()
            .take(MAX_SCHEME)
            .take_while(in_scheme)
            .count();
        let begin = colon - length;
        let line = begin
            .checked_sub(1)
            .is_none_or(|at| matches!(bytes[at], b'\n' | 0));
        match line {
            true => Some(begin).filter(|_| length > 0),
            false => {
                let known = SCHEMES.iter().find(|known| before.ends_with(known))?;
                Some(colon - known.len())
            }
        }
    }))
}

fn is_cut(bytes: &[u8]) -> bool {
    scheme(bytes).is_some() && bytes.len() < LOOK && memchr(b'\n', bytes).is_none()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

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
