//! From a [`View`] to HTML, by one layout per file. The layouts differ on purpose: each writes
//! markup as a different kind of blog did, faults included, so that the demo exercises more than
//! one idiom. An article's paragraphs are never interrupted by markup.

mod divs;
mod left;
mod paper;
mod semantic;
mod sloppy;
mod table;

use super::source::Template;
use super::view::View;
use crate::text::escape_markup as esc;

/// The page in its blog's layout.
pub fn render(view: &View<'_>) -> String {
    match view.blog.template {
        Template::Table => table::render(view),
        Template::Divs => divs::render(view),
        Template::Semantic => semantic::render(view),
        Template::Left => left::render(view),
        Template::Sloppy => sloppy::render(view),
        Template::Paper => paper::render(view),
    }
}

/// A link with quoted attributes.
fn link(url: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", esc(url), esc(text))
}

/// The concatenation of `write` over the items.
fn each<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect()
}

/// As [`each`], with `between` in the gaps.
fn joined<T>(items: &[T], between: &str, write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect::<Vec<_>>().join(between)
}

/// `one comment`, `2 comments` and so on.
fn comment_count(count: usize) -> String {
    match count {
        0 => "No comments yet".to_owned(),
        1 => "One comment".to_owned(),
        n => format!("{n} comments"),
    }
}
