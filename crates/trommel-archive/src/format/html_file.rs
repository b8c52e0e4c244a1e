//! A file that is one HTML page.

use std::sync::Arc;

use crate::bytes::window::Window;
use crate::ledger::{Content, Document, Item, Reason, Skipped};
use crate::options::{DocidSource, Options};

/// Reads the one page of a file; `docid` is its path as the collection counts it.
pub(crate) fn read(
    window: &mut Window,
    file: &Arc<str>,
    docid: &str,
    options: &Options,
) -> Vec<Item> {
    let skipped = |reason, detail| {
        Item::Skipped(Skipped {
            file: Arc::clone(file),
            offset: 0,
            docid: Some(docid.to_owned()),
            reason,
            records: 1,
            detail,
        })
    };
    let limit = options.max_record_bytes;
    if window.fill(
        usize::try_from(limit)
            .unwrap_or(usize::MAX)
            .saturating_add(1),
    ) {
        return vec![skipped(
            Reason::TooLarge,
            format!("more than {limit} bytes"),
        )];
    }
    if matches!(
        options.docid,
        DocidSource::Trec | DocidSource::Record | DocidSource::Url
    ) {
        let detail = options.docid.missing();
        return vec![skipped(Reason::NoDocid, detail)];
    }
    let bytes = window.available().to_vec();
    let damage = window.next_segment();
    let document = Document {
        docid: docid.to_owned(),
        url: String::new(),
        date: String::new(),
        charset: None,
        language: None,
        media_type: None,
        content: Content::Html,
        truncated: damage.is_some(),
        bytes,
        record_id: None,
        file: Arc::clone(file),
        offset: 0,
    };
    let mut items = vec![Item::Document(document)];
    items.extend(damage.map(|damage| skipped(damage.reason, damage.detail)));
    items
}

/// A path without `.gz` or `.zst`, then without `.html` or `.htm`.
pub(crate) fn docid_of_path(path: &str) -> &str {
    let strip = |path: &'static [&'static str], name: &str| -> usize {
        let end = path.iter().find(|end| {
            name.len() > end.len()
                && name.is_char_boundary(name.len() - end.len())
                && name[name.len() - end.len()..].eq_ignore_ascii_case(end)
        });
        name.len() - end.map_or(0, |end| end.len())
    };
    let path = &path[..strip(&[".gz", ".zst"], path)];
    &path[..strip(&[".html", ".htm"], path)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docids_of_paths() {
        for (path, docid) in [
            ("a/b.html", "a/b"),
            ("b.HTM", "b"),
            ("b.html.gz", "b"),
            ("b.htmlx", "b.htmlx"),
            (".html", ".html"),
            ("é", "é"),
        ] {
            assert_eq!(docid_of_path(path), docid);
        }
    }
}
