//! Files → [`Document`]s, with a ledger of everything that gave none. HTML is not looked into.
//!
//! [`inputs`] finds the files, [`open`] makes a [`Reader`] of one, and that yields [`Item`]s in the order of the file:
//! pages, and a [`Skipped`] for each record that is no page and each damage. Reading never fails once it has begun, and
//! nothing is left out silently.
//!
//! ```
//! use trommel_archive::{Item, Options, Reader, WarcPage, write_warc};
//!
//! // An archive in memory, torn in the middle of its second page.
//! let mut archive = Vec::new();
//! let page = |docid| WarcPage { docid, url: "http://a.example/", date: "2009-03-05T00:00:00Z", html: b"<p>Rain" };
//! write_warc(&mut archive, [page("a"), page("b")])?;
//! archive.truncate(archive.len() - 50);
//!
//! let reader = Reader::from_read("torn.warc.gz", Box::new(std::io::Cursor::new(archive)), &Options::default())?;
//! let (mut pages, mut ledger) = (Vec::new(), Vec::new());
//! for item in reader {
//!     match item {
//!         Item::Document(document) => pages.push(document.docid),
//!         Item::Skipped(line) => ledger.push(line.to_string()),
//!     }
//! }
//! assert_eq!(pages[0], "a");
//! assert!(!ledger.is_empty(), "what was lost is told");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Formats**: WARC 0.18, 1.0 and 1.1, WET (the same files with conversion records), ARC 1 and 2, TREC web, JSONL, and
//! HTML files; each plain, gzip or zstd (with or without the dictionary of "Zstandard Compression for WARC Files"); WACZ;
//! and Parquet. They are recognised by content. A WARC file is taken for WET if its first record that is neither `warcinfo` nor
//! `metadata` is a `conversion`: where pages and their texts are in one file, the pages come first, and are what counts.
//!
//! **Damage** costs as little as can be. A corrupt compressed member costs that member: reading goes on at the next one
//! that begins with a record. Inside decompressed bytes it goes on at the next line that begins a record. What is
//! decompressed before a corruption is kept if it makes whole records; a page that the *end* of the file cuts short is
//! given as [`Document::truncated`], with a line in the ledger as well.
//!
//! **Offsets**: a record that begins a compressed member has that member's offset in the stored file; any other has its
//! offset in the decompressed stream, which in a plain file is the same as in the stored one. Of a row of a Parquet file it is the
//! number, from 0.
//!
//! **Memory**: a record is held once as it is in the file and once per encoding that is undone, each up to
//! [`Options::max_record_bytes`]; a larger one is skipped without being held. Buffers add a few MB, and a zstd window up
//! to 128 MiB where a file asks for one.
//!
//! The same items come however the bytes arrive, and a reader can be sent to another thread.

#[cfg(feature = "warc")]
mod as_warc;
mod bytes;
mod error;
mod format;
mod head;
mod input;
mod ledger;
mod names;
mod options;
mod reader;
mod whole;
mod write;

pub use bytes::digest::{sha256_of, sha256_of_file, sha256_of_prefix};
pub use error::Error;
pub use input::{Input, Listing, inputs, is_index, list, path_of};
pub use ledger::{Content, Document, Item, Reason, Skipped};
pub use names::parse_status;
pub use options::{DocidSource, Format, Options};
pub use reader::{Reader, find, open};
pub use whole::{WholeFile, write_whole};
pub use write::{
    ConvertedFrom, WarcPage, begins_with_warcinfo, write_conversion, write_response, write_warc,
    write_warcinfo, write_warcinfo_with,
};
