//! How much of a list goes into one answer.

use std::io::{self, Write};

use serde::Serialize;

use super::limits;
use super::problem::Problem;

/// Bytes of an answer that its lines have not used yet.
pub struct Room {
    left: usize,
    empty: bool,
}

impl Room {
    /// That of an answer without lines.
    pub fn new() -> Room {
        Room {
            left: limits::ANSWER_BYTES,
            empty: true,
        }
    }

    /// Is there room for one more line, which then counts? The first one always has its place, so that whoever asks for what is
    /// left comes to an end.
    pub fn takes(&mut self, line: &impl Serialize) -> Result<bool, Problem> {
        let mut counter = Counter(0);
        serde_json::to_writer(&mut counter, line)?;
        // With a comma.
        let left = self.left.checked_sub(counter.0 + 1);
        let takes = left.is_some() || self.empty;
        self.left = left.unwrap_or(0);
        self.empty = false;
        Ok(takes)
    }
}

/// Counts what is written.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_do_not_fit_are_left_out_but_for_the_first() {
        let half = "a".repeat(limits::ANSWER_BYTES / 2 - 3);
        let mut room = Room::new();
        assert!(room.takes(&half).unwrap());
        assert!(room.takes(&half).unwrap());
        assert!(!room.takes(&"").unwrap());
        let mut room = Room::new();
        assert!(room.takes(&half.repeat(3)).unwrap());
        assert!(!room.takes(&"").unwrap());
    }
}
