//! Queries that cannot be answered.

/// The longest query with syntax, in bytes.
pub const MAX_BYTES: usize = 100_000;
/// Parentheses inside each other: reading a query recurses into them.
pub const MAX_DEPTH: usize = 64;
/// Warnings of one query; a person reads no more.
const MAX_WARNINGS: usize = 5;

/// A query that cannot be answered. The text says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// Longer than [`MAX_BYTES`].
    #[error("the query has {0} bytes, more than {MAX_BYTES}: search for long texts as plain words")]
    TooLong(usize),
    /// More parentheses inside each other than [`MAX_DEPTH`].
    #[error("the query has more than {MAX_DEPTH} parentheses inside each other")]
    TooDeep,
    /// `name:value` with a name that is no field.
    #[error(
        "'{0}': no field is called '{1}'; there are title: and url:, and quotes search for words with colons"
    )]
    UnknownField(String, String),
    /// Syntax of other search engines.
    #[error("'{text}': there are no {what} here; quotes search for the words as they are")]
    Unsupported {
        /// The part of the query.
        text: String,
        /// What it would be elsewhere.
        what: &'static str,
    },
    /// A page without any of the words would be an answer.
    #[error(
        "'{0}' is answered by pages that have none of its words, nearly all of them: add a word that pages must have, as in 'rain NOT barrel'"
    )]
    OnlyExcludes(String),
    /// Nothing is left of the query's words.
    #[error("the query '{0}' has no word that the index's analyzer ({1}) keeps")]
    NoWords(String, &'static str),
}

/// Adds a warning that is not there yet.
pub(crate) fn warn(warnings: &mut Vec<String>, warning: String) {
    if warnings.len() < MAX_WARNINGS && !warnings.contains(&warning) {
        warnings.push(warning);
    }
}
