//! From a [`View`] to HTML, by one layout per file. The layouts differ on purpose: each writes
//! markup as a different kind of blog did, faults included, so that the demo exercises more than
//! one idiom. An article's paragraphs are never interrupted by markup.

mod divs;
mod left;
mod markup;
mod paper;
mod semantic;
mod sloppy;
mod table;

use super::source::Template;
use super::view::View;

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
