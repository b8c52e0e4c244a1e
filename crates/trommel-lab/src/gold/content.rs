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
