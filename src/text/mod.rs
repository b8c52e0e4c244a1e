//! Words, tokens, wrapped lines and exact densities: everything that is measured on plain text.

mod analyzer;
mod chars;
mod decimal;
mod host;
mod language;
mod markup;
mod names;
pub(crate) mod packed;
mod percent;
mod porter;
mod sentences;
mod terms;
mod units;
mod words;
mod wrap;

pub use analyzer::{Analyzer, AnalyzerDescription, ENGLISH_STOP_WORDS, Language, Term};
pub use chars::{is_java_white_space, is_letter_or_digit, is_letter_or_number};
pub use decimal::{Decimal, DecimalError, RangeError, UpTo};
pub use host::{host_of, registrable_domain};
pub use language::{detect_language, language_of_tag};
pub use markup::escape_markup;
pub use names::{choice, nearest};
pub use percent::{breaks_words, bytes_of_text, from_word, text_of_bytes, to_word};
pub use sentences::sentences;
pub use terms::TermMaker;
pub use units::{
    Token, count_tokens, measured_tokens_of_boilerpipe, measured_tokens_of_white_space,
    tokens_of_boilerpipe, tokens_of_white_space,
};
pub use wrap::{LINE_WIDTH, LineCounter, Lines, MOST_DENSITY};
