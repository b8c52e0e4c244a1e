//! Text so that Markdown takes it for nothing but text: CommonMark 0.31 §2.4, and GitHub's tables, strikethrough and mathematics.

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    /// At the beginning of a line.
    pub begins_line: bool,
    /// In the text of a link.
    pub in_link: bool,
    /// In a cell of a table.
    pub in_cell: bool,
    /// A dollar sign would begin mathematics.
    pub has_math: bool,
}

/// Appends a text without line breaks.
pub(super) fn escape(text: &str, context: Context, out: &mut String) {
    let mut before = None;
    let rest = match context.begins_line {
        true => begin_line(text, out),
        false => text,
    };
    if rest.len() < text.len() {
        before = text[..text.len() - rest.len()].chars().last();
    }
    let mut characters = rest.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let after = characters.peek().map(|(_, c)| *c);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_space = |c: Option<char>| c.is_some_and(char::is_whitespace);
        let escaped = match c {
            '\\' | '`' | '[' => true,
            ']' => context.in_link,
            '*' | '~' => !(is_space(before) && is_space(after)),
            // Inside a word it is never emphasis.
            '_' => !(is_word(before) && is_word(after)),
            '<' => !matches!(after, Some(c) if c.is_whitespace() || c.is_ascii_digit() || c == '='),
            '&' => is_reference(&rest[at + 1..]),
            '|' => context.in_cell,
            '$' => context.has_math,
            // Before a link it would make it an image.
            '!' => after.is_none(),
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

/// Appends what a line begins with where that would be the mark of a heading, list, quotation, rule, table or fence. Gives the rest.
fn begin_line<'t>(text: &'t str, out: &mut String) -> &'t str {
    let mut characters = text.chars();
    let first = characters.next();
    let second = characters.next();
    match first {
        Some(c @ ('-' | '+')) => {
            let is_mark =
                second.is_none_or(|c| c.is_whitespace() || matches!(c, '-' | '+' | '|' | ':'));
            if is_mark {
                out.push('\\');
            }
            out.push(c);
            &text[1..]
        }
        Some(c @ ('#' | '>' | '=' | '|' | ':')) => {
            out.push('\\');
            out.push(c);
            &text[1..]
        }
        Some('0'..='9') => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let mark = text[digits..].chars().next();
            let after = text[digits..].chars().nth(1);
            let Some(mark) = mark.filter(|c| matches!(c, '.' | ')') && digits <= 9) else {
                return text;
            };
            if after.is_some_and(|c| !c.is_whitespace()) {
                return text;
            }
            out.push_str(&text[..digits]);
            out.push('\\');
            out.push(mark);
            &text[digits + 1..]
        }
        _ => text,
    }
}

/// Does a text begin as a character reference does behind its `&`?
fn is_reference(rest: &str) -> bool {
    let name = match rest.find(';') {
        Some(end) if (1..=33).contains(&end) => &rest[..end],
        _ => return false,
    };
    let name = name.strip_prefix('#').unwrap_or(name);
    name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Appends code of a line: CommonMark §6.1.
pub(super) fn code(text: &str, in_cell: bool, out: &mut String) {
    let words: Vec<&str> = text.split(['\n', '\r']).collect();
    let mut text = words.join(" ");
    if in_cell {
        text = text.replace('|', "\\|");
    }
    let fence = "`".repeat(longest_run(&text, '`') + 1);
    let padded = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    // Of a text that is nothing but spaces none are taken away.
    let pad = if padded && !text.trim_matches(' ').is_empty() {
        " "
    } else {
        ""
    };
    for part in [&fence, pad, &text, pad, &fence] {
        out.push_str(part);
    }
}

/// The length of the longest run of a character.
pub(super) fn longest_run(text: &str, of: char) -> usize {
    let runs = text.split(|c| c != of).map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, begins_line: bool, expected: &str) {
        let context = Context {
            begins_line,
            in_link: false,
            in_cell: false,
            has_math: false,
        };
        let mut out = String::new();
        escape(text, context, &mut out);
        assert_eq!(out, expected, "{text}");
    }

    #[test]
    fn texts() {
        check("5 * 3 is a*b", false, "5 * 3 is a\\*b");
        check("snake_case, _private", false, "snake_case, \\_private");
        check(
            "a < b, <b>, R&D, &amp;, &#8217;",
            false,
            "a < b, \\<b>, R&D, \\&amp;, \\&#8217;",
        );
        check("[1] `x` \\ wow!", false, "\\[1] \\`x\\` \\\\ wow\\!");
        check("# no heading #", true, "\\# no heading #");
        check("1. no item, 2. none", true, "1\\. no item, 2. none");
        check("1.5 and 1)", true, "1.5 and 1)");
        check("- no item", true, "\\- no item");
        check("-5 degrees", true, "-5 degrees");
        check("* no item", true, "\\* no item");
        check("> no quote", true, "\\> no quote");
        check("~~~", true, "\\~\\~\\~");
    }

    #[test]
    fn code_of_lines() {
        for (text, expected) in [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`a", "`` `a ``"),
            ("a | b", "`a | b`"),
            (" ", "` `"),
        ] {
            let mut out = String::new();
            code(text, false, &mut out);
            assert_eq!(out, expected);
        }
    }
}
