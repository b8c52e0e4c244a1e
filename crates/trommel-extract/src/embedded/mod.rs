//! Text that a page has in its scripts, where it shows none itself: what a program of the page would show.
//!
//! Each way in which it may be there is a file and a row of [`all`].

mod article_body;
mod prose;
mod state;

use crate::metadata::Gathered;

/// A way in which a text may be embedded.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedSource {
    /// Its name, as outputs have it.
    pub name: &'static str,
    /// What it reads, in one line.
    pub summary: &'static str,
    /// The text as markup, if there is one.
    read: fn(&Gathered) -> Option<String>,
}

/// All ways, the most telling first.
pub fn all() -> &'static [EmbeddedSource] {
    &[
        EmbeddedSource {
            name: "json-ld",
            summary: "articleBody and text of JSON-LD",
            read: article_body::read,
        },
        EmbeddedSource {
            name: "state",
            summary: "texts in JSON that a program of the page starts from, as __NEXT_DATA__",
            read: state::read,
        },
    ]
}

/// A text that was found in a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedded {
    /// The name of the way.
    pub source: &'static str,
    /// The text as markup, to be parsed as a page.
    pub markup: String,
}

/// The text that is embedded in a page, if there is one of some words.
pub fn embedded(gathered: &Gathered) -> Option<Embedded> {
    all().iter().find_map(|way| {
        Some(Embedded {
            source: way.name,
            markup: (way.read)(gathered)?,
        })
    })
}
