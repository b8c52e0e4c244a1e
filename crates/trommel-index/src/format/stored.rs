//! A tantivy index of one segment with its stored documents.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::schema::Field;
use tantivy::store::StoreReader;
use tantivy::{SegmentReader, Term};

use crate::format::document::Document;
use crate::format::error::IndexError;
use crate::format::{guard, schema};

/// A tantivy segment with its stored documents.
pub(crate) struct Stored {
    pub path: PathBuf,
    pub reader: SegmentReader,
    store: StoreReader,
}

/// Blocks of stored documents that are kept decompressed.
const CACHED_BLOCKS: usize = 50;

impl Stored {
    /// Opens the only segment of a tantivy index. Nothing is written, so that a directory that can only be read will do.
    pub fn open(path: PathBuf) -> Result<Stored, IndexError> {
        let (reader, store) = guard::reading(&path, || {
            let segment = segment(&path)?;
            let reader = SegmentReader::open(&segment).map_err(IndexError::tantivy(&path))?;
            let store = reader.get_store_reader(CACHED_BLOCKS);
            let store = store.map_err(IndexError::io(&path))?;
            Ok((reader, store))
        })?;
        Ok(Stored {
            store,
            reader,
            path,
        })
    }

    /// Has the segment a document? Postings may name others if they are damaged.
    pub fn has(&self, doc: u32) -> io::Result<()> {
        let documents = self.reader.max_doc();
        match doc < documents {
            true => Ok(()),
            false => {
                let why = format!("its postings name document {doc} of {documents}");
                Err(io::Error::new(io::ErrorKind::InvalidData, why))
            }
        }
    }

    /// Number of documents that have a term in a field.
    pub fn doc_freq(&self, field: Field, term: &str) -> Result<u32, IndexError> {
        let term = Term::from_field_text(field, term);
        guard::reading(&self.path, || {
            let inverted = self.reader.inverted_index(field);
            let inverted = inverted.map_err(IndexError::tantivy(&self.path))?;
            inverted.doc_freq(&term).map_err(IndexError::io(&self.path))
        })
    }

    pub fn document(&self, doc: u32) -> Result<Document, IndexError> {
        guard::reading(&self.path, || {
            let bytes = self.store.get_document_bytes(doc);
            let bytes = bytes.map_err(IndexError::tantivy(&self.path))?;
            Document::read(&bytes).ok_or_else(|| IndexError::Damaged {
                path: self.path.clone(),
                why: format!("document {doc} of its store is none"),
            })
        })
    }
}

/// The only segment of a tantivy index.
pub(crate) fn segment(path: &Path) -> Result<tantivy::Segment, IndexError> {
    let mut index = tantivy::Index::open_in_dir(path).map_err(IndexError::tantivy(path))?;
    index.set_tokenizers(schema::tokenizers());
    let mut segments = index
        .searchable_segments()
        .map_err(IndexError::tantivy(path))?;
    match (segments.pop(), segments.is_empty()) {
        (Some(segment), true) => Ok(segment),
        _ => Err(IndexError::Damaged {
            path: path.to_owned(),
            why: "it has not one segment".to_owned(),
        }),
    }
}
