//! What is counted in the text of a node. A parent's counts are the sums of its leaves'.
//!
//! Words are runs of letters, digits and `_`. Punctuation is `. , ? ; : !` (the full stop is lost in the appendix's print). A new sentence
//! begins behind white space after `.`, `?`, `!` or `;` with an upper-case letter.

use trommel_text::ENGLISH_STOP_WORDS;

/// Counts of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Found {
    pub characters: u32,
    pub characters_in_links: u32,
    pub words: u32,
    pub letters_of_words: u32,
    pub stop_words: u32,
    pub capitals: u32,
    pub punctuation: u32,
    pub digits: u32,
    pub sentences: u32,
    pub ends_with_punctuation: bool,
    pub ends_with_question_mark: bool,
    pub has_copyright: bool,
    pub has_email: bool,
    pub has_url: bool,
    pub has_year: bool,
}

fn is_punctuation(c: char) -> bool {
    matches!(c, '.' | ',' | '?' | ';' | ':' | '!')
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Found {
    /// Counts in the text of a leaf, white space collapsed.
    pub fn of(text: &str, in_anchor: bool) -> Found {
        let characters = text.chars().count() as u32;
        let mut found = Found {
            characters,
            characters_in_links: if in_anchor { characters } else { 0 },
            punctuation: text.chars().filter(|c| is_punctuation(*c)).count() as u32,
            digits: text.chars().filter(|c| c.is_numeric()).count() as u32,
            sentences: sentences(text),
            ends_with_punctuation: text.ends_with(is_punctuation),
            ends_with_question_mark: text.ends_with('?'),
            has_copyright: text.contains('\u{a9}'),
            has_email: has_email(text),
            has_url: has_url(text),
            ..Found::default()
        };
        for word in text
            .split(|c| !is_of_word(c))
            .filter(|word| !word.is_empty())
        {
            let length = word.chars().count() as u32;
            found.words += 1;
            found.letters_of_words += length;
            found.capitals += u32::from(word.starts_with(char::is_uppercase));
            let is_stop_word = |stop: &&str| stop.eq_ignore_ascii_case(word);
            found.stop_words += u32::from(ENGLISH_STOP_WORDS.iter().any(is_stop_word));
            found.has_year |= length == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        }
        found
    }

    /// Adds what stands behind.
    pub fn append(&mut self, next: &Found) {
        self.characters += next.characters;
        self.characters_in_links += next.characters_in_links;
        self.words += next.words;
        self.letters_of_words += next.letters_of_words;
        self.stop_words += next.stop_words;
        self.capitals += next.capitals;
        self.punctuation += next.punctuation;
        self.digits += next.digits;
        self.sentences += next.sentences;
        self.ends_with_punctuation = next.ends_with_punctuation;
        self.ends_with_question_mark = next.ends_with_question_mark;
        self.has_copyright |= next.has_copyright;
        self.has_email |= next.has_email;
        self.has_url |= next.has_url;
        self.has_year |= next.has_year;
    }
}

fn sentences(text: &str) -> u32 {
    let mut tokens = text.split_whitespace().peekable();
    let mut count = 1;
    while let Some(token) = tokens.next() {
        let next = tokens.peek();
        let ends = token.ends_with(['.', '?', '!', ';']);
        count += u32::from(ends && next.is_some_and(|next| next.starts_with(char::is_uppercase)));
    }
    count
}

/// A word before an `@` and a word or full stop behind it.
fn has_email(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        text[..at].ends_with(is_of_word)
            && text[at + 1..].starts_with(|c| is_of_word(c) || c == '.')
    })
}

/// A scheme with `://` and something behind it.
fn has_url(text: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|scheme| {
        text.match_indices(scheme).any(|(at, _)| {
            let behind = &text[at + scheme.len()..];
            behind.starts_with(|c: char| {
                !c.is_whitespace() && !matches!(c, '/' | '$' | '.' | '?' | '#')
            })
        })
    })
}
