//! What is counted in the text of a block.

use super::lexicon::{self, TEXTS, groups_of_word};

/// Counts of a text, in one pass.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextCounts {
    /// Runs of letters and digits.
    pub words: f32,
    /// White-space tokens.
    pub tokens: f32,
    pub characters: f32,
    /// Full stops, exclamation and question marks.
    pub stops: f32,
    pub commas: f32,
    pub digits: f32,
    /// Tokens that begin with an upper-case letter.
    pub capitalised: f32,
    /// Bars, bullets, brackets, arrows: what parts the items of menus.
    pub bars: f32,
    /// Frequent English words.
    pub frequent: f32,
    /// Words of each group of [`TEXTS`].
    pub groups: [f32; TEXTS.len()],
    pub first: Option<char>,
    pub last: Option<char>,
    /// A number of four digits that begins with 19 or 20.
    pub has_year: bool,
    /// A time of day, like 9:30.
    pub has_time: bool,
}

pub fn count(text: &str) -> TextCounts {
    let mut counts = TextCounts::default();
    let mut word = String::new();
    let mut in_word = false;
    let mut in_token = false;
    // The digits in a row so far, the first two of them, and the state of a time: 1 after a digit, 2 after its colon, 3 after a digit more.
    let mut digits: (u32, u32) = (0, 0);
    let mut time = 0;
    for c in text.chars() {
        counts.characters += 1.0;
        if c.is_whitespace() {
            in_token = false;
        } else {
            if !in_token {
                counts.tokens += 1.0;
                counts.capitalised += f32::from(u8::from(c.is_uppercase()));
                in_token = true;
            }
            counts.first = counts.first.or(Some(c));
            counts.last = Some(c);
        }
        if c.is_alphanumeric() {
            if !in_word {
                in_word = true;
                word.clear();
            }
            if word.len() <= lexicon::LONGEST {
                word.extend(c.to_lowercase());
            }
        } else {
            end_word(&mut counts, &mut in_word, &word);
            match c {
                '.' | '!' | '?' => counts.stops += 1.0,
                ',' => counts.commas += 1.0,
                '|' | '»' | '«' | '•' | '·' | '>' | '<' | '[' | ']' | '/' | '→' | '›' => {
                    counts.bars += 1.0;
                }
                _ => {}
            }
        }
        time = match (time, c) {
            (3, '0'..='9') => {
                counts.has_time = true;
                1
            }
            (2, '0'..='9') => 3,
            (_, '0'..='9') => 1,
            (1 | 3, ':') => 2,
            _ => 0,
        };
        match c.to_digit(10) {
            Some(digit) => {
                counts.digits += 1.0;
                digits.0 += 1;
                if digits.0 <= 2 {
                    digits.1 = digits.1 * 10 + digit;
                }
            }
            None => {
                counts.has_year |= is_year(digits);
                digits = (0, 0);
            }
        }
    }
    end_word(&mut counts, &mut in_word, &word);
    counts.has_year |= is_year(digits);
    counts
}

fn is_year((number, begin): (u32, u32)) -> bool {
    number == 4 && matches!(begin, 19 | 20)
}

fn end_word(counts: &mut TextCounts, in_word: &mut bool, word: &str) {
    if !std::mem::take(in_word) {
        return;
    }
    counts.words += 1.0;
    if word.len() > lexicon::LONGEST {
        return;
    }
    let groups = groups_of_word(word);
    counts.frequent += f32::from(u8::from(groups & lexicon::FREQUENT != 0));
    for (group, count) in counts.groups.iter_mut().enumerate() {
        *count += f32::from(groups >> group & 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_text() {
        let counts = count("  The End, by Ann O'Neil | 9:30 «Été 2008»!  ");
        // The, End, by, Ann, O, Neil, 9, 30, Été, 2008.
        assert_eq!(counts.words, 10.0);
        assert_eq!(counts.tokens, 9.0);
        assert_eq!(counts.characters, 45.0);
        assert_eq!((counts.stops, counts.commas, counts.bars), (1.0, 1.0, 3.0));
        assert_eq!((counts.digits, counts.frequent), (7.0, 2.0));
        // The, End, Ann, O'Neil; «Été begins with a quotation mark.
        assert_eq!(counts.capitalised, 4.0);
        assert_eq!((counts.first, counts.last), (Some('T'), Some('!')));
        assert!(counts.has_year && counts.has_time);
        assert_eq!(counts.groups[1], 1.0);
        assert_eq!(count(""), TextCounts::default());
    }

    #[test]
    fn years_and_times() {
        let year = |text: &str| count(text).has_year;
        assert!(year("1999") && year("in 2010.") && year("2010-12-01"));
        assert!(!year("20100") && !year("1899") && !year("201") && !year("120 19"));
        let time = |text: &str| count(text).has_time;
        assert!(time("10:45am") && time("1:23:45") && time("11:111"));
        assert!(!time("10:4") && !time("a:45") && !time("1: 45") && !time("1::45"));
    }
}
