//! From markup to the bytes of a page: its language and encoding are declared, and some pages are damaged.

use encoding_rs::Encoding;
use trommel_text::SplitMix64;

/// How far into a page declarations are looked for.
const HEAD: usize = 700;

/// What is wrong with a page, or with the archive beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// It ends in the middle.
    Cut,
    /// One byte of fifty is another one.
    Bytes,
    /// Before it stands a record of which half is missing.
    HalfRecord,
    /// Before it stand zeros that belong to no record.
    Zeros,
}

impl Damage {
    pub(super) fn draw(random: &mut SplitMix64) -> Damage {
        let kinds = [
            Damage::Cut,
            Damage::Bytes,
            Damage::HalfRecord,
            Damage::Zeros,
        ];
        kinds[random.below(kinds.len())]
    }
}

/// The bytes of a page that was rendered in English and UTF-8.
pub(super) fn encode(
    html: String,
    language: &str,
    charset: Option<&str>,
    damage: Option<Damage>,
    random: &mut SplitMix64,
) -> Vec<u8> {
    let html = match (language, charset) {
        ("en", None) => html,
        _ => declared(&html, language, charset.unwrap_or("utf-8")),
    };
    let encoding = charset.and_then(|charset| Encoding::for_label(charset.as_bytes()));
    let mut bytes = match encoding {
        None => html.into_bytes(),
        Some(encoding) => encoding.encode(&html).0.into_owned(),
    };
    match damage {
        Some(Damage::Cut) => bytes.truncate(bytes.len() / 4 + random.below(bytes.len() / 2 + 1)),
        Some(Damage::Bytes) => {
            for byte in &mut bytes {
                if random.below(50) == 0 {
                    *byte = random.below(256) as u8;
                }
            }
        }
        Some(Damage::HalfRecord | Damage::Zeros) | None => {}
    }
    bytes
}

/// The page with its language and encoding in the place of those that the layouts declare.
fn declared(html: &str, language: &str, charset: &str) -> String {
    let mut end = html.len().min(HEAD);
    while !html.is_char_boundary(end) {
        end -= 1;
    }
    let (head, rest) = html.split_at(end);
    let mut head = head.replace("lang=\"en\"", &format!("lang=\"{language}\""));
    for name in [
        "charset=utf-8",
        "charset=UTF-8",
        "charset=\"utf-8",
        "encoding=\"utf-8",
    ] {
        let key = &name[..name.len() - "utf-8".len()];
        head = head.replace(name, &format!("{key}{charset}"));
    }
    head + rest
}
