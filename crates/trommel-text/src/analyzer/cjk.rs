//! Bigrams of scripts that are written without spaces, as Lucene's `CJKBigramFilter` makes them of the words of UAX #29.

use unicode_normalization::char::{compose, decompose_compatible};

use super::lower::to_lowercase;
use super::words;

/// Calls `each` with every word of the text and the place where it begins, in order. Of a run of characters of scripts without
/// spaces the words are every two neighbours, or the one that there is, and everything between runs is cut as UAX #29 cuts it.
///
/// A run of several characters ends with an empty word in the place of its last character: so the characters of a text have their
/// places, as they have them in Lucene, and a phrase does not go from one run to the next as if nothing stood between.
pub(super) fn for_each_word(text: &str, mut each: impl FnMut(usize, &str)) {
    let mut from = 0;
    while let Some(length) = text[from..].find(is_unspaced) {
        let start = from + length;
        words::for_each_word(&text[from..start], |at, word| each(from + at, word));
        from = bigrams(text, start, &mut each);
    }
    words::for_each_word(&text[from..], |at, word| each(from + at, word));
}

/// Gives the bigrams of the run that begins at a place. Gives the run's end.
fn bigrams(text: &str, start: usize, each: &mut impl FnMut(usize, &str)) -> usize {
    let mut last = start;
    let mut end = character_end(text, start);
    let mut is_single = true;
    while text[end..].starts_with(is_unspaced) {
        let next = character_end(text, end);
        each(last, &text[last..next]);
        (last, end) = (end, next);
        is_single = false;
    }
    match is_single {
        true => each(start, &text[start..end]),
        false => each(end, ""),
    }
    end
}

/// The end of the character that begins at a place, with the marks that belong to it.
fn character_end(text: &str, start: usize) -> usize {
    let mut chars = text[start..].chars();
    chars.next();
    text.len() - chars.as_str().trim_start_matches(is_mark).len()
}

/// The letters and signs of scripts that are written without spaces between words. Digits of these scripts are none: numbers are
/// words.
fn is_unspaced(c: char) -> bool {
    match c {
        '\0'..='\u{e00}' => false,
        // Han, with the sign of repetition, zero and the numerals of Suzhou.
        '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{3029}'
        | '\u{3031}'..='\u{3035}'
        | '\u{3038}'..='\u{303c}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3fffd}' => true,
        // Hiragana and Katakana, of both widths.
        '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{1aff0}'..='\u{1affe}'
        | '\u{1b000}'..='\u{1b16f}' => true,
        // Hangul.
        '\u{1100}'..='\u{11ff}'
        | '\u{3131}'..='\u{318e}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{d7b0}'..='\u{d7fb}'
        | '\u{ffa0}'..='\u{ffdc}' => true,
        // Line break class SA: Thai, Lao, Myanmar, Khmer.
        '\u{e01}'..='\u{e3a}'
        | '\u{e40}'..='\u{e4e}'
        | '\u{e81}'..='\u{ebd}'
        | '\u{ec0}'..='\u{ece}'
        | '\u{edc}'..='\u{edf}'
        | '\u{1000}'..='\u{103f}'
        | '\u{1050}'..='\u{108f}'
        | '\u{109a}'..='\u{109d}'
        | '\u{a9e0}'..='\u{a9ef}'
        | '\u{a9fa}'..='\u{a9fe}'
        | '\u{aa60}'..='\u{aa76}'
        | '\u{aa7a}'..='\u{aa7f}'
        | '\u{1780}'..='\u{17d3}'
        | '\u{17d7}'
        | '\u{17dc}'..='\u{17dd}' => true,
        // And Tai Le, New Tai Lue, Tai Tham, Tai Viet.
        '\u{1950}'..='\u{1974}'
        | '\u{1980}'..='\u{19c9}'
        | '\u{1a20}'..='\u{1a7c}'
        | '\u{aa80}'..='\u{aac2}'
        | '\u{aadb}'..='\u{aadd}' => true,
        _ => false,
    }
}

/// Does a character belong to the one before it?
fn is_mark(c: char) -> bool {
    is_voiced_mark(c) || is_unseen(c)
}

/// The marks that make one Katakana or Hiragana of another: combining, and of half width.
fn is_voiced_mark(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309a}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Selectors of variants, and characters without width, which some writers put between words so that lines can break there, or between
/// characters so that they cannot, and others do not.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Puts the term of a word into `term`: lower case, with characters of one width, as Lucene's `CJKWidthFilter` has them. Returns
/// whether there is one.
pub(super) fn make(word: &str, term: &mut String) -> bool {
    // All that is folded begins with a byte of three bytes' characters or more.
    if word.bytes().all(|byte| byte < 0xe0) {
        to_lowercase(word, term);
        return !term.is_empty();
    }
    let is_run = word.starts_with(is_unspaced);
    term.clear();
    for c in word.chars().filter(|c| !(is_run && is_unseen(*c))) {
        let c = of_one_width(c);
        let before = term.chars().next_back().filter(|_| is_voiced_mark(c));
        let composed = before.and_then(|before| compose(before, c));
        match composed {
            Some(composed) => {
                term.pop();
                term.push(composed);
            }
            None => term.extend(c.to_lowercase()),
        }
    }
    !term.is_empty()
}

/// Full-width characters of ASCII as ASCII, half-width Katakana as Katakana.
fn of_one_width(c: char) -> char {
    let mut folded = c;
    if matches!(c, '\u{ff01}'..='\u{ff5e}' | '\u{ff65}'..='\u{ff9f}') {
        decompose_compatible(c, |other| folded = other);
    }
    folded
}
