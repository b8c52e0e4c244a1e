//! Ledger lines of documents.

use trommel_archive::{Document, Reason, Skipped};

use crate::format::page_record::PageRecord;

/// The ledger line of a document.
pub(crate) fn document_line(document: &Document, reason: Reason, detail: &str) -> Skipped {
    Skipped {
        file: document.file.clone(),
        offset: document.offset,
        docid: Some(document.docid.clone()),
        reason,
        records: 1,
        detail: detail.to_owned(),
    }
}

/// The ledger line of a page that is in an index.
pub(crate) fn document_line_of_page(page: &PageRecord, reason: Reason, detail: &str) -> Skipped {
    Skipped {
        file: page.file.as_str().into(),
        offset: page.offset,
        docid: Some(page.docid.clone()),
        reason,
        records: 1,
        detail: detail.to_owned(),
    }
}
