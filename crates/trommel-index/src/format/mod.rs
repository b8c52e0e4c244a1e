//! What an index directory holds: its files, how they are read, and what is known to be true of them.

pub(crate) mod bits;
pub(crate) mod columns;
pub(crate) mod docids;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod extents;
pub(crate) mod file;
pub(crate) mod guard;
pub(crate) mod labels;
pub(crate) mod layout;
pub(crate) mod ledger;
pub(crate) mod lock;
pub(crate) mod manifest;
pub(crate) mod origin;
pub(crate) mod page_columns;
pub(crate) mod page_postings;
pub(crate) mod page_record;
pub(crate) mod part;
pub(crate) mod ranks;
pub(crate) mod schema;
pub(crate) mod sealed;
pub(crate) mod stored;
pub(crate) mod sum;
pub(crate) mod term_histogram;
pub(crate) mod url_terms;
pub(crate) mod varint;
