//! What is wrong with the text of a filter or of weights, and where.

use std::fmt;
use std::ops::Range;

use trommel_text::is_treacherous;

/// What is wrong, and where in the text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub place: Range<usize>,
    pub what: String,
    pub hint: Option<String>,
}

pub(crate) fn at(place: Range<usize>, what: impl Into<String>) -> Problem {
    Problem {
        place,
        what: what.into(),
        hint: None,
    }
}

impl Problem {
    pub fn hint(self, hint: impl Into<String>) -> Problem {
        Problem {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// A text that is no filter, or no weights; or weights that cannot be had. It is printed with the place marked below the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The text.
    pub text: String,
    /// Where it is wrong, in bytes.
    pub place: Range<usize>,
    /// What is wrong, in one line.
    pub what: String,
    /// What to do about it, where that can be said.
    pub hint: Option<String>,
}

impl ExpressionError {
    pub(crate) fn new(text: &str, problem: Problem) -> ExpressionError {
        ExpressionError {
            text: text.to_owned(),
            place: problem.place,
            what: problem.what,
            hint: problem.hint,
        }
    }
}

/// Is a character one that would not be seen, or turn the text around it?
fn is_unseen(c: char) -> bool {
    c.is_control() || is_treacherous(c)
}

/// A character as a message names it: in quotes, or by its number if it would not be seen.
pub(crate) fn named(c: char) -> String {
    match is_unseen(c) {
        true => format!("U+{:04X}", u32::from(c)),
        false => format!("'{c}'"),
    }
}

/// Characters of the text that are shown around the place.
const SHOWN: usize = 60;

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before: Vec<char> = self.text[..self.place.start].chars().collect();
        let marked = self.text[self.place.clone()]
            .chars()
            .count()
            .clamp(1, SHOWN);
        let skipped = before.len().saturating_sub(SHOWN);
        let shown = |c: char| if is_unseen(c) { '\u{fffd}' } else { c };
        let line: String = self
            .text
            .chars()
            .skip(skipped)
            .take(2 * SHOWN)
            .map(shown)
            .collect();
        let (ellipsis, indent) = match skipped {
            0 => ("", before.len()),
            _ => ("…", SHOWN + 1),
        };
        writeln!(f, "{}", self.what)?;
        writeln!(f, "    {ellipsis}{line}")?;
        write!(f, "    {}{}", " ".repeat(indent), "^".repeat(marked))?;
        match &self.hint {
            Some(hint) => write!(f, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ExpressionError {}
