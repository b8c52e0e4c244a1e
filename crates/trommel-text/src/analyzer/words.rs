//! The words of a text by UAX #29, as `unicode-segmentation` gives them, at a fraction of the cost.
//!
//! Characters of frequent kinds (ASCII, Latin and Cyrillic letters, the punctuation of running text) have one of the few
//! properties below, by which rules WB5 to WB13b need a look at the neighbours only. Where any other character stands, the
//! crate is asked, from the character before it to the next one of ASCII that is a word's end whatever stands beside it.

use unicode_segmentation::UnicodeSegmentation;

/// What a character is for the rules of word boundaries, as bits. None of them: it is no part of a word.
type Kind = u8;
/// ALetter.
const LETTER: Kind = 1;
/// Numeric.
const NUMBER: Kind = 2;
/// ExtendNumLet.
const UNDERSCORE: Kind = 4;
/// MidLetter, or MidNumLet with the next.
const BETWEEN_LETTERS: Kind = LETTER << 3;
/// MidNum, or MidNumLet with the one before.
const BETWEEN_NUMBERS: Kind = NUMBER << 3;
/// No character of ASCII.
const WIDE: Kind = 32;
/// A character that only the crate knows.
const UNKNOWN: Kind = 64;

const IN_WORD: Kind = LETTER | NUMBER | UNDERSCORE;

/// The kinds of bytes.
const KINDS: [Kind; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => NUMBER,
            b'_' => UNDERSCORE,
            b':' => BETWEEN_LETTERS,
            b',' | b';' => BETWEEN_NUMBERS,
            b'.' | b'\'' => BETWEEN_LETTERS | BETWEEN_NUMBERS,
            0x80.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// The kind of a character that is none of ASCII.
fn wide(c: char) -> Kind {
    match c {
        // Before letters, since they stand between them.
        '\u{d7}' | '\u{f7}' => 0,
        // Latin with its supplements and extensions A and B, Greek, Cyrillic.
        '\u{c0}'..='\u{24f}' | '\u{3b1}'..='\u{3c9}' | '\u{410}'..='\u{44f}' | 'Ё' | 'ё' => {
            LETTER
        }
        '\u{2018}' | '\u{2019}' => BETWEEN_LETTERS | BETWEEN_NUMBERS,
        '\u{b7}' => BETWEEN_LETTERS,
        // Signs of Latin-1 that are neither letters nor numbers; dashes, quotation marks, bullets, ellipses.
        '\u{a0}'..='\u{a9}' | '\u{ab}' | '\u{ac}' | '\u{ae}'..='\u{b1}' | '\u{b4}' | '\u{b6}' => 0,
        '\u{bb}' | '\u{bf}' => 0,
        '\u{2010}'..='\u{2017}' | '\u{201a}'..='\u{2023}' | '\u{2025}' | '\u{2026}' => 0,
        '\u{2030}'..='\u{203e}' | '€' | '™' | '\u{2190}'..='\u{21ff}' | '\u{25a0}'..='\u{25ff}' => {
            0
        }
        _ => UNKNOWN,
    }
}

/// The kind of the character that begins at a place, and its length; no kind at the end of the text.
fn kind_at(text: &str, at: usize) -> (Kind, usize) {
    let Some(&byte) = text.as_bytes().get(at) else {
        return (0, 0);
    };
    let kind = KINDS[usize::from(byte)];
    if kind != WIDE {
        return (kind, 1);
    }
    let c = text[at..].chars().next();
    c.map_or((0, 1), |c| (wide(c), c.len_utf8()))
}

/// Calls `each` with the place of every word, in order: what stands between two boundaries of UAX #29 and has a letter or
/// a number in it.
pub(super) fn for_each_word(text: &str, mut each: impl FnMut(usize, &str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (kind, length) = match KINDS[usize::from(byte)] {
            WIDE => kind_at(text, at),
            kind => (kind, 1),
        };
        if kind & (IN_WORD | UNKNOWN) == 0 {
            at += length;
            continue;
        }
        let start = at;
        let (end, seen) = word(text, start);
        if seen & UNKNOWN != 0 {
            at = ask_the_crate(text, start, end == start, &mut each);
        } else {
            at = end;
            if seen & (LETTER | NUMBER) != 0 {
                each(start, &text[start..end]);
            }
        }
    }
}

/// The end of the word that begins at a place, and the kinds of characters in it, with the one behind it where this is of
/// unknown kind.
fn word(text: &str, start: usize) -> (usize, Kind) {
    let bytes = text.as_bytes();
    let (mut at, mut seen, mut last) = (start, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let kind = KINDS[usize::from(byte)];
        if kind & IN_WORD != 0 {
            (seen, last) = (seen | kind, kind);
            at += 1;
            continue;
        }
        if kind == 0 {
            break;
        }
        let (kind, length) = kind_at(text, at);
        if kind & IN_WORD != 0 {
            (seen, last) = (seen | kind, kind);
            at += length;
        } else if kind & (BETWEEN_LETTERS | BETWEEN_NUMBERS) != 0 {
            let (after, after_length) = kind_at(text, at + length);
            // WB6 and WB7, WB11 and WB12: the same on both sides, and what may stand between.
            if after & last & (kind >> 3) == 0 {
                return (at, seen | after & UNKNOWN);
            }
            last = after;
            at += length + after_length;
        } else {
            return (at, seen | kind & UNKNOWN);
        }
    }
    (at, seen)
}

/// Gives the words of a stretch with a character of unknown kind that begins with the word at `start`, or with that
/// character itself. Gives the stretch's end.
fn ask_the_crate(
    text: &str,
    start: usize,
    is_first: bool,
    each: &mut impl FnMut(usize, &str),
) -> usize {
    let bytes = text.as_bytes();
    let mut from = start;
    if is_first {
        // WB4: a mark belongs to the character before it; WB3d: which may be the last of several spaces.
        let before = &text[..start];
        from = match before.trim_end_matches(char::is_whitespace).len() {
            end if end < start => end,
            _ => before.char_indices().next_back().map_or(0, |(at, _)| at),
        };
    }
    // A double quotation mark may stand between Hebrew letters.
    let ends = |byte: &u8| KINDS[usize::from(*byte)] == 0 && *byte != b'"';
    let rest = bytes[start..].iter().position(ends);
    let end = rest.map_or(text.len(), |length| start + length);
    for (at, word) in text[from..end].unicode_word_indices() {
        each(from + at, word);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[track_caller]
    fn check(text: &str) {
        let mut words = Vec::new();
        for_each_word(text, |at, word| words.push((at, word.to_owned())));
        let expected = text.unicode_word_indices();
        let expected: Vec<_> = expected.map(|(at, word)| (at, word.to_owned())).collect();
        assert_eq!(words, expected, "{text:?}");
    }

    /// Every character of the first two planes with what may stand beside it.
    #[test]
    fn every_character() {
        for c in (0..0x20000).filter_map(char::from_u32) {
            check(&format!("{c}a {c} a{c} 1{c}1 a{c}a  {c}{c}_{c}\"{c}a.{c}"));
        }
    }

    #[test]
    fn random_ascii() {
        let often = b"ab1_.,:;'\" -\r\n\t(\0";
        let mut random = SplitMix64::new(1);
        for _ in 0..100_000 {
            let length = random.below(24);
            let text = (0..length).map(|_| match random.below(4) {
                0 => random.below(128) as u8 as char,
                _ => often[random.below(often.len())] as char,
            });
            check(&text.collect::<String>());
        }
    }

    /// Letters of many kinds, marks that are alphabetic and that are not, joiners, emoji, flags, spaces, Hebrew with its
    /// quotation marks, Katakana, numbers that are no digits.
    #[test]
    fn random_mixed() {
        let often: Vec<char> = "ab1_.,:;'\" -\n(éßЖя’‘·“”…—\u{a0}אבアカ字٣½²ⅫͅaͅaÌ\u{300}\u{345}\u{ad}\u{200d}\u{200b}\u{2060}ℹ©™😀👩🇩🇪กा\u{2003}\u{3000}\u{202f}\u{85}‿٫،"
            .chars()
            .collect();
        let mut random = SplitMix64::new(2);
        for _ in 0..300_000 {
            let length = random.below(16);
            let text = (0..length).map(|_| match random.below(16) {
                0 => char::from_u32(random.below(0x3000) as u32).unwrap_or('x'),
                _ => often[random.below(often.len())],
            });
            check(&text.collect::<String>());
        }
    }
}
