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
    /// Letters.
    pub letters: f32,
    /// Words of three letters or digits and fewer: what most languages have for function words.
    pub short_words: f32,
    /// Signs of currencies.
    pub money: f32,
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

/// What a character is, as bits.
type Kind = u8;
const SPACE: Kind = 1;
/// A letter or digit.
const IN_WORD: Kind = 2;
const UPPER: Kind = 4;
/// A digit of ASCII.
const DIGIT: Kind = 8;
const STOP: Kind = 16;
const COMMA: Kind = 32;
const BAR: Kind = 64;

const ASCII: [Kind; 128] = {
    let mut kinds = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            // As char::is_whitespace, which has the vertical tab too.
            b' ' | 9..=13 => SPACE,
            b'a'..=b'z' => IN_WORD,
            b'A'..=b'Z' => IN_WORD | UPPER,
            b'0'..=b'9' => IN_WORD | DIGIT,
            b'.' | b'!' | b'?' => STOP,
            b',' => COMMA,
            b'|' | b'<' | b'>' | b'[' | b']' | b'/' => BAR,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

fn kind(c: char) -> Kind {
    if let Some(kind) = ASCII.get(c as usize) {
        return *kind;
    }
    match c {
        '»' | '«' | '•' | '·' | '→' | '›' => BAR,
        '。' | '！' | '？' | '।' | '؟' => STOP,
        '，' | '、' | '،' => COMMA,
        c if c.is_whitespace() => SPACE,
        c if c.is_uppercase() => IN_WORD | UPPER,
        c if c.is_alphanumeric() => IN_WORD,
        _ => 0,
    }
}

/// Is it a letter of a script without spaces between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese?
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Words beyond those that spaces tell, of a text in which so many letters are of a script without spaces. Two of them are a
/// word; so they are in Chinese, by and large.
fn unspaced_words(letters: u32) -> u32 {
    letters / 2
}

/// White-space tokens of a text, with those that its script does not part.
pub fn num_tokens(text: &str) -> f32 {
    let unspaced = match text.is_ascii() {
        true => 0,
        false => text.chars().filter(|c| is_unspaced(*c)).count() as u32,
    };
    (text.split_whitespace().count() as u32 + unspaced_words(unspaced)) as f32
}

pub fn count(text: &str) -> TextCounts {
    let mut counts = TextCounts::default();
    let [
        mut words,
        mut tokens,
        mut characters,
        mut stops,
        mut commas,
        mut bars,
    ] = [0u32; 6];
    let [mut digits, mut capitalised] = [0u32; 2];
    let [mut letters, mut short_words, mut money, mut unspaced] = [0u32; 4];
    // Where the word begins that goes on, if one does.
    let mut word: Option<usize> = None;
    let mut in_token = false;
    // The digits in a row so far, the first two of them, and the state of a time: 1 after a digit, 2 after its colon, 3 after a digit
    // more.
    let mut row: (u32, u32) = (0, 0);
    let mut time = 0;
    for (at, c) in text.char_indices() {
        let kind = kind(c);
        characters += 1;
        if kind & SPACE != 0 {
            in_token = false;
        } else {
            if !in_token {
                tokens += 1;
                capitalised += u32::from(kind & UPPER != 0);
                in_token = true;
            }
            counts.first = counts.first.or(Some(c));
            counts.last = Some(c);
        }
        if kind & IN_WORD != 0 {
            word = word.or(Some(at));
        } else {
            if let Some(start) = word.take() {
                words += 1;
                short_words += u32::from(at - start <= 3);
                look_up(&mut counts, text, start, at);
            }
            money += u32::from(matches!(c, '$' | '€' | '£' | '¥' | '₹'));
            stops += u32::from(kind & STOP != 0);
            commas += u32::from(kind & COMMA != 0);
            bars += u32::from(kind & BAR != 0);
        }
        letters += u32::from(kind & (IN_WORD | DIGIT) == IN_WORD);
        unspaced += u32::from(c > '\u{dff}' && is_unspaced(c));
        if kind & DIGIT != 0 {
            digits += 1;
            row.0 += 1;
            if row.0 <= 2 {
                row.1 = row.1 * 10 + (c as u32 - '0' as u32);
            }
            counts.has_time |= time == 3;
            time = if time == 2 { 3 } else { 1 };
        } else {
            if row.0 > 0 {
                counts.has_year |= is_year(row);
                row = (0, 0);
            }
            time = if c == ':' && time % 2 == 1 { 2 } else { 0 };
        }
    }
    if let Some(start) = word {
        words += 1;
        short_words += u32::from(text.len() - start <= 3);
        look_up(&mut counts, text, start, text.len());
    }
    counts.has_year |= is_year(row);
    counts.words = (words + unspaced_words(unspaced)) as f32;
    counts.tokens = (tokens + unspaced_words(unspaced)) as f32;
    counts.letters = letters as f32;
    counts.short_words = short_words as f32;
    counts.money = money as f32;
    counts.characters = characters as f32;
    counts.stops = stops as f32;
    counts.commas = commas as f32;
    counts.bars = bars as f32;
    counts.digits = digits as f32;
    counts.capitalised = capitalised as f32;
    counts
}

fn is_year((number, begin): (u32, u32)) -> bool {
    number == 4 && matches!(begin, 19 | 20)
}

fn look_up(counts: &mut TextCounts, text: &str, start: usize, end: usize) {
    let mut groups = groups_of_word(text, start, end - start);
    if groups == 0 {
        return;
    }
    counts.frequent += f32::from(u8::from(groups & lexicon::FREQUENT != 0));
    groups &= lexicon::FREQUENT - 1;
    while groups != 0 {
        counts.groups[groups.trailing_zeros() as usize] += 1.0;
        groups &= groups - 1;
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

    /// Eight letters of Chinese are four words beside the run that they are; 200 is a word.
    #[test]
    fn scripts_without_spaces_have_words() {
        let counts = count("今天天气很好，去了。 200 €");
        assert_eq!((counts.words, counts.tokens), (7.0, 7.0));
        assert_eq!((counts.commas, counts.stops), (1.0, 1.0));
        assert_eq!((counts.letters, counts.money), (8.0, 1.0));
        assert_eq!(num_tokens("今天天气很好，去了。 200 €"), 7.0);
        assert_eq!(num_tokens("Καλημέρα κόσμε"), 2.0);
    }

    /// The table of ASCII says what `char` says.
    #[test]
    fn kinds_of_ascii() {
        for c in (0..128u8).map(char::from) {
            let has = |bit: Kind| kind(c) & bit != 0;
            assert_eq!(has(SPACE), c.is_whitespace(), "{c:?}");
            assert_eq!(has(IN_WORD), c.is_alphanumeric(), "{c:?}");
            assert_eq!(has(UPPER), c.is_uppercase(), "{c:?}");
            assert_eq!(has(DIGIT), c.is_ascii_digit(), "{c:?}");
        }
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
