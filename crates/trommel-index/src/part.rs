//! A part of an index: consecutive pages that were written together, and are never changed.
//!
//! A part is a directory: `blocks.N`, each a tantivy index of one segment, whose documents are blocks; `pages`, one whose documents
//! are the pages in order; `docids.bin`; `extents.bin`, which says where the blocks of
//! each page stand.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::SegmentReader;
use tantivy::store::StoreReader;

use super::columns::Columns;
use super::docids::DocidFile;
use super::document::Document;
use super::extents::{self, Extent};
use super::sum::{self, FileSum, Verify};
use super::{IndexError, guard, schema};

/// Directory of the parts in an index directory.
pub(super) const FOLDER: &str = "parts";
/// Directory of the page index in a part.
pub(super) const PAGES: &str = "pages";

/// A part of an index, as the manifest has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEntry {
    /// Its directory in `parts`.
    pub name: String,
    /// Number of its pages.
    pub pages: u32,
    /// Number of blocks in each of its segments.
    pub segments: Vec<u32>,
    /// What its files are to be, by their paths in its directory with `/` between the parts.
    pub files: BTreeMap<String, FileSum>,
}

impl PartEntry {
    /// Where the part is.
    pub(super) fn directory(&self, index: &Path) -> PathBuf {
        index.join(FOLDER).join(&self.name)
    }
}

/// Directory of a segment of blocks in a part.
pub(super) fn blocks(part: &Path, segment: usize) -> PathBuf {
    part.join(format!("blocks.{segment}"))
}

/// A tantivy segment with its stored documents.
pub(super) struct Stored {
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
pub(super) fn segment(path: &Path) -> Result<tantivy::Segment, IndexError> {
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

/// A segment of blocks.
pub(super) struct Segment {
    pub stored: Stored,
    pub columns: Columns,
}

/// A part that is open for reading.
pub(super) struct Part {
    /// Number of its first page in the index.
    pub first_page: u32,
    /// Its pages, in order.
    pub pages: Stored,
}

/// What opening a part gives.
pub(super) struct Opened {
    pub pages: Stored,
    pub docids: DocidFile,
    pub extents: Vec<Extent>,
    pub segments: Vec<Segment>,
}

/// Are the files of a part what they are to be?
///
/// # Errors
/// What is wrong with the first that is not.
pub(super) fn verify(index: &Path, entry: &PartEntry, how: Verify) -> Result<(), IndexError> {
    let wrong = sum::verify(&entry.directory(index), &entry.files, how);
    wrong
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, error)| Err(error))
}

/// Opens a part of an index.
pub(super) fn open(index: &Path, entry: &PartEntry, how: Verify) -> Result<Opened, IndexError> {
    verify(index, entry, how)?;
    let path = entry.directory(index);
    let damaged = |why: &str| IndexError::Damaged {
        path: path.clone(),
        why: why.to_owned(),
    };
    let (docids, extents) = (DocidFile::open(&path)?, extents::read(&path)?);
    let pages = Stored::open(path.join(PAGES))?;
    let segments = (0..entry.segments.len())
        .map(|number| {
            let stored = Stored::open(blocks(&path, number))?;
            let columns = Columns::open(&stored)?;
            Ok(Segment { stored, columns })
        })
        .collect::<Result<Vec<_>, IndexError>>()?;
    let count = entry.pages as usize;
    if [docids.len, extents.len(), pages.reader.max_doc() as usize] != [count; 3] {
        return Err(damaged("it has not the pages that the manifest counts"));
    }
    let blocks = segments.iter().map(|segment| segment.columns.num_blocks());
    if !blocks.eq(entry.segments.iter().copied()) {
        return Err(damaged("it has not the blocks that the manifest counts"));
    }
    Ok(Opened {
        pages,
        docids,
        extents,
        segments,
    })
}
