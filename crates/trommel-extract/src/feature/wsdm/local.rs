//! What is measured in a block by itself.
//!
//! Words are white-space tokens with a letter or digit (§3.3), their length is counted in characters with whatever
//! punctuation clings to them. Where the paper leaves a pattern open:
//!
//! - a sentence ends with a token that ends in `.`, `?`, `!` or `;`, closing quotation marks and brackets aside; what stands
//!   behind the last one is a sentence too, if it has a word;
//! - a full stop is a token that ends in `.`, likewise;
//! - a word starts with an upper-case letter if its first letter or digit is one; it is all upper-case if it has letters
//!   and all that have a case are upper-case;
//! - a date is a token that names a month or a day of the week (with a capital: *may* and *march* are words), a year from 1900
//!   to 2099, a clock time, *am* or *pm*, a time zone, or a date in figures.

use trommel_page::{Block, DensityUnit, Page, Segmentation, Tag};
use trommel_text::{is_letter_or_digit, measured_tokens_of_white_space};

use crate::feature::set::ratio;

/// A feature of a single block.
pub struct Row {
    pub name: &'static str,
    pub unit: &'static str,
    pub source: &'static str,
}

impl Row {
    /// Is it one that neighbours do not have of their own?
    pub fn is_position(&self) -> bool {
        self.name.ends_with("_position")
    }
}

const fn row(name: &'static str, unit: &'static str, source: &'static str) -> Row {
    Row { name, unit, source }
}

/// The elements whose presence around a block is a feature (§3.2), in the order of [`ROWS`].
const TAGS: [Tag; 9] = [
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::P,
    Tag::Div,
    Tag::A,
];

/// The 23 features in their order.
pub const ROWS: [Row; 23] = [
    row("h1", "1/0", "§3.2"),
    row("h2", "1/0", "§3.2"),
    row("h3", "1/0", "§3.2"),
    row("h4", "1/0", "§3.2"),
    row("h5", "1/0", "§3.2"),
    row("h6", "1/0", "§3.2"),
    row("p", "1/0", "§3.2"),
    row("div", "1/0", "§3.2"),
    row("a", "1/0", "§3.2"),
    row("num_words", "words", "§3.3"),
    row("avg_word_length", "characters a word", "§3.3"),
    row("avg_sentence_length", "words a sentence", "§3.3"),
    row("absolute_position", "blocks, the first is 1", "§3.3"),
    row("relative_position", "share of the page's blocks", "§3.3"),
    row("num_start_uppercase", "words", "§3.3"),
    row("num_all_uppercase", "words", "§3.3"),
    row("start_uppercase_ratio", "share of words", "§3.3"),
    row("all_uppercase_ratio", "share of words", "§3.3"),
    row("full_stop_ratio", "full stops a word", "§3.3"),
    row("num_dates", "tokens", "§3.3"),
    row("num_vertical_bars", "characters", "§3.3"),
    row("link_density", "share of tokens", "§3.3"),
    row("text_density", "tokens a line", "§3.4, Equation 1"),
];

/// Where the number of words stands in [`ROWS`].
pub const NUM_WORDS: usize = 9;
/// Where the text density stands in [`ROWS`].
pub const TEXT_DENSITY: usize = 22;

/// For each block which of [`TAGS`] enclose it: those that enclose each of its leaves.
pub fn tags(page: &Page, segmentation: &Segmentation) -> Vec<[bool; TAGS.len()]> {
    let mut around: Vec<Option<[bool; TAGS.len()]>> = vec![None; segmentation.blocks.len()];
    for (leaf, block) in page.leaves.iter().zip(&segmentation.block_of_leaf) {
        let Some(block) = *block else { continue };
        let mut own = [false; TAGS.len()];
        for element in page.ancestors(leaf.parent) {
            if let Some(place) = TAGS.iter().position(|tag| tag == page.tag(element)) {
                own[place] = true;
            }
        }
        let place = &mut around[block as usize];
        *place = Some(match *place {
            None => own,
            Some(before) => std::array::from_fn(|i| before[i] && own[i]),
        });
    }
    let around = around.into_iter();
    around.map(|tags| tags.unwrap_or_default()).collect()
}

/// The features of the block number `number` of `count`.
pub fn values(
    block: &Block,
    unit: DensityUnit,
    tags: &[bool; TAGS.len()],
    number: usize,
    count: usize,
) -> Vec<f64> {
    let found = Found::of(&block.text);
    let words = f64::from(block.num_words);
    // The segmenter's own count may be of other words than these.
    let own_words = f64::from(found.words);
    let mut values: Vec<f64> = tags.iter().map(|tag| f64::from(u8::from(*tag))).collect();
    values.extend([
        words,
        ratio(f64::from(found.characters), own_words),
        ratio(own_words, f64::from(found.sentences)),
        (number + 1) as f64,
        (number + 1) as f64 / count as f64,
        f64::from(found.start_uppercase),
        f64::from(found.all_uppercase),
        ratio(f64::from(found.start_uppercase), own_words),
        ratio(f64::from(found.all_uppercase), own_words),
        ratio(f64::from(found.full_stops), own_words),
        f64::from(found.dates),
        f64::from(found.vertical_bars),
        block.link_density(unit),
        block.text_density(),
    ]);
    values
}

/// What was counted in a text.
#[derive(Default)]
struct Found {
    words: u32,
    characters: u32,
    sentences: u32,
    start_uppercase: u32,
    all_uppercase: u32,
    full_stops: u32,
    dates: u32,
    vertical_bars: u32,
}

impl Found {
    fn of(text: &str) -> Found {
        let mut found = Found::default();
        let mut words_of_sentence = 0;
        for token in measured_tokens_of_white_space(text) {
            let token_text = token.text;
            found.vertical_bars += token_text.chars().filter(|c| *c == '|').count() as u32;
            if token.is_word {
                found.words += 1;
                words_of_sentence += 1;
                found.characters += token_text.chars().count() as u32;
                let first = token_text.chars().find(|c| is_letter_or_digit(*c));
                found.start_uppercase += u32::from(first.is_some_and(char::is_uppercase));
                found.all_uppercase += u32::from(is_all_uppercase(token_text));
                found.dates += u32::from(is_date(token_text));
            }
            let last = token_text.trim_end_matches(is_closing).chars().next_back();
            found.full_stops += u32::from(last == Some('.'));
            if matches!(last, Some('.' | '?' | '!' | ';')) && words_of_sentence > 0 {
                found.sentences += 1;
                words_of_sentence = 0;
            }
        }
        found.sentences += u32::from(words_of_sentence > 0);
        found
    }
}

/// May it stand between the end of a sentence and the next space?
fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '\u{201d}' | '\u{2019}' | '\u{bb}'
    )
}

fn is_all_uppercase(word: &str) -> bool {
    word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase)
}

const NAMES: [&str; 39] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Sept",
    "Oct",
    "Nov",
    "Dec",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "Mon",
    "Tue",
    "Tues",
    "Wed",
    "Thu",
    "Thurs",
    "Fri",
    "Sat",
];

/// Halves of the day, the last full stop trimmed; `am` is a verb.
const HALVES: [&str; 7] = ["AM", "PM", "pm", "A.M", "P.M", "a.m", "p.m"];

const ZONES: [&str; 16] = [
    "GMT", "UTC", "BST", "CET", "CEST", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT",
    "IST", "AEST", "AEDT",
];

fn is_date(token: &str) -> bool {
    let word = token.trim_matches(|c: char| !is_letter_or_digit(c));
    let is_named = || {
        word.starts_with(char::is_uppercase)
            && NAMES.iter().any(|name| word.eq_ignore_ascii_case(name))
    };
    is_named()
        || ZONES.contains(&word)
        || HALVES.contains(&word)
        || is_year(word)
        || is_time(word)
        || is_in_figures(word)
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && word
            .parse()
            .is_ok_and(|year: u32| (1900..2100).contains(&year))
}

/// `9:30`, `21:05:59`, `9:30am`, `9pm`.
fn is_time(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let figures = lower.trim_end_matches("am").trim_end_matches("pm");
    let mut parts = figures.split(':');
    let hour = parts.next().is_some_and(|part| is_number(part, 2, 24));
    let rest: Vec<&str> = parts.collect();
    let whole = figures.len() == lower.len();
    hour && rest.len() <= 2
        && (!rest.is_empty() || !whole)
        && rest
            .iter()
            .all(|part| part.len() == 2 && is_number(part, 2, 59))
}

/// Three numbers between equal `/`, `-` or `.`, as long as those of a date.
fn is_in_figures(word: &str) -> bool {
    ['/', '-', '.'].iter().any(|between| {
        let parts: Vec<&str> = word.split(*between).collect();
        matches!(parts[..], [a, b, c]
            if is_number(b, 2, 31)
                && (is_number(a, 2, 31) && (is_number(c, 2, 99) || is_year(c))
                    || is_year(a) && is_number(c, 2, 31)))
    })
}

fn is_number(text: &str, digits: usize, most: u32) -> bool {
    text.len() <= digits
        && text.parse().is_ok_and(|number: u32| number <= most)
        && text.bytes().all(|byte| byte.is_ascii_digit())
}
