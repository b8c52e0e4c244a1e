//! What the columns of a table, or the keys of an object, say of a page.

use std::sync::Arc;

use crate::ledger::{Content, Document, Reason};
use crate::options::{DocidSource, Options};

/// One page as it stands in a table.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) docid: Option<String>,
    pub(crate) html: Option<Vec<u8>>,
    /// The charset of [`Self::html`], where the format fixes it.
    pub(crate) charset: Option<&'static str>,
    /// Text without markup, in UTF-8.
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) title: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) language: Option<String>,
}

/// Why there is no page: the reason, the identifier if there is one, and what is wrong.
pub(crate) type NoPage = (Reason, Option<String>, String);

impl Fields {
    /// The page, whose identifier is made of its own, its address, or where it stands.
    pub(crate) fn document(
        self,
        file: &Arc<str>,
        offset: u64,
        options: &Options,
    ) -> Result<Document, NoPage> {
        let own = self.docid.filter(|id| !id.is_empty());
        let url = self.url.unwrap_or_default();
        let docid = match options.docid {
            DocidSource::Auto | DocidSource::Trec | DocidSource::Record => own.clone(),
            DocidSource::Url => Some(url.clone()),
            DocidSource::Path => Some(format!("{file}#{offset}")),
        };
        let docid = docid.filter(|docid| !docid.is_empty());
        let (content, charset, bytes) = match (self.html, self.text) {
            (Some(html), _) => (Content::Html, self.charset, html),
            (None, Some(text)) => {
                let title = self.title.unwrap_or_default();
                (Content::Text { title }, Some("utf-8"), text)
            }
            (None, None) => {
                let detail = "neither html nor text nor contents".to_owned();
                return Err((Reason::BadLine, docid.or(own), detail));
            }
        };
        let Some(docid) = docid else {
            return Err((Reason::NoDocid, own, options.docid.missing()));
        };
        Ok(Document {
            docid,
            url,
            date: self.date.unwrap_or_default(),
            charset: charset.map(str::to_owned),
            language: self.language,
            media_type: None,
            content,
            bytes,
            truncated: false,
            record_id: None,
            file: Arc::clone(file),
            offset,
        })
    }
}
