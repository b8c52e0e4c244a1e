//! Pieces of markup that several layouts share.

use crate::text::escape_markup as esc;

/// A link with quoted attributes.
pub(super) fn link(url: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", esc(url), esc(text))
}

/// The concatenation of `write` over the items.
pub(super) fn each<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect()
}

/// As [`each`], with `between` in the gaps.
pub(super) fn joined<T>(items: &[T], between: &str, write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect::<Vec<_>>().join(between)
}

/// `one comment`, `2 comments` and so on.
pub(super) fn comment_count(count: usize) -> String {
    match count {
        0 => "No comments yet".to_owned(),
        1 => "One comment".to_owned(),
        n => format!("{n} comments"),
    }
}
