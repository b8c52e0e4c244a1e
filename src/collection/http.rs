//! HTTP messages inside records (RFC 9112), as lenient as crawls are careless.

use super::header::{Fields, MAX_HEADER, line, text};
use super::payload;

/// Interim (1xx) answers that may stand before the one that counts.
const MAX_INTERIM: usize = 4;

/// The part of an HTTP response before its payload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The status code, where it can be read.
    pub(super) status: Option<u16>,
    pub(super) fields: Fields,
    /// Bytes up to the payload.
    pub(super) length: usize,
    /// The payload's beginning was found; if not, the message ends inside its head, or that is longer than
    /// [`MAX_HEADER`].
    pub(super) whole: bool,
}

/// Reads the head of the response that `message` begins with. None: it is no HTTP response.
pub(super) fn head(message: &[u8]) -> Option<Head> {
    let mut start = 0;
    let mut head = one_head(message)?;
    for _ in 0..MAX_INTERIM {
        let interim = head.whole
            && head
                .status
                .is_some_and(|status| (100..200).contains(&status));
        let Some(next) = message
            .get(start + head.length..)
            .filter(|_| interim)
            .and_then(one_head)
        else {
            break;
        };
        start += head.length;
        head = next;
    }
    head.length += start;
    Some(head)
}

fn one_head(message: &[u8]) -> Option<Head> {
    if !message.starts_with(b"HTTP/") {
        return None;
    }
    let mut head = Head::default();
    let search = &message[..message.len().min(MAX_HEADER)];
    while let Some((text, length)) = line(&search[head.length..]) {
        // Some crawlers leave the blank line out; a field's name cannot begin like this.
        if head.length > 0 && text.first() == Some(&b'<') {
            head.whole = true;
            break;
        }
        if head.length == 0 {
            head.status = status(text);
        } else {
            head.fields.push(text);
        }
        head.length += length;
        if text.is_empty() {
            head.whole = true;
            break;
        }
    }
    if !head.whole {
        head.length = message.len();
    }
    Some(head)
}

/// How long a message says that it is, head and body. None: it does not say, or is no HTTP response.
pub(super) fn declared_length(message: &[u8]) -> Option<usize> {
    let head = head(message).filter(|head| head.whole)?;
    let body: usize = head.fields.get("content-length")?.parse().ok()?;
    head.length.checked_add(body)
}

/// The status code of a status line (`HTTP/1.1 200 OK`).
pub(super) fn status(line: &[u8]) -> Option<u16> {
    let line = line.strip_prefix(b"HTTP/")?;
    let code = line
        .split(|byte| *byte == b' ')
        .skip(1)
        .find(|word| !word.is_empty())?;
    std::str::from_utf8(code.get(..3)?).ok()?.parse().ok()
}

/// Media type and charset of a Content-Type value, both in lower case: `text/html; charset="UTF-8"`.
pub(super) fn content_type(value: &str) -> (Option<String>, Option<String>) {
    let mut parts = value.split([';', ',']);
    let media = parts
        .next()
        .map(|media| media.trim().to_ascii_lowercase())
        .filter(|media| !media.is_empty());
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty())
            .then(|| value.to_ascii_lowercase())
    });
    (media, charset)
}

/// Whether a declared media type says nothing (the "unknown" types of the WHATWG MIME Sniffing Standard §7).
pub(super) fn says_nothing(media: &str) -> bool {
    !media.contains('/') || matches!(media, "unknown/unknown" | "application/unknown" | "*/*")
}

/// Whether a media type is HTML.
pub(super) fn is_html(media: &str) -> bool {
    matches!(media, "text/html" | "application/xhtml+xml")
}

/// Whether bytes look like HTML: the patterns of the WHATWG MIME Sniffing Standard §7.1, after white space, a UTF-8
/// byte order mark and any XML declaration (which that standard takes for XML, though XHTML pages begin so).
pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    const TAGS: &[&str] = &[
        "<!doctype html",
        "<html",
        "<head",
        "<script",
        "<iframe",
        "<h1",
        "<div",
        "<font",
        "<table",
        "<a",
        "<style",
        "<title",
        "<b",
        "<body",
        "<br",
        "<p",
        "<!--",
    ];
    let mut rest = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    if rest.starts_with(b"<?xml") {
        let end = rest.windows(2).take(256).position(|pair| pair == b"?>");
        rest = end
            .and_then(|end| rest.get(end + 2..))
            .unwrap_or(rest)
            .trim_ascii_start();
    }
    TAGS.iter().any(|tag| {
        let head = rest.get(..tag.len()).unwrap_or_default();
        let next = rest.get(tag.len());
        let closed =
            *tag == "<!--" || matches!(next, Some(b' ' | b'>' | b'\t' | b'\n' | b'\r' | b'\x0c'));
        closed && head.eq_ignore_ascii_case(tag.as_bytes())
    })
}

/// The payload of a response, its encodings undone.
pub(super) fn payload(
    fields: &Fields,
    body: &[u8],
    limit: u64,
) -> Result<payload::Payload, payload::TooLarge> {
    let list = |name: &str| -> Vec<String> {
        let value = fields.get(name).unwrap_or_default();
        value
            .split(',')
            .map(|word| word.trim().to_ascii_lowercase())
            .filter(|word| !word.is_empty())
            .collect()
    };
    let chunked = list("transfer-encoding")
        .iter()
        .any(|word| word == "chunked");
    payload::decode(body, chunked, &list("content-encoding"), limit)
}

/// A value made of header bytes.
pub(super) fn trimmed(bytes: &[u8]) -> String {
    text(bytes.trim_ascii())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn heads() {
        let check = |message: &[u8], status: Option<u16>, body: &[u8]| {
            let head = head(message).unwrap();
            assert_eq!(
                (head.status, &message[head.length..]),
                (status, body),
                "{}",
                message.escape_ascii()
            );
        };
        check(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", Some(200), b"body");
        check(b"HTTP/1.0 404\nA: b\n\nbody", Some(404), b"body");
        check(b"HTTP/1.1 OK\n\nbody", None, b"body");
        check(
            b"HTTP/1.1 200 OK\nA: b\n<html>no blank line\n",
            Some(200),
            b"<html>no blank line\n",
        );
        check(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nA: b\r\n\r\nbody",
            Some(302),
            b"body",
        );
        check(b"HTTP/1.1 200 OK\r\nA: b", Some(200), b"");
        assert_eq!(head(b"<html>"), None);
    }

    #[test]
    fn content_types() {
        let check = |value: &str, media: Option<&str>, charset: Option<&str>| {
            let (got_media, got_charset) = content_type(value);
            assert_eq!(
                (got_media.as_deref(), got_charset.as_deref()),
                (media, charset),
                "{value}"
            );
        };
        check(
            "text/html; charset=EUC-JP",
            Some("text/html"),
            Some("euc-jp"),
        );
        check(
            "Text/HTML;x=1; Charset = \"UTF-8\" ",
            Some("text/html"),
            Some("utf-8"),
        );
        check("text/html;charset=", Some("text/html"), None);
        check("; charset=utf-8", None, Some("utf-8"));
        check("", None, None);
    }

    #[test]
    fn sniffing() {
        for (bytes, html) in [
            (&b"\xef\xbb\xbf \n<!DOCTYPE HTML PUBLIC"[..], true),
            (b"<HTML>", true),
            (b"<?xml version=\"1.0\"?>\n<html xmlns=\"x\">", true),
            (b"<?xml version=\"1.0\"?><rss>", false),
            (b"<!--x", true),
            (b"<article>", false), // not one of the standard's patterns
            (b"<html", false),     // cut off before the byte that closes the tag's name
            (b"plain text", false),
            (b"", false),
        ] {
            assert_eq!(looks_like_html(bytes), html, "{}", bytes.escape_ascii());
        }
    }
}
