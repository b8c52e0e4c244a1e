//! Character classes, named after the Unicode general categories that they hold.

use unicode_general_category::{GeneralCategory as C, get_general_category};

/// What the frequent characters are that need no look into the tables of Unicode: ASCII, Latin letters, spaces and
/// punctuation of running text. None for any other.
fn is_frequent_letter_or_digit(c: char) -> Option<bool> {
    match c {
        '\0'..='\u{7f}' => Some(c.is_ascii_alphanumeric()),
        '\u{d7}' | '\u{f7}' | '\u{a0}' | '\u{2010}'..='\u{2027}' => Some(false),
        '\u{c0}'..='\u{24f}' => Some(true),
        _ => None,
    }
}

/// Returns whether `c` is a letter (L) or a decimal digit (Nd): what Java calls `Character.isLetterOrDigit`.
pub fn is_letter_or_digit(c: char) -> bool {
    is_frequent_letter_or_digit(c).unwrap_or_else(|| {
        matches!(
            get_general_category(c),
            C::UppercaseLetter
                | C::LowercaseLetter
                | C::TitlecaseLetter
                | C::ModifierLetter
                | C::OtherLetter
                | C::DecimalNumber
        )
    })
}

/// Returns whether `c` is a letter (L) or any number (Nd, Nl, No). A token with such a character is a word for boilerpipe.
pub fn is_letter_or_number(c: char) -> bool {
    is_frequent_letter_or_digit(c).unwrap_or_else(|| {
        is_letter_or_digit(c) || matches!(get_general_category(c), C::LetterNumber | C::OtherNumber)
    })
}

/// Is `c` a non-spacing mark (Mn)? Java's `\b` takes such a mark for a part of the word that it follows.
pub(super) fn is_non_spacing_mark(c: char) -> bool {
    is_frequent_letter_or_digit(c).is_none() && get_general_category(c) == C::NonspacingMark
}

/// Returns whether Java calls it white space (`Character.isWhitespace`): Unicode separators without the three non-breaking spaces, and the
/// ASCII controls U+0009–U+000D and U+001C–U+001F.
pub fn is_java_white_space(c: char) -> bool {
    match c {
        '\u{9}'..='\u{d}' | '\u{1c}'..='\u{20}' => true,
        '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        // There are no others before the Ogham space.
        c if c < '\u{1680}' => false,
        '\u{2010}'..='\u{2027}' => false,
        c => matches!(
            get_general_category(c),
            C::SpaceSeparator | C::LineSeparator | C::ParagraphSeparator
        ),
    }
}

/// Returns whether a character changes the direction of the text behind it or begins a line: those with Unicode's property Bidi_Control
/// (UAX #44), and its separators of lines and paragraphs.
pub fn is_treacherous(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (c, letter_or_digit, letter_or_number, white) in [
            ('a', true, true, false),
            ('é', true, true, false),
            ('字', true, true, false),
            ('٣', true, true, false),  // Nd
            ('Ⅻ', false, true, false), // Nl
            ('½', false, true, false), // No
            ('_', false, false, false),
            (' ', false, false, true),
            ('\u{1f}', false, false, true),
            ('\u{a0}', false, false, false),
            ('\u{2003}', false, false, true),
            ('\u{85}', false, false, false),
        ] {
            assert_eq!(is_letter_or_digit(c), letter_or_digit, "{c:?}");
            assert_eq!(is_letter_or_number(c), letter_or_number, "{c:?}");
            assert_eq!(is_java_white_space(c), white, "{c:?}");
        }
    }
    /// What is known without tables is what the tables say.
    #[test]
    fn frequent_characters() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let category = get_general_category(c);
            let letter = matches!(
                category,
                C::UppercaseLetter
                    | C::LowercaseLetter
                    | C::TitlecaseLetter
                    | C::ModifierLetter
                    | C::OtherLetter
            );
            let digit = category == C::DecimalNumber;
            let number = matches!(category, C::LetterNumber | C::OtherNumber);
            let space = matches!(
                category,
                C::SpaceSeparator | C::LineSeparator | C::ParagraphSeparator
            );
            let breaking = !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}');
            let control = matches!(c, '\u{9}'..='\u{d}' | '\u{1c}'..='\u{1f}');
            assert_eq!(is_letter_or_digit(c), letter || digit, "{c:?}");
            assert_eq!(is_letter_or_number(c), letter || digit || number, "{c:?}");
            assert_eq!(
                is_non_spacing_mark(c),
                category == C::NonspacingMark,
                "{c:?}"
            );
            assert_eq!(
                is_java_white_space(c),
                space && breaking || control,
                "{c:?}"
            );
        }
    }
}
