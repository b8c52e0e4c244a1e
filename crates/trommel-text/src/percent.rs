//! Percent-encoding that leaves most texts as they are and is one-to-one all the same.
//!
//! What must not stand in a text is written as its bytes, `%20` for a blank, and in such a text `%`
//! is `%25`. A text that needs none of this stays as it is, unless it looks as if it were the
//! encoding of another: then its `%` are encoded, too. So `a b` becomes `a%20b`, `a%20b` becomes
//! `a%2520b`, that becomes `a%252520b`, and `a%2Fb` and `50%` stay. Every text can be read back,
//! and no two become one.

use std::borrow::Cow;

/// What is encoded.
#[derive(Clone, Copy)]
struct Rule {
    /// Characters that must not stand in a text.
    forbidden: fn(char) -> bool,
    /// What there is to encode is UTF-8.
    utf8: bool,
}

const WORDS: Rule = Rule {
    forbidden: breaks_words,
    utf8: true,
};
const BYTES: Rule = Rule {
    forbidden: |_| false,
    utf8: false,
};

/// A docid as one word, which is how runs and judgments have it: white space and control characters
/// are encoded.
pub fn to_word(text: &str) -> Cow<'_, str> {
    escape(text.as_bytes(), WORDS)
}

/// The text that [`to_word`] makes this word of; the word itself if it is not encoded.
pub fn from_word(word: &str) -> Cow<'_, str> {
    match unescape(word, WORDS).map(String::from_utf8) {
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(word),
    }
}

/// Whether a character cannot stand in a word.
pub fn breaks_words(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Bytes that should be UTF-8, such as a file's name, as text: bytes that are not are encoded.
pub fn text_of_bytes(bytes: &[u8]) -> Cow<'_, str> {
    escape(bytes, BYTES)
}

/// The bytes that [`text_of_bytes`] makes this text of.
pub fn bytes_of_text(text: &str) -> Cow<'_, [u8]> {
    match unescape(text, BYTES) {
        Some(bytes) => Cow::Owned(bytes),
        None => Cow::Borrowed(text.as_bytes()),
    }
}

/// Encodes what is not UTF-8, and the characters that must not stand there.
fn escape(bytes: &[u8], rule: Rule) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_plain(text) => Cow::Borrowed(text),
        Ok(text) if !text.contains(rule.forbidden) && unescape(text, rule).is_none() => {
            Cow::Borrowed(text)
        }
        _ => Cow::Owned(encode(bytes, rule)),
    }
}

/// Most texts are ASCII without anything to encode, which is seen fast.
fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'%';
    text.bytes().all(plain)
}

fn encode(bytes: &[u8], rule: Rule) -> String {
    let mut encoded = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match (rule.forbidden)(c) || c == '%' {
                true => push_encoded(&mut encoded, c.encode_utf8(&mut [0; 4]).as_bytes()),
                false => encoded.push(c),
            }
        }
        push_encoded(&mut encoded, chunk.invalid());
    }
    encoded
}

fn push_encoded(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push_str(&format!("%{byte:02X}"));
    }
}

/// What a text is the encoding of. None: it is none.
///
/// Encoded n times more than once, every `%` of it is followed by `25` n times or more, and the one
/// that stands for what is forbidden by no more. Without these it is encoded once, and encoding
/// what it says must give it again.
fn unescape(text: &str, rule: Rule) -> Option<Vec<u8>> {
    let times = |after: &str| {
        let pairs = after.as_bytes().chunks_exact(2);
        pairs.take_while(|pair| *pair == b"25").count()
    };
    let depth = text.split('%').skip(1).map(times).min()?;
    let once = match depth {
        0 => Cow::Borrowed(text),
        _ => {
            let mut parts = text.split('%');
            let first = parts.next().unwrap_or_default().to_owned();
            let rest = parts.map(|part| part.get(2 * depth..).unwrap_or_default());
            Cow::Owned(rest.fold(first, |text, part| text + "%" + part))
        }
    };
    let raw = decode(&once)?;
    let sound = !rule.utf8 || std::str::from_utf8(&raw).is_ok();
    (sound && encode(&raw, rule) == once).then_some(())?;
    match depth {
        0 => Some(raw),
        _ => decode(text),
    }
}

/// Every `%XX` as the byte that it stands for. None: a `%` has no two digits behind it.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits = part
            .get(..2)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn words() {
        for (text, word) in [
            ("plain-1", "plain-1"),
            ("sp ace", "sp%20ace"),
            ("sp%20ace", "sp%2520ace"),
            ("sp%2520ace", "sp%252520ace"),
            ("a%25 b", "a%2525%20b"),
            ("é\u{a0}ü", "é%C2%A0ü"),
            ("é%C2%A0ü", "é%25C2%25A0ü"),
            // These are the encodings of nothing.
            ("a%2Fb", "a%2Fb"),
            ("a%2Fb%20c", "a%2Fb%20c"),
            ("50%", "50%"),
            ("50% off", "50%25%20off"),
            ("%25", "%25"),
            ("a%0ab", "a%0ab"),
            ("caf%E9", "caf%E9"),
        ] {
            assert_eq!(to_word(text), word);
            assert_eq!(from_word(word), text);
        }
    }

    #[test]
    fn bytes() {
        for (bytes, text) in [
            (&b"caf\xe9.html"[..], "caf%E9.html"),
            (b"caf\xe8.html", "caf%E8.html"),
            (b"caf%E9.html", "caf%25E9.html"),
            ("café%20.html".as_bytes(), "café%20.html"),
            (b"caf%C3%A9", "caf%C3%A9"),
            (b"100%\xff", "100%25%FF"),
        ] {
            assert_eq!(text_of_bytes(bytes), text);
            assert_eq!(bytes_of_text(text), bytes);
        }
    }

    /// All texts of up to seven characters of an alphabet that provokes collisions.
    #[test]
    fn no_two_texts_become_one() {
        let mut texts = vec![String::new()];
        let mut words = BTreeSet::new();
        for _ in 0..7 {
            let longer = |text: &String| ['%', '2', '5', '0', ' '].map(|c| format!("{text}{c}"));
            texts = texts.iter().flat_map(longer).collect();
            for text in &texts {
                let word = to_word(text);
                assert!(!word.contains(' '));
                assert_eq!(from_word(&word), *text);
                assert!(words.insert(word.into_owned()), "{text:?}");
            }
        }
    }
}
