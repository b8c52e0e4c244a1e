//! The built-in demo collection: six made-up blogs whose pages quote each other's headlines.
//!
//! On a real blog most of a page is not its article: menus, teasers, lists of recent and popular
//! posts, tag clouds, archives and blogrolls carry the words of other posts. The demo shows what
//! that does to a ranking and what a block filter does about it. Articles, topics and relevance
//! judgments were written for this purpose; see `qrels/README.md` for what they can and cannot
//! show. Nothing here is random: the pages are the same on every run.
//!
//! [`source`] says how a blog is written down, `parse` reads it, `view` decides what stands on
//! each page, and `template` turns that into the HTML of one of six layouts.

pub mod made;
pub mod parse;
pub mod source;
mod template;
mod view;

use source::Blog;

pub use source::SourceError;

/// The demo's topics in TREC web-track XML.
pub const TOPICS: &str = include_str!("../../queries/demo.xml");

/// The demo's relevance judgments: four columns, grades 0 to 2, every page judged for every topic.
pub const QRELS: &str = include_str!("../../qrels/demo.txt");

/// File name and text of each blog's source.
const SOURCES: [(&str, &str); 6] = [
    ("crumb.txt", include_str!("blogs/crumb.txt")),
    ("spoke.txt", include_str!("blogs/spoke.txt")),
    ("dusk.txt", include_str!("blogs/dusk.txt")),
    ("plot.txt", include_str!("blogs/plot.txt")),
    ("bench.txt", include_str!("blogs/bench.txt")),
    ("town.txt", include_str!("blogs/town.txt")),
];

/// One page of the demo collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoPage {
    /// `demo-BLOG-NNNN` for an article, else `demo-BLOG-index`, `demo-BLOG-archive-YYYY-MM` or
    /// `demo-BLOG-tag-TAG`. Unique.
    pub docid: String,
    /// Address under the reserved domain `.example`. Unique.
    pub url: String,
    /// Day of the article, or of the newest post that the page lists, as `2007-03-18`.
    pub date: String,
    /// The page, to be stored as UTF-8.
    pub html: String,
}

/// The six blogs, parsed.
///
/// # Errors
/// The first departure of a source from its format; with the built-in sources a test rules it out.
pub fn blogs() -> Result<Vec<Blog>, SourceError> {
    SOURCES
        .iter()
        .map(|(file, text)| parse::parse(file, text))
        .collect()
}

/// All pages of the collection, blog by blog: articles, front page, monthly archives, tags.
///
/// # Errors
/// As [`blogs`].
pub fn pages() -> Result<Vec<DemoPage>, SourceError> {
    let blogs = blogs()?;
    let views = blogs.iter().flat_map(|blog| view::pages(blog, &blogs));
    Ok(views
        .map(|view| DemoPage {
            html: template::render(&view),
            date: view.date.to_string(),
            docid: view.docid,
            url: view.url,
        })
        .collect())
}
