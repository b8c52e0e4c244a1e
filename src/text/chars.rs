//! Character classes, named after the Unicode general categories that they hold.

use unicode_general_category::{GeneralCategory as C, get_general_category};

/// Is `c` a letter (L) or a decimal digit (Nd)? What Java calls `Character.isLetterOrDigit`.
pub fn is_letter_or_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        get_general_category(c),
        C::UppercaseLetter
            | C::LowercaseLetter
            | C::TitlecaseLetter
            | C::ModifierLetter
            | C::OtherLetter
            | C::DecimalNumber
    )
}

/// Is `c` a letter (L) or any number (Nd, Nl, No)? A token with such a character is a word for boilerpipe.
pub fn is_letter_or_number(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    is_letter_or_digit(c) || matches!(get_general_category(c), C::LetterNumber | C::OtherNumber)
}

/// Is `c` a non-spacing mark (Mn)? Java's `\b` takes such a mark for a part of the word that it follows.
pub(super) fn is_non_spacing_mark(c: char) -> bool {
    !c.is_ascii() && get_general_category(c) == C::NonspacingMark
}

/// What Java calls `Character.isWhitespace`: Unicode separators without the three non-breaking spaces, and the
/// ASCII controls U+0009–U+000D and U+001C–U+001F.
pub fn is_java_white_space(c: char) -> bool {
    match c {
        '\u{9}'..='\u{d}' | '\u{1c}'..='\u{20}' => true,
        '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        c if c.is_ascii() => false,
        c => matches!(
            get_general_category(c),
            C::SpaceSeparator | C::LineSeparator | C::ParagraphSeparator
        ),
    }
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
}
