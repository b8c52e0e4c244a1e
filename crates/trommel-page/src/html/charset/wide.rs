//! UTF-32, which the Encoding Standard does not have, and UTF-16 that neither a mark nor a header
//! tells.
//!
//! Both are full of NULs, as markup and white space are ASCII, and so are read as ASCII if nobody
//! looks.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Bytes that an encoding is told by.
const LOOK: usize = 4096;
/// Bytes, at least, that one is told by if there is no mark.
const LEAST: usize = 16;

/// The text of bytes that are UTF-32, with a byte order mark or without.
pub(super) fn utf32(bytes: &[u8]) -> Option<String> {
    let little = |quad: [u8; 4]| char::from_u32(u32::from_le_bytes(quad));
    let big = |quad: [u8; 4]| char::from_u32(u32::from_be_bytes(quad));
    match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => Some(text(rest, little)),
        [0, 0, 0xfe, 0xff, rest @ ..] => Some(text(rest, big)),
        _ if is_utf32(bytes, little) => Some(text(bytes, little)),
        _ if is_utf32(bytes, big) => Some(text(bytes, big)),
        _ => None,
    }
}

/// Whether all that is looked at are characters, and none is NUL: of 4,096 values of four bytes one
/// is.
fn is_utf32(bytes: &[u8], character: impl Fn([u8; 4]) -> Option<char>) -> bool {
    let (quads, _) = bytes[..bytes.len().min(LOOK)].as_chunks::<4>();
    let good = |quad: &[u8; 4]| character(*quad).is_some_and(|c| c != '\0');
    quads.len() >= LEAST / 4 && quads.iter().all(good)
}

fn text(bytes: &[u8], character: impl Fn([u8; 4]) -> Option<char>) -> String {
    let (quads, rest) = bytes.as_chunks::<4>();
    let whole = quads
        .iter()
        .map(|quad| character(*quad).unwrap_or('\u{fffd}'));
    whole
        .chain((!rest.is_empty()).then_some('\u{fffd}'))
        .collect()
}

/// The order of bytes that are UTF-16 without a mark: the upper half of most characters of a page
/// is zero, and the lower half of few (that of 一, U+4E00, is).
pub(super) fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let (pairs, _) = bytes[..bytes.len().min(LOOK)].as_chunks::<2>();
    let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let is_upper = |upper: usize, lower: usize| 8 * upper >= pairs.len() && upper >= 8 * lower;
    match pairs.len() >= LEAST / 2 {
        true if is_upper(first, second) => Some(UTF_16BE),
        true if is_upper(second, first) => Some(UTF_16LE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><body><p>一个 café 𝄞 一</p></body></html>";

    #[test]
    fn utf32_with_and_without_mark() {
        let little: Vec<u8> = PAGE
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let big: Vec<u8> = PAGE
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        assert_eq!(utf32(&little).as_deref(), Some(PAGE));
        assert_eq!(utf32(&big).as_deref(), Some(PAGE));
        let marked = |mark: &[u8], text: &[u8]| utf32(&[mark, text].concat());
        assert_eq!(marked(b"\xff\xfe\0\0", &little).as_deref(), Some(PAGE));
        assert_eq!(marked(b"\0\0\xfe\xff", &big).as_deref(), Some(PAGE));
        assert_eq!(
            marked(b"\xff\xfe\0\0", b"a\0\0\0b").as_deref(),
            Some("a\u{fffd}")
        );
        for none in [PAGE.as_bytes(), &[0; 100], b"a\0\0\0", b""] {
            assert_eq!(utf32(none), None);
        }
    }

    #[test]
    fn utf16_without_mark() {
        let little: Vec<u8> = PAGE.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = PAGE.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(unmarked_utf16(&little), Some(UTF_16LE));
        assert_eq!(unmarked_utf16(&big), Some(UTF_16BE));
        assert_eq!((utf32(&little), utf32(&big)), (None, None));
        let stray = [b"\0\0".as_slice(), PAGE.as_bytes(), b"\0\0"].concat();
        for none in [PAGE.as_bytes(), &stray, &[0; 100], b"a\0b\0"] {
            assert_eq!(unmarked_utf16(none), None);
        }
    }
}
