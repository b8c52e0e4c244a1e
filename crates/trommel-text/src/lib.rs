//! Text of the web, measured and cut up: words and tokens, wrapped lines, sentences, exact decimals, hosts, languages and
//! the analyzers of an index.
//!
//! ```
//! use trommel_text::{Decimal, count_tokens, from_word, to_word};
//!
//! // A word has a letter or a digit; other tokens count as tokens only.
//! let count = count_tokens("Read more \u{bb} (12 comments)");
//! # let _ = count;
//! // Thresholds are compared exactly.
//! assert!("0.33".parse::<Decimal>()? < "0.34".parse()?);
//! // Document ids as columns of files that are split at white space, one-to-one.
//! assert_eq!(to_word("a b"), "a%20b");
//! assert_eq!(from_word("a%20b"), "a b");
//! # Ok::<(), trommel_text::DecimalError>(())
//! ```

#[cfg(feature = "analyzers")]
mod analyzer;
mod chars;
mod decimal;
pub mod exact;
mod fnv;
#[cfg(feature = "hosts")]
mod host;
mod hundredths;
#[cfg(feature = "languages")]
mod language;
mod markup;
mod names;
pub mod packed;
mod parameters;
mod percent;
mod random;
mod sentences;
mod stop_words;
mod units;
mod wrap;

#[cfg(feature = "analyzers")]
pub use analyzer::{
    Analyzer, AnalyzerDescription, Language, Term, TermMaker, Vocabulary, porter_stem,
};
pub use chars::{is_java_white_space, is_letter_or_digit, is_letter_or_number, is_treacherous};
pub use decimal::{Decimal, DecimalError, RangeError, UpTo};
pub use fnv::{Fnv1a, fnv1a};
#[cfg(feature = "hosts")]
pub use host::{host_of, registrable_domain};
pub use hundredths::Hundredths;
#[cfg(feature = "languages")]
pub use language::{detect_language, language_of_tag};
pub use markup::escape_markup;
pub use names::{choice, nearest};
pub use parameters::{name_and_parameters, parameters};
pub use percent::{breaks_words, bytes_of_text, from_word, text_of_bytes, to_word};
pub use random::SplitMix64;
pub use sentences::sentences;
pub use stop_words::ENGLISH_STOP_WORDS;
pub use units::{
    Token, count_tokens, measured_tokens_of_boilerpipe, measured_tokens_of_white_space,
    tokens_of_boilerpipe, tokens_of_white_space,
};
pub use wrap::{LINE_WIDTH, LineCounter, Lines, MOST_DENSITY};
