//! Comparing a run with one that is being made, line by line.

use std::io::{self, BufRead, Write};

/// The first line in which two runs differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its number, from 1.
    pub line: u64,
    /// What the file has there; none where it has ended.
    pub file: Option<String>,
    /// What was made; none where that has ended.
    pub made: Option<String>,
}

impl Difference {
    /// The topic of the line: its first word.
    pub fn topic(&self) -> &str {
        let line = self.file.as_ref().or(self.made.as_ref());
        let line = line.map_or("", String::as_str);
        line.split_whitespace().next().unwrap_or_default()
    }
}

/// Takes what is written for a run, and compares it with one that is read, byte for byte, a line at a time.
#[derive(Debug)]
pub struct Against<R> {
    file: R,
    line: u64,
    begun: Vec<u8>,
    different: Option<Difference>,
}

/// Bytes of a line that are looked at: no run has longer ones, and a file without line breaks shall not fill the memory.
const LONGEST_LINE: u64 = 1 << 20;

impl<R: BufRead> Against<R> {
    /// Compares with this run.
    pub fn new(file: R) -> Against<R> {
        Against {
            file,
            line: 0,
            begun: Vec::new(),
            different: None,
        }
    }

    /// Lines that were the same, and the first that is not.
    ///
    /// # Errors
    /// Those of reading.
    pub fn finish(mut self) -> io::Result<(u64, Option<Difference>)> {
        if !self.begun.is_empty() {
            let line = std::mem::take(&mut self.begun);
            self.compare(&line)?;
        }
        if self.different.is_none()
            && let Some(rest) = self.next_line()?
        {
            self.different = Some(Difference {
                line: self.line + 1,
                file: Some(shown(&rest)),
                made: None,
            });
        }
        Ok((self.line, self.different))
    }

    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut self.file, LONGEST_LINE);
        match limited.read_until(b'\n', &mut line)? {
            0 => Ok(None),
            _ => Ok(Some(line)),
        }
    }

    fn compare(&mut self, made: &[u8]) -> io::Result<()> {
        if self.different.is_some() {
            return Ok(());
        }
        let file = self.next_line()?;
        if file.as_deref() == Some(made) {
            self.line += 1;
            return Ok(());
        }
        self.different = Some(Difference {
            line: self.line + 1,
            file: file.as_deref().map(shown),
            made: Some(shown(made)),
        });
        Ok(())
    }
}

/// A line as it is shown: that it does not end, or ends in another way, is seen.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    match text.strip_suffix('\n') {
        Some(text) => text.replace('\r', "\\r"),
        None => format!("{text} (no line break)"),
    }
}

impl<R: BufRead> Write for Against<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, behind) = rest.split_at(end + 1);
            rest = behind;
            match self.begun.is_empty() {
                true => self.compare(line)?,
                false => {
                    let mut whole = std::mem::take(&mut self.begun);
                    whole.extend_from_slice(line);
                    self.compare(&whole)?;
                }
            }
        }
        self.begun.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comparing gives, however what is made comes in pieces.
    #[track_caller]
    fn check(file: &str, made: &str, same: u64, first: Option<(u64, Option<&str>, Option<&str>)>) {
        for piece in [1, 3, 1000] {
            let mut against = Against::new(file.as_bytes());
            for bytes in made.as_bytes().chunks(piece) {
                against.write_all(bytes).unwrap();
            }
            let expected = first.map(|(line, file, made)| Difference {
                line,
                file: file.map(str::to_owned),
                made: made.map(str::to_owned),
            });
            assert_eq!(
                against.finish().unwrap(),
                (same, expected),
                "{file:?} {made:?}"
            );
        }
    }

    #[test]
    fn the_first_line_that_differs() {
        check("", "", 0, None);
        check("1 a\n2 b\n", "1 a\n2 b\n", 2, None);
        check(
            "1 a\n2 b\n3 c\n",
            "1 a\n2 x\n3 y\n",
            1,
            Some((2, Some("2 b"), Some("2 x"))),
        );
        check("1 a\n", "1 a\n2 b\n", 1, Some((2, None, Some("2 b"))));
        check("1 a\n2 b\n", "1 a\n", 1, Some((2, Some("2 b"), None)));
        check(
            "1 a",
            "1 a\n",
            0,
            Some((1, Some("1 a (no line break)"), Some("1 a"))),
        );
        check(
            "1 a\r\n",
            "1 a\n",
            0,
            Some((1, Some("1 a\\r"), Some("1 a"))),
        );
    }
}
