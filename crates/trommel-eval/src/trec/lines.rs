//! Numbered lines and columns of the line formats.

use std::io::{BufRead, Read};

use super::unpack::{Bound, unpacked};
use super::{Problem, TrecError};

/// No line of a run or qrels file comes near this many bytes; a longer one is some other kind of file.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Reads the lines that carry data, of an input that may be packed with gzip or zstd: skips blank lines, comments and a byte-order
/// mark.
pub(super) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    name: &'a str,
    buffer: Vec<u8>,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(input: impl BufRead + 'a, name: &'a str) -> Result<Self, TrecError> {
        Ok(Lines {
            input: unpacked(input, name, Bound::Hundredfold)?,
            name,
            buffer: Vec::new(),
            number: 0,
        })
    }

    /// The next line with data, with its number (from 1).
    pub(super) fn next_line(&mut self) -> Result<Option<(usize, &str)>, TrecError> {
        loop {
            self.buffer.clear();
            self.number += 1;
            let read = self
                .input
                .by_ref()
                .take(MAX_LINE_BYTES as u64 + 1)
                .read_until(b'\n', &mut self.buffer)
                .map_err(|cause| TrecError::Io {
                    name: self.name.to_owned(),
                    cause,
                })?;
            if read == 0 {
                return Ok(None);
            }
            if read > MAX_LINE_BYTES {
                let limit = MAX_LINE_BYTES;
                return Err(line_error(
                    self.name,
                    self.number,
                    Problem::TooLong { limit },
                ));
            }
            if self.number == 1 && self.buffer.starts_with(b"\xEF\xBB\xBF") {
                self.buffer.drain(..3);
            }
            let first = self
                .buffer
                .iter()
                .find(|byte| !is_separator(**byte as char));
            if first.is_some_and(|&byte| byte != b'#' && byte != b'\n') {
                break;
            }
        }
        if self.buffer.contains(&0) {
            return Err(line_error(self.name, self.number, Problem::NoText));
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some((self.number, line))),
            Err(_) => Err(line_error(self.name, self.number, Problem::NotUtf8)),
        }
    }
}

/// The columns of a line: words between ASCII white space, as C's `isspace` has it.
pub(super) fn columns(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| is_separator(c) || c == '\n')
        .filter(|word| !word.is_empty())
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\x0b' | '\x0c')
}

pub(super) fn line_error(name: &str, line: usize, problem: Problem) -> TrecError {
    TrecError::Line {
        name: name.to_owned(),
        line,
        problem,
    }
}

/// Opens a file for reading, with its path in the error.
pub(super) fn open(path: &std::path::Path) -> Result<std::io::BufReader<std::fs::File>, TrecError> {
    match std::fs::File::open(path) {
        Ok(file) => Ok(std::io::BufReader::new(file)),
        Err(cause) => Err(TrecError::Io {
            name: path.display().to_string(),
            cause,
        }),
    }
}
