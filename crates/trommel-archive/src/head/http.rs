//! HTTP messages inside records (RFC 9112), as lenient as crawls are careless.

use memchr::memchr;

use super::header::{Fields, MAX_HEADER, line, text};

/// Answers that may stand before the one that counts: interim ones (1xx), and a proxy's to CONNECT.
const MAX_INTERIM: usize = 4;
/// Fields of which a head without a status line must have one.
const USUAL_FIELDS: &[&str] = &["content-type", "content-length", "date", "server"];

/// The part of an HTTP response before its payload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The status code, where it can be read.
    pub(crate) status: Option<u16>,
    pub(crate) fields: Fields,
    /// Bytes up to the payload.
    pub(crate) length: usize,
    /// The payload's beginning was found; if not, the message ends inside its head, or that is
    /// longer than [`MAX_HEADER`].
    pub(crate) whole: bool,
}

/// Reads the head of the response that `message` begins with. None: it is no HTTP response.
///
/// `is_http` says that it is meant to be one: then its status line may be missing, as in a public
/// sample of ClueWeb09.
pub(crate) fn head(message: &[u8], is_http: bool) -> Option<Head> {
    let mut start = 0;
    let mut head = match begins_with_status(message) {
        true => one_head(message),
        false if is_http && begins_with_field(message) => {
            Some(one_head(message)).filter(|head| is_statusless(message, head))?
        }
        false => return None,
    };
    for _ in 0..MAX_INTERIM {
        let rest = message.get(start + head.length..).unwrap_or_default();
        if !head.whole || !begins_with_status(rest) {
            break;
        }
        let next = one_head(rest);
        let interim = head
            .status
            .is_some_and(|status| (100..200).contains(&status));
        // A proxy's "200 Connection established" has no page, and says nothing of one.
        let established = next.status.is_some() && head.fields.get("content-type").is_none();
        if !interim && !established {
            break;
        }
        start += head.length;
        head = next;
    }
    head.length += start;
    Some(head)
}

/// Whether bytes begin with the name of the protocol, as a status line does.
pub(crate) fn begins_with_status(message: &[u8]) -> bool {
    let name = b"HTTP/";
    message
        .get(..name.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(name))
}

/// Whether bytes begin with the name of a field. Most pages do not, which spares reading their
/// lines.
fn begins_with_field(message: &[u8]) -> bool {
    let name = message.iter().take_while(|byte| is_token(byte)).count();
    name > 0 && message.get(name) == Some(&b':')
}

/// Whether bytes that do not begin with a status line are a head all the same: every line is a
/// field, some are among the usual ones, and they end.
fn is_statusless(message: &[u8], head: &Head) -> bool {
    let mut rest = message.get(..head.length).unwrap_or_default();
    let mut first = true;
    while let Some((text, length)) = line(rest).filter(|(text, _)| !text.is_empty()) {
        let name = &text[..memchr(b':', text).unwrap_or(0)];
        let folded = !first && matches!(text.first(), Some(b' ' | b'\t'));
        if !folded && (name.is_empty() || !name.iter().all(is_token)) {
            return false;
        }
        first = false;
        rest = &rest[length..];
    }
    let mut usual = USUAL_FIELDS.iter();
    head.whole && usual.any(|name| head.fields.get(name).is_some())
}

/// A character of names (RFC 9110 §5.6.2).
fn is_token(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte)
}

fn one_head(message: &[u8]) -> Head {
    let mut head = Head::default();
    let has_status = begins_with_status(message);
    let search = &message[..message.len().min(MAX_HEADER)];
    while let Some((text, length)) = line(&search[head.length..]) {
        // Some crawlers leave the blank line out; a field's name cannot begin like this.
        if head.length > 0 && text.first() == Some(&b'<') {
            head.whole = true;
            break;
        }
        if head.length == 0 && has_status {
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
    head
}

/// How long a message says that it is, head and body. None: it does not say, or is no HTTP
/// response.
pub(crate) fn declared_length(message: &[u8]) -> Option<usize> {
    let head = head(message, true).filter(|head| head.whole)?;
    let body: usize = head.fields.get("content-length")?.parse().ok()?;
    head.length.checked_add(body)
}

/// The status code of a status line (`HTTP/1.1 200 OK`).
pub(crate) fn status(line: &[u8]) -> Option<u16> {
    let line = line
        .get(b"HTTP/".len()..)
        .filter(|_| begins_with_status(line))?;
    let code = line
        .split(|byte| *byte == b' ')
        .skip(1)
        .find(|word| !word.is_empty())?;
    std::str::from_utf8(code.get(..3)?).ok()?.parse().ok()
}

/// Media type and charset of the values of Content-Type, both in lower case: `text/html;
/// charset="UTF-8"`.
///
/// As in the Fetch Standard ("extract a MIME type"): of several values the last counts that is a
/// media type at all, and what is none, such as `text/html charset=utf-8`, says nothing, nor do the
/// "unknown" types of the WHATWG MIME Sniffing Standard §7: then the bytes tell. They also do where
/// values disagree on whether it is HTML. A charset is believed wherever it stands.
pub(crate) fn content_type<'a>(
    values: impl IntoIterator<Item = &'a str>,
) -> (Option<String>, Option<String>) {
    let mut media: Option<String> = None;
    let (mut charset, mut stray) = (None, None);
    let mut html = false;
    for value in values.into_iter().flat_map(|value| value.split(',')) {
        let own = value.split(';').next().unwrap_or_default().trim();
        let own = own.to_ascii_lowercase();
        if !is_media_type(&own) {
            stray = stray.or_else(|| charset_parameter(value));
            continue;
        }
        html |= is_html(&own);
        let kept = charset.take().filter(|_| media.as_ref() == Some(&own));
        charset = charset_parameter(value).or(kept);
        media = Some(own);
    }
    let media = media.filter(|media| !html || is_html(media));
    (media, charset.or(stray))
}

/// Whether a text is a media type (WHATWG MIME Sniffing Standard §4.4) that says something.
fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| is_token(&byte));
    text.split_once('/')
        .is_some_and(|(kind, name)| is_name(kind) && is_name(name))
        && !matches!(text, "unknown/unknown" | "application/unknown" | "*/*")
}

fn charset_parameter(value: &str) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    let mut places = lower.split("charset").skip(1);
    let value = places.find_map(|rest| rest.trim_start().strip_prefix('='))?;
    let value = value
        .trim_start()
        .trim_start_matches(['"', '\''])
        .trim_start();
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';');
    let value = value.split(ends).next().unwrap_or_default();
    Some(value.to_owned()).filter(|value| !value.is_empty())
}

/// Whether a media type is HTML.
pub(crate) fn is_html(media: &str) -> bool {
    matches!(media, "text/html" | "application/xhtml+xml")
}

/// Whether bytes look like HTML: the patterns of the WHATWG MIME Sniffing Standard §7.1, after
/// white space, a UTF-8 byte order mark and any XML declaration (which that standard takes for XML,
/// though XHTML pages begin so).
pub(crate) fn looks_like_html(bytes: &[u8]) -> bool {
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

/// A value made of header bytes.
pub(crate) fn trimmed(bytes: &[u8]) -> String {
    text(bytes.trim_ascii())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn heads() {
        let check = |message: &[u8], status: Option<u16>, body: &[u8]| {
            let head = head(message, true).unwrap();
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
        check(b"http/1.1 200 OK\r\nA: b\r\n\r\nbody", Some(200), b"body");
        check(
            b"HTTP/1.0 200 Connection established\r\nProxy-agent: x\r\n\r\nHTTP/1.1 404 No\r\n\r\nbody",
            Some(404),
            b"body",
        );
        check(b"Server: x\nA:\n b\n\nbody", None, b"body");
        for none in [
            &b"<html>"[..],
            b"A: b\n\nbody",
            b"Date: x\nno field\n\nbody",
            b"Date: x\nA: it does not end",
            b"The date: x\n\nbody",
            b" Date: x\n\nbody",
        ] {
            assert_eq!(head(none, true), None, "{}", none.escape_ascii());
        }
        assert_eq!(head(b"Date: x\n\nbody", false), None);
    }

    #[test]
    fn content_types() {
        let check = |value: &str, media: Option<&str>, charset: Option<&str>| {
            let (got_media, got_charset) = content_type(value.split('\n'));
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
        // No media types.
        check("text/html charset=utf-8", None, Some("utf-8"));
        check("text/html Last-modified: Thu, 1 Jan", None, None);
        check("text", None, None);
        check("*/*", None, None);
        check("unknown/unknown", None, None);
        // Several.
        check(
            "text/html; charset=x\ntext/html",
            Some("text/html"),
            Some("x"),
        );
        check("application/pdf\nimage/png", Some("image/png"), None);
        check(
            "text/html;charset=x\nnonsense",
            Some("text/html"),
            Some("x"),
        );
        check(
            "text/html, text/html;charset=x",
            Some("text/html"),
            Some("x"),
        );
        check(
            "application/xhtml+xml\ntext/html;charset=x",
            Some("text/html"),
            Some("x"),
        );
        check("text/html\ntext/plain", None, None);
        check("text/plain\ntext/html", Some("text/html"), None);
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
