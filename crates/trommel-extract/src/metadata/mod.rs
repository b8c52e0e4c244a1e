//! What a page says of itself: title, author, day, and where each is said.
//!
//! Each source is a file and a row of [`all`], in the order in which they are believed; [`Metadata::new`] takes for each value the first
//! that has one that can be true.

mod address;
mod byline;
mod date;
mod gathered;
mod heading;
mod json;
mod json_ld;
mod meta;
mod micro;
mod open_graph;
mod row;
mod time;
mod title;

use trommel_page::Page;
use trommel_page::html::{Source, unescape};

pub use date::{day, day_in};
pub use gathered::{Gathered, Script};
pub use json::Objects;
pub(crate) use json::parse as parse_json;
pub use row::Candidates;

/// A source of metadata.
#[derive(Debug, Clone, Copy)]
pub struct MetadataSource {
    /// Its name, as outputs have it.
    pub name: &'static str,
    /// What it reads, in one line.
    pub summary: &'static str,
    /// How soon it is believed of a title, and of an author, and of a day: the least first.
    ranks: [u8; 3],
    /// Reads it.
    read: fn(&Gathered) -> Candidates,
}

/// All sources.
pub fn all() -> &'static [MetadataSource] {
    &[
        MetadataSource {
            name: "json-ld",
            summary: "JSON-LD scripts with the words of schema.org",
            ranks: [2, 1, 1],
            read: json_ld::read,
        },
        MetadataSource {
            name: "meta",
            summary: "meta elements: citation_*, dc.*, author, date and others",
            ranks: [5, 3, 3],
            read: meta::read,
        },
        MetadataSource {
            name: "open-graph",
            summary: "meta elements of Open Graph, article:* and Twitter's cards",
            ranks: [3, 6, 2],
            read: open_graph::read,
        },
        MetadataSource {
            name: "microdata",
            summary: "elements with itemprop",
            ranks: [4, 2, 4],
            read: micro::read,
        },
        MetadataSource {
            name: "h1",
            summary: "the first heading",
            ranks: [1, 9, 9],
            read: heading::read,
        },
        MetadataSource {
            name: "time",
            summary: "time elements",
            ranks: [9, 9, 5],
            read: time::read,
        },
        MetadataSource {
            name: "url",
            summary: "year, month and day in the page's address",
            ranks: [9, 9, 6],
            read: address::read,
        },
        MetadataSource {
            name: "byline",
            summary: "rel=author, and elements whose class says so",
            ranks: [9, 4, 7],
            read: byline::read,
        },
        MetadataSource {
            name: "title",
            summary: "the title element without the site's name",
            ranks: [6, 9, 9],
            read: title::read,
        },
    ]
}

/// A value, and which source has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The value.
    pub value: String,
    /// The name of the source.
    pub source: &'static str,
}

/// What a page says of itself; none of what it does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// What it is called.
    pub title: Option<Found>,
    /// Who wrote it; several people with commas between them.
    pub author: Option<Found>,
    /// The day when it was published, ISO 8601.
    pub date: Option<Found>,
    /// The day when it was changed last.
    pub modified: Option<Found>,
    /// What it is about.
    pub description: Option<Found>,
    /// What its site is called.
    pub site_name: Option<Found>,
}

impl Metadata {
    /// Reads what a page says of itself. `url` is its address and may be empty.
    pub fn new(page: &Page, source: &Source, url: &str) -> Metadata {
        Metadata::of(&Gathered::new(page, source, url))
    }

    /// As [`Metadata::new`], of what is gathered already.
    pub fn of(gathered: &Gathered) -> Metadata {
        let said: Vec<(&MetadataSource, Candidates)> = all()
            .iter()
            .map(|source| (source, (source.read)(gathered)))
            .collect();
        let sites = said
            .iter()
            .flat_map(|(_, candidates)| candidates.sites.iter().cloned());
        let sites: Vec<String> = sites.collect();
        let first = |rank: usize, of: &dyn Fn(&Candidates) -> Option<String>| {
            let mut order: Vec<&(&MetadataSource, Candidates)> = said.iter().collect();
            order.sort_by_key(|(source, _)| source.ranks[rank]);
            order.into_iter().find_map(|(source, candidates)| {
                Some(Found {
                    value: of(candidates)?,
                    source: source.name,
                })
            })
        };
        let day_of = |texts: &[String]| {
            let days = texts.iter().filter_map(|text| day(text));
            days.map(|day| day.to_string()).next()
        };
        let text_of = |texts: &[String]| {
            texts
                .iter()
                .map(|text| clean(text))
                .find(|text| !text.is_empty())
        };
        Metadata {
            title: first(0, &|it| text_of(&it.titles)),
            author: first(1, &|it| {
                it.authors.iter().find_map(|text| author(text, &sites))
            }),
            date: first(2, &|it| day_of(&it.dates)),
            modified: first(2, &|it| day_of(&it.modified)),
            description: first(0, &|it| text_of(&it.descriptions)),
            site_name: first(0, &|it| text_of(&it.sites)),
        }
    }
}

/// A text in one line; what was escaped twice is told by its references.
fn clean(text: &str) -> String {
    gathered::words(&unescape(text))
}

/// An author is no longer, in characters.
const LONGEST_AUTHOR: usize = 120;

/// An author's name in a text that may say more; none if there is no name.
fn author(text: &str, sites: &[String]) -> Option<String> {
    let text = clean(text);
    let mut name = text.as_str();
    // What stands before and behind names in bylines.
    for before in [
        "by ",
        "By ",
        "BY ",
        "Written by ",
        "Posted by ",
        "written by ",
        "posted by ",
        "Author: ",
        "Author ",
        "By: ",
        "Von ",
        "von ",
        "Par ",
        "Por ",
    ] {
        name = name.strip_prefix(before).unwrap_or(name);
    }
    for end in [
        " | ",
        " \u{2022} ",
        " \u{b7} ",
        " \u{2013} ",
        " \u{2014} ",
        " on ",
        " Published",
        " Updated",
        " Posted",
        " - ",
    ] {
        name = name.find(end).map_or(name, |at| &name[..at]);
    }
    let name = name.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | '|' | ':' | '-' | '@' | '\u{b7}')
    });
    let is_name = name.chars().any(char::is_alphabetic)
        && name.chars().count() <= LONGEST_AUTHOR
        && !name.contains("://")
        && !name.contains("www.")
        && name.split_whitespace().count() <= 16
        && !name.contains('{')
        && !sites.iter().any(|site| site.eq_ignore_ascii_case(name));
    let is_word = [
        "author",
        "admin",
        "by",
        "staff",
        "editor",
        "none",
        "null",
        "undefined",
        "follow",
        "share",
        "view all posts",
    ];
    (is_name && !is_word.contains(&name.to_lowercase().as_str())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel_page::html::{Charset, Limits, parse_with_source};

    #[track_caller]
    fn check(markup: &str, expected: &[(&str, &str, &str)]) {
        let (page, source) =
            parse_with_source(markup.as_bytes(), Charset::Auto, None, &Limits::default());
        let found = Metadata::new(&page, &source, "https://a.example/x");
        let of = |name: &str| match name {
            "title" => found.title.clone(),
            "author" => found.author.clone(),
            "date" => found.date.clone(),
            "modified" => found.modified.clone(),
            _ => found.site_name.clone(),
        };
        for (name, value, source) in expected {
            let found = of(name).unwrap_or(Found {
                value: String::new(),
                source: "",
            });
            assert_eq!(
                (found.value.as_str(), found.source),
                (*value, *source),
                "{name} of {markup}"
            );
        }
    }

    #[test]
    fn values_come_with_their_sources() {
        let ld = r##"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
            {"@type":"Organization","@id":"#o","name":"The Garden"},
            {"@type":"Person","@id":"#p","name":"Ann &amp; Co"},
            {"@type":["Article","NewsArticle"],"headline":"Rain barrels","author":{"@id":"#p"},"datePublished":"2025-09-04T08:00:00Z"}]}</script>"##;
        check(
            ld,
            &[
                ("title", "Rain barrels", "json-ld"),
                ("author", "Ann & Co", "json-ld"),
                ("date", "2025-09-04", "json-ld"),
            ],
        );
        check(
            "<meta name=citation_author content='A B'><meta name=citation_author content='C D'>",
            &[("author", "A B, C D", "meta")],
        );
        check(
            "<meta property=article:published_time content=2024-02-01T00:00Z>",
            &[("date", "2024-02-01", "open-graph")],
        );
        check(
            "<p>By <a rel=author href=/x>Ann Oak</a> <time datetime=2024-03-01>1 March</time>",
            &[
                ("author", "Ann Oak", "byline"),
                ("date", "2024-03-01", "time"),
            ],
        );
        check(
            "<div itemprop=author><span itemprop=name>Ann</span></div>",
            &[("author", "Ann", "microdata")],
        );
        check(
            "<title>Rain | Garden</title>",
            &[("title", "Rain", "title")],
        );
        check(
            "<p>nothing",
            &[("title", "", ""), ("author", "", ""), ("date", "", "")],
        );
        // Two that say the same site are no author.
        check(
            "<meta property=og:site_name content=Garden><meta name=author content=garden>",
            &[("author", "", "")],
        );
    }

    #[test]
    fn hostile_pages_say_nothing() {
        let deep = format!(
            "<script type=application/ld+json>{}</script>",
            "[".repeat(500_000)
        );
        check(&deep, &[("title", "", "")]);
        let wrong = "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":7,\"author\":[[[]]],\"datePublished\":{}}</script>";
        check(
            wrong,
            &[("title", "", ""), ("author", "", ""), ("date", "", "")],
        );
    }
}
