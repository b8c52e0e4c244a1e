//! Mathematics: the TeX that pages have beside or instead of formulas.

use std::ops::Range;

use trommel_page::html::Source;
use trommel_page::{ElementId, LeafId, Page};

/// A formula in a text is at most so long, in bytes: what is farther off does not belong to the delimiter.
const MOST_TEX: usize = 4_000;

/// The TeX of a MathML element, as its annotation (MathML 3 §5.1) or its alternative text has it; and whether it is displayed by itself.
/// `next` is the first leaf that may stand in it.
pub(super) fn annotated(
    page: &Page,
    source: &Source,
    math: ElementId,
    next: LeafId,
) -> Option<(String, bool)> {
    let display = source
        .attribute(math, "display")
        .is_some_and(|it| &*it == "block")
        || source
            .attribute(math, "mode")
            .is_some_and(|it| &*it == "display");
    let leaves = page.leaves[(next as usize).min(page.leaves.len())..].iter();
    let inside = leaves.take_while(|leaf| page.ancestors(leaf.parent).any(|id| id == math));
    let mut tex = String::new();
    for leaf in inside {
        let encoding = source.attribute(leaf.parent, "encoding");
        let is_tex = encoding.is_some_and(|it| {
            matches!(
                &*it,
                "application/x-tex" | "TeX" | "application/x-latex" | "LaTeX"
            )
        });
        if page.tag(leaf.parent).name() == "annotation" && is_tex {
            tex.push_str(&page.text[leaf.text.clone()]);
        }
    }
    if tex.trim().is_empty() {
        tex = source.attribute(math, "alttext")?.into_owned();
    }
    let (tex, styled) = without_style(tex.trim());
    (!tex.is_empty()).then(|| (tex.to_owned(), display || styled))
}

/// MediaWiki puts formulas into `{\displaystyle …}`, also those of a line; only `\textstyle` tells nothing of how it is shown.
fn without_style(tex: &str) -> (&str, bool) {
    for style in ["{\\displaystyle", "{\\textstyle"] {
        let inner = tex
            .strip_prefix(style)
            .and_then(|rest| rest.strip_suffix('}'));
        if let Some(inner) = inner.filter(|inner| is_balanced(inner)) {
            return (inner.trim(), false);
        }
    }
    (tex, false)
}

fn is_balanced(tex: &str) -> bool {
    let mut depth = 0i64;
    for byte in tex.bytes() {
        depth += i64::from(byte == b'{') - i64::from(byte == b'}');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// A formula in a text, which a script of the page would show as such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Where its delimiter begins.
    pub start: usize,
    /// The TeX.
    pub tex: Range<usize>,
    /// Where its last delimiter ends.
    pub end: usize,
    /// Whether it is displayed by itself.
    pub display: bool,
}

/// The first formula in a text between the delimiters that MathJax and KaTeX know without being told: `\(…\)`, `\[…\]`, `$$…$$`.
pub(super) fn in_text(text: &str) -> Option<Found> {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'\\', b'$', &text.as_bytes()[at..]) {
        let start = at + found;
        let (close, display) = match text.as_bytes().get(start..start + 2) {
            Some(b"\\(") => ("\\)", false),
            Some(b"\\[") => ("\\]", true),
            Some(b"$$") => ("$$", true),
            _ => {
                at = start + 1;
                continue;
            }
        };
        let from = start + 2;
        let most = text.floor_char_boundary(from + MOST_TEX);
        let length = text[from..most].find(close);
        let tex = length.map(|length| from..from + length);
        match tex.filter(|tex| is_formula(&text[tex.clone()])) {
            Some(tex) => {
                return Some(Found {
                    start,
                    end: tex.end + 2,
                    tex,
                    display,
                });
            }
            None => at = from,
        }
    }
    None
}

/// Prices and regular expressions have such delimiters too.
fn is_formula(tex: &str) -> bool {
    let inner = tex.trim();
    let is_variable = inner.len() == 1 && inner.as_bytes()[0].is_ascii_alphabetic();
    is_variable || inner.contains(['\\', '^', '_', '{', '=']) && !inner.contains("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, bool)]) {
        let (mut rest, mut found) = (text, Vec::new());
        while let Some(formula) = in_text(rest) {
            found.push((&rest[formula.tex.clone()], formula.display));
            rest = &rest[formula.end..];
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn formulas_in_texts() {
        check(
            "so \\(a^2\\) and \\[b_1\\], $$c = d$$.",
            &[("a^2", false), ("b_1", true), ("c = d", true)],
        );
        check("\\(x\\)", &[("x", false)]);
        check("from $$ to $$$, 5 $ and 6 $", &[]);
        check("the pattern \\(ab\\) and \\[0-9\\]", &[]);
        check("\\(never closed^2", &[]);
        check("$$a = b", &[]);
    }

    #[test]
    fn styles_of_media_wiki() {
        assert_eq!(without_style("{\\displaystyle x^{2}}").0, "x^{2}");
        assert_eq!(
            without_style("{\\displaystyle a}{b}").0,
            "{\\displaystyle a}{b}"
        );
    }
}
