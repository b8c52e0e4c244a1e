//! Bytes to text.

mod prescan;
mod seven_bit;
mod wide;

use std::borrow::Cow;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

/// How the encoding of a payload is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    /// A byte order mark; else UTF-32 or UTF-16 if the bytes are; else UTF-8 if they are valid UTF-8 and not plain ASCII,
    /// whatever is declared; else the HTTP header; else a meta element; else detection. Of plain ASCII HZ and what is called
    /// ISO-2022 are told.
    #[default]
    Auto,
    /// This encoding, whatever the page says. Malformed bytes become U+FFFD.
    Fixed(&'static Encoding),
}

/// A label that names no encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' names no character encoding; use 'auto' or a label of the WHATWG Encoding Standard, like utf-8 or windows-1252"
)]
pub struct UnknownCharset(pub String);

impl FromStr for Charset {
    type Err = UnknownCharset;

    fn from_str(s: &str) -> Result<Self, UnknownCharset> {
        if s.eq_ignore_ascii_case("auto") {
            return Ok(Charset::Auto);
        }
        Encoding::for_label(s.as_bytes())
            .filter(is_readable)
            .map(Charset::Fixed)
            .ok_or_else(|| UnknownCharset(s.to_owned()))
    }
}

/// Decodes a payload. `declared` is the charset of the HTTP header. Never fails: malformed bytes become U+FFFD.
pub fn decode<'a>(bytes: &'a [u8], charset: Charset, declared: Option<&str>) -> Cow<'a, str> {
    decode_and_tell(bytes, charset, declared).0
}

/// How a payload was decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decoded {
    /// The encoding; none where several bytes before and after hang together (UTF-32, HZ and the like), so that no offset is told.
    pub encoding: Option<&'static Encoding>,
    /// Bytes of the byte order mark that was left out.
    pub mark: usize,
}

/// [`decode`], and how it was done.
pub(super) fn decode_and_tell<'a>(
    bytes: &'a [u8],
    charset: Charset,
    declared: Option<&str>,
) -> (Cow<'a, str>, Decoded) {
    let told = |encoding, mark| Decoded {
        encoding: Some(encoding),
        mark,
    };
    let untold = Decoded {
        encoding: None,
        mark: 0,
    };
    let mark = Encoding::for_bom(bytes);
    if let Charset::Fixed(encoding) = charset {
        let own = mark.filter(|(of_mark, _)| *of_mark == encoding);
        let length = own.map_or(0, |(_, length)| length);
        return (
            encoding.decode_with_bom_removal(bytes).0,
            told(encoding, length),
        );
    }
    if let Some(text) = wide::utf32(bytes) {
        return (Cow::Owned(text), untold);
    }
    if let Some((encoding, length)) = mark {
        // The byte order mark is removed, and wins over the encoding that is named here.
        return (UTF_8.decode(bytes).0, told(encoding, length));
    }
    if let Some(encoding) = wide::unmarked_utf16(bytes) {
        return (
            encoding.decode_without_bom_handling(bytes).0,
            told(encoding, 0),
        );
    }
    let text = std::str::from_utf8(bytes);
    if let Some(text) = text.ok().filter(|text| text.is_ascii())
        && let Some(text) = seven_bit::decode(text.as_bytes(), declared)
    {
        return (Cow::Owned(text), untold);
    }
    let encoding = match &text {
        // The first byte that is none of ASCII, if there is one, is soon found.
        Ok(text) if text.is_ascii() => of_ascii(bytes, declared),
        Ok(_) => UTF_8,
        Err(error) if is_cut(bytes, error) => UTF_8,
        Err(_) => detect(bytes, declared),
    };
    let decoded = match text {
        Ok(text) if encoding == UTF_8 => Cow::Borrowed(text),
        _ => encoding.decode_without_bom_handling(bytes).0,
    };
    (decoded, told(encoding, 0))
}

/// The encodings of the web agree on ASCII, but for two: ISO-2022-JP is made of it, and UTF-16 mixes it with NULs.
fn of_ascii(bytes: &[u8], declared: Option<&str>) -> &'static Encoding {
    match declared.and_then(label).or_else(|| meta(bytes)) {
        Some(encoding) if encoding == ISO_2022_JP => encoding,
        Some(encoding) if is_utf16(encoding) && memchr::memchr(0, bytes).is_some() => encoding,
        _ => UTF_8,
    }
}

/// The encoding of bytes that are no UTF-8.
fn detect(bytes: &[u8], declared: Option<&str>) -> &'static Encoding {
    if let Some(encoding) = declared.and_then(label).or_else(|| meta(bytes)) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The standard maps some labels (hz-gb-2312, iso-2022-kr …) to an encoding that replaces a whole page by one U+FFFD, for the
/// safety of browsers. Here such a label is no evidence.
fn is_readable(encoding: &&'static Encoding) -> bool {
    *encoding != REPLACEMENT
}

fn is_utf16(encoding: &Encoding) -> bool {
    encoding == UTF_16BE || encoding == UTF_16LE
}

/// Is it valid UTF-8 and not plain ASCII, but for a last character that truncation has cut?
fn is_cut(bytes: &[u8], error: &std::str::Utf8Error) -> bool {
    error.error_len().is_none() && !bytes[..error.valid_up_to()].is_ascii()
}

fn label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim_matches(['"', '\'']).as_bytes()).filter(is_readable)
}

/// How many bytes are searched for a meta element. The HTML standard asks for 1,024, and begins anew where the parser meets one later;
/// real pages put it later, behind comments and scripts.
const META_PRESCAN: usize = 1 << 14;

/// The encoding that a meta element declares, as the HTML standard reads it; where that finds nothing, any `charset=LABEL` inside a
/// `<meta …>` outside comments, since even what browsers pass over is better evidence than a guess.
fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    standard_meta(bytes)
        .filter(is_readable)
        .or_else(|| any_meta(bytes))
}

/// The encoding that a meta element declares: HTML standard §13.2.3.2, but for how many bytes are searched.
pub(super) fn standard_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    prescan::prescan(&bytes[..bytes.len().min(META_PRESCAN)])
}

fn any_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(META_PRESCAN)];
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &head[at..]) {
        at += open;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            at += memchr::memmem::find(&rest[2..], b"-->").map(|end| end + 5)?;
        } else if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") {
            let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
            if let Some(encoding) = charset_attribute(&rest[5..end]) {
                return Some(encoding);
            }
            at += end.max(1);
        } else {
            at += 1;
        }
    }
    None
}

fn charset_attribute(tag: &[u8]) -> Option<&'static Encoding> {
    let lower = tag.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&lower[from..], b"charset") {
        from += found + b"charset".len();
        let Some(value) = lower[from..].trim_ascii_start().strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let end = value
            .iter()
            .position(|b| matches!(b, b'"' | b'\'' | b';' | b'/' | b'>') || b.is_ascii_whitespace())
            .unwrap_or(value.len());
        let encoding = Encoding::for_label(&value[..end]).filter(is_readable)?;
        return Some(prescan::read_as(encoding));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], declared: Option<&str>, expected: &str) {
        assert_eq!(decode(bytes, Charset::Auto, declared), expected);
    }

    #[test]
    fn order_of_evidence() {
        check(b"\xef\xbb\xbfcaf\xc3\xa9", Some("iso-8859-1"), "café");
        check(b"\xff\xfea\0b\0", Some("utf-8"), "ab");
        // Valid UTF-8 wins over any declaration.
        check(
            "<meta charset=latin1>café".as_bytes(),
            Some("windows-1252"),
            "<meta charset=latin1>café",
        );
        // A cut last character does not change that.
        check(
            b"caf\xc3\xa9 caf\xc3",
            Some("windows-1252"),
            "café caf\u{fffd}",
        );
        check(b"caf\xe9", Some("iso-8859-1"), "café");
        check(
            b"<meta charset=\"windows-1251\">\xef\xf0\xe8",
            None,
            "<meta charset=\"windows-1251\">при",
        );
        check(
            b"<!-- <meta charset=koi8-r> --><META http-equiv=Content-Type content='text/html; CHARSET = windows-1251'>\xef",
            None,
            "<!-- <meta charset=koi8-r> --><META http-equiv=Content-Type content='text/html; CHARSET = windows-1251'>п",
        );
        // HTTP before meta.
        check(
            b"<meta charset=windows-1251>\xe9",
            Some("\"iso-8859-1\""),
            "<meta charset=windows-1251>é",
        );
        // An unknown label is no evidence.
        check(b"caf\xe9 d\xe9j\xe0 vu", Some("none-such"), "café déjà vu");
        check(b"", None, "");
        check(b"caf\xe9 d\xe9j\xe0 vu", Some("hz-gb-2312"), "café déjà vu");
        // UTF-16 without a byte order mark is believed where there are NULs; ISO-2022-JP is ASCII with escapes.
        check(b"a\0b\0", Some("utf-16le"), "ab");
        check(b"<p>ab", Some("utf-16"), "<p>ab");
        check(b"\x1b$B$\"\x1b(B", Some("iso-2022-jp"), "あ");
        // Where nothing declares them these were read as ASCII, and UTF-32 with a mark as UTF-16.
        check(b"\xff\xfe\0\0a\0\0\0", Some("utf-8"), "a");
        check(b"\0\0\0<\0\0\0p\0\0\0>\0\0\x4e\0", None, "<p>一");
        check(b"\0<\0p\0>\0a\0b\0c\x4e\x2d\0d", None, "<p>abc中d");
        check(b"<p>~{VPVP~}", Some("utf-8"), "<p>中中");
        check(b"\x1b$B$\"\x1b(B", None, "あ");
    }

    #[test]
    fn fixed() {
        let utf8: Charset = "utf-8".parse().unwrap();
        assert_eq!(
            decode(b"\xef\xbb\xbfcaf\xe9", utf8, Some("latin1")),
            "caf\u{fffd}"
        );
        assert!("no-such".parse::<Charset>().is_err());
    }
}
