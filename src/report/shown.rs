//! Text and numbers as people are shown them.

use crate::text::is_treacherous;

/// Text that cannot take over the terminal: control characters are left out, and characters that would change the direction of the
/// text behind them or begin a line are escaped (`\u{202e}`), so that they are seen. For whatever people read; data stay as they are.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match is_treacherous(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    shown
}

/// [`printable`] for each line of a text.
pub fn printable_lines(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => printable(line) + "\n",
            None => printable(line),
        })
        .collect()
}

/// A p-value: four decimals, or that it is below them.
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "<.0001".to_owned(),
        p => format!("{p:.4}"),
    }
}

/// A number and its noun: `1 record`, `2,000 records`.
pub fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    let digits = n.to_string();
    let mut number = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            number.push(',');
        }
        number.push(digit);
    }
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U+202E turned the rest of a result around.
    #[test]
    fn bidi_controls_are_escaped() {
        for (text, shown) in [
            ("a\u{202e}b\u{202c}c", "a\\u{202e}b\\u{202c}c"),
            ("\u{2066}x\u{2069}\u{200f}", "\\u{2066}x\\u{2069}\\u{200f}"),
            ("one\u{2028}two", "one\\u{2028}two"),
            ("a\u{1b}[31mb\u{9b}c\r\n", "a[31mbc"),
            // Words of languages that are written from the right, and joiners, are as they were.
            ("שלום می\u{200c}خواهم", "שלום می\u{200c}خواهم"),
        ] {
            assert_eq!(printable(text), shown);
        }
        assert_eq!(printable_lines("a\u{202e}\n\nb\t"), "a\\u{202e}\n\nb");
    }

    #[test]
    fn numbers_with_their_nouns() {
        for (n, text) in [
            (0, "0 pages"),
            (1, "1 page"),
            (999, "999 pages"),
            (1000, "1,000 pages"),
            (1_234_567, "1,234,567 pages"),
        ] {
            assert_eq!(counted(n, "page"), text);
        }
    }
}
