//! What a reader of a file of topics should know.

use std::fmt;

/// What was not as it should be in a file of topics that was read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Lines that are not UTF-8 were read as Windows-1252.
    Foreign {
        /// How many.
        lines: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// The topics have no ids and were numbered from 0.
    Numbered,
    /// Lines that begin with `#` were left out as comments, though they have a topic's separator.
    Comments {
        /// How many.
        lines: usize,
        /// The first of them, from 1.
        first: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Foreign { lines: 1, first } => {
                write!(f, "line {first} is not UTF-8 and was read as Windows-1252")
            }
            Note::Foreign { lines, first } => write!(
                f,
                "{lines} lines are not UTF-8 and were read as Windows-1252, line {first} the first"
            ),
            Note::Numbered => f.write_str(
                "the topics have no ids and were numbered from 0, in the order of the file",
            ),
            Note::Comments { lines: 1, first } => {
                write!(
                    f,
                    "line {first} begins with '#' and was left out as a comment"
                )
            }
            Note::Comments { lines, first } => write!(
                f,
                "{lines} lines begin with '#' and were left out as comments, line {first} the first"
            ),
        }
    }
}
