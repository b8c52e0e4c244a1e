//! Word wrapping at a fixed column, from which the text density follows.

/// Line width in characters, w_max of WSDM 2010 §3.4; boilerpipe's `maxLineLength`.
pub const LINE_WIDTH: u32 = 80;
/// The greatest text density: a line holds no more units than these, of one character each with a space between two.
pub const MOST_DENSITY: u32 = LINE_WIDTH.div_ceil(2);

/// What Equation 1 of WSDM 2010 needs of a wrapped text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lines {
    /// Units (words or tokens) in all lines but the last; in the only line, if there is one alone.
    pub units_in_full_lines: u32,
    /// Lines without the last; 1 if there is one alone.
    pub lines: u32,
}

/// Wraps a sequence of units greedily at [`LINE_WIDTH`], units being joined by one space.
///
/// Follows boilerpipe 1.2 to the letter: lengths are in UTF-16 code units; a unit longer than a line stands on a line of
/// its own, and one of more than 80 at the start leaves an empty first line before it.
#[derive(Debug, Clone)]
pub struct LineCounter {
    units: u32,
    units_in_line: u32,
    line_length: i64,
    full_lines: u32,
}

impl Default for LineCounter {
    fn default() -> Self {
        LineCounter {
            units: 0,
            units_in_line: 0,
            line_length: -1,
            full_lines: 0,
        }
    }
}

impl LineCounter {
    /// Appends one unit.
    pub fn push(&mut self, unit: &str) {
        self.push_length(utf16_length(unit));
    }

    /// Appends one unit of so many UTF-16 code units.
    pub fn push_length(&mut self, length: u32) {
        let length = i64::from(length);
        self.units += 1;
        self.units_in_line += 1;
        self.line_length += length + 1;
        if self.line_length > i64::from(LINE_WIDTH) {
            self.full_lines += 1;
            self.line_length = length;
            self.units_in_line = 1;
        }
    }

    /// The counts after the last unit. No full lines, or none with a unit in it: all units count as one line's.
    pub fn finish(self) -> Lines {
        let full = self.units - self.units_in_line;
        if self.full_lines == 0 || full == 0 {
            return Lines {
                units_in_full_lines: self.units,
                lines: 1,
            };
        }
        Lines {
            units_in_full_lines: full,
            lines: self.full_lines,
        }
    }
}

/// The length of a text in UTF-16 code units: two for a character of four bytes, one for any other.
pub(super) fn utf16_length(text: &str) -> u32 {
    let units = |byte: u8| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0);
    text.bytes().map(units).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_lengths() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            assert_eq!(
                utf16_length(&format!("a{c}b")),
                2 + c.len_utf16() as u32,
                "{c:?}"
            );
        }
    }

    #[track_caller]
    fn check(words: &[&str], units_in_full_lines: u32, lines: u32) {
        let mut counter = LineCounter::default();
        words.iter().for_each(|word| counter.push(word));
        assert_eq!(
            counter.finish(),
            Lines {
                units_in_full_lines,
                lines
            }
        );
    }

    #[test]
    fn wraps() {
        let ten = "123456789"; // nine characters and the space: eight units make 79 columns
        check(&[], 0, 1);
        check(&[ten; 8], 8, 1);
        check(&[ten; 9], 8, 1);
        check(&[ten; 17], 16, 2);
        let exactly = "x".repeat(80);
        check(&[&exactly], 1, 1);
        check(&[&exactly, "y"], 1, 1);
        let longer = "x".repeat(81);
        // The empty first line is counted, but with no unit in a full line all falls back to one line.
        check(&[&longer], 1, 1);
        check(&[&longer, "y"], 1, 2);
        // Astral characters are two code units: 41 of them pass 80.
        check(&["a", &"\u{1F600}".repeat(40)], 1, 1);
    }
}
