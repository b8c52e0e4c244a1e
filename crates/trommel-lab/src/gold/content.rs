//! What a gold standard says of a page.

use super::annotated::Annotated;
use crate::score::Text;

/// What a file of a gold standard says of its page.
#[derive(Debug, Clone, Default)]
pub struct Gold {
    /// The main content; its plain text is blank where the page has none.
    pub text: Text,
    /// Comments of readers, where the file sets them apart from the article and has them.
    pub comments: String,
    /// Where the page was fetched from, if the file says so.
    pub url: Option<String>,
    /// The page with the classes of its leaves, where the format has them.
    pub annotated: Option<Annotated>,
    /// What kind of page it is, as the gold standard calls it: article, forum, product ….
    pub page_type: Option<String>,
    /// Pieces of text that must and must not be kept, where the gold standard has any.
    pub snippets: Snippets,
    /// What else the gold standard says of the page.
    pub metadata: Metadata,
}

/// Pieces of text by which an output can be checked without the whole gold text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippets {
    /// They stand in the main content.
    pub with: Vec<String>,
    /// They stand on the page, outside the main content.
    pub without: Vec<String>,
}

/// What a gold standard says of a page beside its text; none where it does not say or says that there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was published, as the file has it (mostly YYYY-MM-DD).
    pub published: Option<String>,
}

/// Text with the same lines as paragraphs.
pub(super) fn paragraphs(plain: String) -> Text {
    let mut marked = Vec::with_capacity(plain.len() + plain.len() / 16);
    for line in plain.lines().filter(|line| !line.trim().is_empty()) {
        marked.extend_from_slice(b"<p>");
        marked.extend_from_slice(line.as_bytes());
        marked.push(b'\n');
    }
    Text { plain, marked }
}
