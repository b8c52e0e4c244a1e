//! The Common Index File Format (Lin et al., *Supporting interoperability between open-source search engines with the Common Index File
//! Format*, SIGIR 2020): a header, a list of postings for each term in the order of their bytes, a record for each document; each
//! a protobuf message behind its length.
//!
//! Documents are the pages with a term in a passing block, numbered in their order; lengths, df, cf and frequencies are those of the passing
//! blocks, exactly, and not approximated as in the engines that store lengths as a byte.

use std::io::{self, Seek, SeekFrom, Write};

use prost::Message;
use trommel_index::{Index, Unit};

use crate::error::ExportError;
use crate::options::{ExportOptions, Exported};

/// The header.
#[derive(Clone, PartialEq, Message)]
struct Header {
    #[prost(int32, tag = "1")]
    version: i32,
    #[prost(int32, tag = "2")]
    num_postings_lists: i32,
    #[prost(int32, tag = "3")]
    num_docs: i32,
    #[prost(int32, tag = "4")]
    total_postings_lists: i32,
    #[prost(int32, tag = "5")]
    total_docs: i32,
    #[prost(int64, tag = "6")]
    total_terms_in_collection: i64,
    #[prost(double, tag = "7")]
    average_doclength: f64,
    #[prost(string, tag = "8")]
    description: String,
}

/// A document that has a term.
#[derive(Clone, PartialEq, Message)]
struct Posting {
    /// The difference to the document before.
    #[prost(int32, tag = "1")]
    docid: i32,
    #[prost(int32, tag = "2")]
    tf: i32,
}

/// A term.
#[derive(Clone, PartialEq, Message)]
struct PostingsList {
    #[prost(string, tag = "1")]
    term: String,
    #[prost(int64, tag = "2")]
    df: i64,
    #[prost(int64, tag = "3")]
    cf: i64,
    #[prost(message, repeated, tag = "4")]
    postings: Vec<Posting>,
}

/// A document.
#[derive(Clone, PartialEq, Message)]
struct DocRecord {
    #[prost(int32, tag = "1")]
    docid: i32,
    #[prost(string, tag = "2")]
    collection_docid: String,
    #[prost(int32, tag = "3")]
    doclength: i32,
}

/// Version of the format.
const VERSION: i32 = 1;

/// Writes what a filter leaves of an index. The header has the number of lists, so that these are put into a temporary file first.
///
/// # Errors
/// [`ExportError::PagesOnly`] for blocks, [`ExportError::TooMany`] documents, lists or occurrences for 32 bits; those of reading and writing.
pub fn write(
    index: &Index,
    options: &ExportOptions,
    out: &mut (dyn Write + Send),
) -> Result<Exported, ExportError> {
    if options.unit == Unit::Block {
        return Err(ExportError::PagesOnly);
    }
    let lengths = index.page_term_counts(&options.filter)?;
    let mut numbers = vec![0i32; lengths.len()];
    let (mut num_docs, mut terms) = (0usize, 0u64);
    for (number, length) in numbers.iter_mut().zip(&lengths) {
        if *length > 0 {
            *number = small(num_docs as u64, "documents")?;
            num_docs += 1;
            terms += length;
        }
    }
    let num_docs = small(num_docs as u64, "documents")?;
    let mut spool = io::BufWriter::new(tempfile::tempfile()?);
    let mut lists = 0u64;
    index.for_each_term(&options.filter, |term, postings| {
        let cf = postings.iter().map(|(_, tf)| i64::from(*tf)).sum();
        let mut before = 0;
        let postings = postings.iter().map(|(page, tf)| {
            let number = numbers[*page as usize];
            let posting = Posting {
                docid: number - before,
                tf: small(u64::from(*tf), "occurrences of a term in a page")?,
            };
            before = number;
            Ok(posting)
        });
        let postings = postings.collect::<Result<Vec<_>, ExportError>>()?;
        let list = PostingsList {
            term: term.to_owned(),
            df: postings.len() as i64,
            cf,
            postings,
        };
        lists += 1;
        options.state.step(1)?;
        put(&list, &mut spool)
    })?;
    let num_lists = small(lists, "terms")?;
    let header = Header {
        version: VERSION,
        num_postings_lists: num_lists,
        num_docs,
        total_postings_lists: num_lists,
        total_docs: num_docs,
        total_terms_in_collection: terms as i64,
        average_doclength: match num_docs {
            0 => 0.0,
            num => terms as f64 / f64::from(num),
        },
        description: format!(
            "trommel {}, segmenter {}, analyzer {}, filter {}",
            env!("CARGO_PKG_VERSION"),
            index.manifest.segmenter,
            index.manifest.analyzer.name.name(),
            options.filter
        ),
    };
    put(&header, out)?;
    let mut spool = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
    spool.seek(SeekFrom::Start(0))?;
    io::copy(&mut spool, out)?;
    for (page, length) in (0u32..).zip(&lengths) {
        if *length > 0 {
            let record = DocRecord {
                docid: numbers[page as usize],
                collection_docid: index.docid(page).to_owned(),
                doclength: small(*length, "terms of a page")?,
            };
            put(&record, out)?;
        }
    }
    Ok(Exported {
        rows: num_docs as u64,
        lists,
    })
}

/// Writes a message behind its length.
fn put(message: &impl Message, out: &mut (impl Write + ?Sized)) -> Result<(), ExportError> {
    Ok(out.write_all(&message.encode_length_delimited_to_vec())?)
}

fn small(number: u64, what: &str) -> Result<i32, ExportError> {
    i32::try_from(number).map_err(|_| ExportError::TooMany(format!("{number} {what}")))
}
