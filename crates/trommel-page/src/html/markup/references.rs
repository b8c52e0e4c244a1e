//! Character references: HTML standard §13.2.5.72–13.2.5.80.

use std::sync::LazyLock;

use memchr::memchr2;

/// A reference's name without `&`, and the one or two characters that it stands for.
type Entity = (&'static str, char, Option<char>);

/// The standard's named references (§13.5): `entities.txt` holds its list, a name and code points a line, sorted.
static ENTITIES: LazyLock<Entities> = LazyLock::new(|| {
    let lines = include_str!("entities.txt").lines();
    let (old, ending): (Vec<Entity>, _) = lines
        .filter_map(entity)
        .partition(|(name, ..)| !name.ends_with(';'));
    Entities {
        ending: Sorted::new(ending),
        old: Sorted::new(old),
    }
});

struct Entities {
    /// Names with their semicolon.
    ending: Sorted,
    /// Names that need none.
    old: Sorted,
}

/// Entities sorted by name, and for each letter how many have a first letter before it.
struct Sorted {
    entities: Vec<Entity>,
    before: [u16; 128],
}

impl Sorted {
    fn new(entities: Vec<Entity>) -> Self {
        let count =
            |letter: u8| entities.partition_point(|(name, ..)| name.as_bytes() < &[letter][..]);
        let before = std::array::from_fn(|letter| count(letter as u8) as u16);
        Sorted { entities, before }
    }

    fn look_up(&self, name: &[u8]) -> Option<(char, Option<char>)> {
        let letter = usize::from(*name.first()?);
        let from = usize::from(*self.before.get(letter)?);
        let to = usize::from(*self.before.get(letter + 1)?);
        let of_letter = &self.entities[from..to];
        let at = of_letter.binary_search_by(|(other, ..)| other.as_bytes().cmp(name));
        at.ok().map(|at| (of_letter[at].1, of_letter[at].2))
    }
}

fn entity(line: &'static str) -> Option<Entity> {
    let mut parts = line.split(' ');
    let name = parts.next()?;
    let mut point = || parts.next()?.parse().ok().and_then(char::from_u32);
    Some((name, point()?, point()))
}

/// The longest name is `CounterClockwiseContourIntegral;`.
const LONGEST_NAME: usize = 32;
/// The longest name that needs no semicolon, like `Aacute`.
const LONGEST_OLD_NAME: usize = 6;

/// Where a reference stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Text,
    /// In an attribute's value, `&copy=` is none.
    Attribute,
}

/// Appends text in which references and NULs are resolved; `null` stands for a NUL, `&` alone for itself.
pub(crate) fn resolve(text: &str, place: Place, null: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr2(b'&', 0, &bytes[at..]) {
        out.push_str(&text[at..at + found]);
        at += found;
        if bytes[at] == 0 {
            out.push_str(null);
            at += 1;
        } else {
            at += 1 + reference(&bytes[at + 1..], place, out);
        }
    }
    out.push_str(&text[at..]);
}

/// Appends what the reference after an `&` stands for, or the `&` where there is none. Gives the reference's length.
fn reference(rest: &[u8], place: Place, out: &mut String) -> usize {
    let found = match rest.first() {
        Some(b'#') => numeric(&rest[1..]).map(|(length, c)| (length + 1, c, None)),
        Some(b) if b.is_ascii_alphanumeric() => named(rest, place),
        _ => None,
    };
    match found {
        Some((length, first, second)) => {
            out.push(first);
            out.extend(second);
            length
        }
        None => {
            out.push('&');
            0
        }
    }
}

fn named(rest: &[u8], place: Place) -> Option<(usize, char, Option<char>)> {
    let most = &rest[..rest.len().min(LONGEST_NAME)];
    let run = most
        .iter()
        .position(|b| !b.is_ascii_alphanumeric())
        .unwrap_or(most.len());
    if rest.get(run) == Some(&b';')
        && let Some((first, second)) = ENTITIES.ending.look_up(&rest[..=run])
    {
        return Some((run + 1, first, second));
    }
    for length in (2..=run.min(LONGEST_OLD_NAME)).rev() {
        let Some((first, second)) = ENTITIES.old.look_up(&rest[..length]) else {
            continue;
        };
        let goes_on = |b: &u8| *b == b'=' || b.is_ascii_alphanumeric();
        let is_none = place == Place::Attribute && rest.get(length).is_some_and(goes_on);
        return (!is_none).then_some((length, first, second));
    }
    None
}

/// The character of a numeric reference, whose `&#` stands before `rest`, and how long the rest of the reference is.
fn numeric(rest: &[u8]) -> Option<(usize, char)> {
    let (mark, radix) = match rest.first() {
        Some(b'x' | b'X') => (1, 16),
        _ => (0, 10),
    };
    let mut number: u32 = 0;
    let mut at = mark;
    while let Some(digit) = rest.get(at).and_then(|b| char::from(*b).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == mark {
        return None;
    }
    let semicolon = usize::from(rest.get(at) == Some(&b';'));
    Some((at + semicolon, character(number)))
}

fn character(number: u32) -> char {
    match number {
        0 => '\u{fffd}',
        0x80..=0x9f => OF_WINDOWS_1252[number as usize - 0x80],
        _ => char::from_u32(number).unwrap_or('\u{fffd}'),
    }
}

/// What the numbers 0x80–0x9F stand for (§13.2.5.80).
const OF_WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(place: Place, text: &str, expected: &str) {
        let mut out = String::new();
        resolve(text, place, "0", &mut out);
        assert_eq!(out, expected, "{text}");
    }

    #[test]
    fn references() {
        for (text, expected) in [
            ("a&amp;b&AMPc&nbsp;", "a&b&c\u{a0}"),
            ("&notin; &notit; &noti", "∉ ¬it; ¬i"),
            ("&", "&"),
            ("&;&x;&#;&#x;&#xg", "&;&x;&#;&#x;&#xg"),
            (
                "&#65;&#x41&#X4a;&#128;&#x110000;&#0;&#xd800;",
                "AAJ\u{20ac}\u{fffd}\u{fffd}\u{fffd}",
            ),
            ("&#99999999999999999999;", "\u{fffd}"),
            ("&acE;", "\u{223e}\u{333}"),
            ("\0&\0", "0&0"),
            ("&copy=1 &copyx &copy", "©=1 ©x ©"),
        ] {
            check(Place::Text, text, expected);
        }
        check(
            Place::Attribute,
            "?a&copy=1&copyx&copy;&copy",
            "?a&copy=1&copyx©©",
        );
    }

    #[test]
    fn all_names() {
        let (ending, old) = (&ENTITIES.ending.entities, &ENTITIES.old.entities);
        assert_eq!((ending.len(), old.len()), (2231 - 106, 106));
        assert!(ending.is_sorted() && old.is_sorted());
        for (name, first, second) in ending.iter().chain(old) {
            assert!(name.len() <= LONGEST_NAME);
            assert!(name.ends_with(';') || name.len() <= LONGEST_OLD_NAME);
            let expected: String = [Some(*first), *second].into_iter().flatten().collect();
            check(Place::Text, &format!("&{name}"), &expected);
        }
    }
}
