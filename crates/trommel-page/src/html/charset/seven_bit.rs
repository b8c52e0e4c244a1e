//! Encodings that are made of ASCII: those that the Encoding Standard has no decoder for, for the
//! safety of browsers (HZ, ISO-2022-KR, ISO-2022-CN), and ISO-2022-JP where nothing declares it.
//! Read as ASCII they would be junk.
//!
//! The first three set bytes of a double-byte set, with the eighth bit off, between marks. With it
//! on, they are GBK or EUC-KR.

use encoding_rs::{EUC_KR, Encoding, GBK, ISO_2022_JP};
use memchr::memmem;

/// Pairs of bytes between marks, in all, that tell HZ where no label does, if no mark is without
/// its other.
const LEAST_PAIRS: usize = 2;
/// Bytes in which a label of HZ is looked for.
const LOOK: usize = 4096;

/// The text of bytes that are ASCII and one of these encodings. `declared` is the charset of the
/// HTTP header.
pub(super) fn decode(bytes: &[u8], declared: Option<&str>) -> Option<String> {
    if memchr::memchr(0x1b, bytes).is_some() {
        let holds = |mark: &[u8]| memmem::find(bytes, mark).is_some();
        return match () {
            () if holds(b"\x1b$)C") => Some(shifted(bytes, EUC_KR)),
            () if holds(b"\x1b$)A") => Some(shifted(bytes, GBK)),
            () if holds(b"\x1b$B") || holds(b"\x1b$@") => Some(
                ISO_2022_JP
                    .decode_without_bom_handling(bytes)
                    .0
                    .into_owned(),
            ),
            () => None,
        };
    }
    let (text, pairs) = hz(bytes)?;
    let head = bytes[..bytes.len().min(LOOK)].to_ascii_lowercase();
    let is_label = |label: &str| label.to_ascii_lowercase().contains("hz-gb-2312");
    let told = declared.is_some_and(is_label) || memmem::find(&head, b"hz-gb-2312").is_some();
    (told || pairs >= LEAST_PAIRS).then_some(text)
}

/// HZ (RFC 1843): GB 2312 between `~{` and `~}`, `~~` is `~`, and `~` before a line end joins
/// lines. Gives the text and how many characters stand between marks, 0 if a mark is left open;
/// None if there are none, or something there is no character.
fn hz(bytes: &[u8]) -> Option<(String, usize)> {
    memmem::find(bytes, b"~{")?;
    let mut high = Vec::with_capacity(bytes.len());
    let (mut rest, mut double, mut pairs, mut open) = (bytes, false, 0, false);
    loop {
        match *rest {
            [] => break,
            [b'~', b'{', ..] if !double => (rest, double) = (&rest[2..], true),
            [b'~', b'}', ..] if double => (rest, double) = (&rest[2..], false),
            [b'~', b'~', ..] if !double => {
                high.push(b'~');
                rest = &rest[2..];
            }
            [b'~', b'\n', ..] if !double => rest = &rest[2..],
            // A line end ends what was not closed.
            [b'\n', ..] => {
                high.push(b'\n');
                open |= double;
                (rest, double) = (&rest[1..], false);
            }
            [first @ 0x21..=0x77, second @ 0x21..=0x7e, ..] if double => {
                high.extend([first | 0x80, second | 0x80]);
                (rest, pairs) = (&rest[2..], pairs + 1);
            }
            [_, ..] if double => return None,
            [byte, ..] => {
                high.push(byte);
                rest = &rest[1..];
            }
        }
    }
    let (text, malformed) = GBK.decode_without_bom_handling(&high);
    let told_by = if open || double { 0 } else { pairs };
    (!malformed && pairs > 0).then(|| (text.into_owned(), told_by))
}

/// ISO-2022-KR and -CN (RFC 1557, 1922), as far as they have one set: it stands between SO and SI,
/// or the end of the line. Marks of other sets are left out with what they mark.
fn shifted(bytes: &[u8], encoding: &'static Encoding) -> String {
    let mut high = Vec::with_capacity(bytes.len());
    let (mut rest, mut double) = (bytes, false);
    while let [byte, after @ ..] = rest {
        rest = after;
        match byte {
            0x0e => double = true,
            0x0f => double = false,
            0x1b => rest = after.get(3..).unwrap_or_default(),
            b'\n' => {
                double = false;
                high.push(b'\n');
            }
            0x21..=0x7e if double => high.push(byte | 0x80),
            _ => high.push(*byte),
        }
    }
    encoding.decode_without_bom_handling(&high).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_bits() {
        let check = |bytes: &[u8], declared, expected: Option<&str>| {
            assert_eq!(
                decode(bytes, declared).as_deref(),
                expected,
                "{}",
                bytes.escape_ascii()
            );
        };
        // The example of RFC 1843.
        let example =
            b"This sentence is in ASCII.\nThe next sentence is in GB.~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.";
        let text =
            "This sentence is in ASCII.\nThe next sentence is in GB.己所不欲，勿施於人。Bye.";
        check(example, None, Some(text));
        check(b"~{VP~}~~~\n.", Some("HZ-GB-2312"), Some("中~."));
        check(
            b"<meta charset=hz-gb-2312>~{VP",
            None,
            Some("<meta charset=hz-gb-2312>中"),
        );
        check(b"<p>~{VPVP~}", None, Some("<p>中中"));
        // Too little to tell, and what is none.
        check(b"~{VP~}", None, None);
        check(b"~{foo}\n", None, None);
        check(b"~{foo}", None, None);
        check(b"~{ a: 1 }~", Some("hz-gb-2312"), None);
        check(b"plain ~ text", Some("hz-gb-2312"), None);
        check(b"\x1b$)C\n\x0e0!Hf\x0f ok\n", None, Some("\n가흑 ok\n"));
        check(b"\x1b$)A\x0eVP\x0f.", None, Some("中."));
        check(b"\x1b$B$\"\x1b(B.", None, Some("あ."));
        check(b"\x1b[31mred", None, None);
    }
}
