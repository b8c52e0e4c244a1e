//! The sources of the demo blogs: what a blog is and how it is written down. The parser is
//! [`parse`](super::parse::parse).
//!
//! One file is one blog. Lines that start with `#` before the first article are notes. First come
//! the blog's own keys, then its articles, oldest first:
//!
//! ```text
//! blog: crumb                      short name, used in docids: a-z and 0-9
//! title: Crumb & Crust
//! tagline: Bread first
//! host: crumb.example
//! template: table                  table, divs, semantic, left, sloppy or paper
//! menu: Home | About               entries of the menu, separated by `|`
//! about: I bake in …               the blurb of the sidebar
//! footer: © 2007 …
//! popular: 3 1                     numbers of the articles listed as popular
//!
//! === 0001                         articles are numbered from 0001 without gaps
//! title: A sourdough starter
//! date: 2007-01-14
//! tags: bread, sourdough           a-z, 0-9 and `-`
//!
//! A paragraph, on as many lines as it needs.
//!
//! Another paragraph, after a blank line.
//!
//! --- oatmilk                      a comment by this reader, up to the next `---` or `===`
//! Its text.
//! ```
//!
//! All keys are required, no other is known, and each takes one line. Text is plain: no markup.

use std::fmt;

/// A blog with all its articles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blog {
    /// Short name, part of every docid.
    pub key: String,
    /// Name of the blog.
    pub title: String,
    /// The line under the name.
    pub tagline: String,
    /// Host part of its urls.
    pub host: String,
    /// The layout of its pages.
    pub template: Template,
    /// Entries of the menu.
    pub menu: Vec<String>,
    /// Blurb in the sidebar.
    pub about: String,
    /// Last line of each page.
    pub footer: String,
    /// Indexes into `articles` of those listed as popular.
    pub popular: Vec<usize>,
    /// The articles, oldest first; article `i` has number `i + 1`.
    pub articles: Vec<Article>,
}

/// One post of a blog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// Number within the blog, from 1.
    pub number: usize,
    /// Headline.
    pub title: String,
    /// Day of publication.
    pub date: Day,
    /// Tags, as in urls.
    pub tags: Vec<String>,
    /// Body text, at least one paragraph, without line breaks.
    pub paragraphs: Vec<String>,
    /// Readers' comments, possibly none.
    pub comments: Vec<Comment>,
}

/// A reader's comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The reader's handle.
    pub by: String,
    /// What the reader wrote, as one paragraph.
    pub text: String,
}

/// The layouts, one for each way in which blogs used to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// Nested tables, `<font>` and `<br>`, tags in capitals.
    Table,
    /// Nothing but nested `<div>`s and `<span>`s.
    Divs,
    /// HTML5 with `nav`, `article` and `aside`.
    Semantic,
    /// XHTML with a sidebar on the left and lists in it.
    Left,
    /// HTML with unclosed, misnested and unquoted parts.
    Sloppy,
    /// A newspaper's front: definition lists, forms, scripts, a sidebar on the right.
    Paper,
}

/// A calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// Year, four digits.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, 1 to 31; months are not checked for their length.
    pub day: u8,
}

impl Day {
    /// Distance in days, counting every month as 31 days: good enough to tell what is near.
    pub fn distance(self, other: Day) -> u32 {
        let days = |d: Day| (u32::from(d.year) * 12 + u32::from(d.month)) * 31 + u32::from(d.day);
        days(self).abs_diff(days(other))
    }

    /// The month, as `2007-03`.
    pub fn month_key(self) -> String {
        format!("{:04}-{:02}", self.year, self.month)
    }

    /// The month in words, as `March 2007`.
    pub fn month_name(self) -> String {
        const NAMES: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let month = usize::from(self.month).saturating_sub(1);
        format!("{} {}", NAMES.get(month).unwrap_or(&""), self.year)
    }
}

/// As `2007-03-18`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a blog's source cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A line among the keys is no key.
    #[error("{at}: `{found}` is no `key: value` line; put text after a blank line")]
    NotAKey {
        /// Where.
        at: Place,
        /// The line.
        found: String,
    },
    /// A key that means nothing here.
    #[error("{at}: unknown key `{key}`; remove it or correct its spelling")]
    UnknownKey {
        /// Where.
        at: Place,
        /// The key.
        key: String,
    },
    /// A key given twice.
    #[error("{at}: a second `{key}:` line; keep one of the two")]
    RepeatedKey {
        /// Where the second one stands.
        at: Place,
        /// The key.
        key: String,
    },
    /// A key is missing.
    #[error("{at}: no `{key}:` line follows; add one before the next blank line or article")]
    MissingKey {
        /// Where the keys begin.
        at: Place,
        /// The key.
        key: &'static str,
    },
    /// A value of the wrong form.
    #[error("{at}: `{found}` is no valid {what}; write {expected}")]
    BadValue {
        /// Where.
        at: Place,
        /// What the value should be.
        what: &'static str,
        /// The value.
        found: String,
        /// The form it should have.
        expected: &'static str,
    },
    /// An article or a comment without text.
    #[error("{at}: this {what} has no text; write some or remove it")]
    Empty {
        /// Where it begins.
        at: Place,
        /// `article`, `comment` or `blog`.
        what: &'static str,
    },
    /// Articles out of order.
    #[error("{at}: this article is older than the one before it; sort the articles by date")]
    OutOfOrder {
        /// Where the article begins.
        at: Place,
    },
}
