//! The formats of collections: each reads the items of one file from a window of its bytes. [`sniff`] tells which format a file is
//! in, [`stream`] reads any.

mod arc;
mod feed;
mod fields;
mod frame;
mod html_file;
mod jsonl;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
mod record;
mod sniff;
pub(crate) mod stream;
mod trecweb;
pub(crate) mod wacz;
mod warc;

pub(crate) use sniff::is_blogs06_other;
