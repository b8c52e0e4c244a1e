//! A part of an index: consecutive pages that were written together, and are never changed.
//!
//! A part is a directory: `blocks.N`, each a tantivy index of one segment, whose documents are blocks; `pages`, one whose documents
//! are the pages in order; `counts.N.bin`, the counts of a segment's blocks; `docids.bin`; `extents.bin`, which says where the blocks of
//! each page stand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::schema::{Field, Value};
use tantivy::store::StoreReader;
use tantivy::{SegmentReader, TantivyDocument};

use super::columns::{self, Columns};
use super::docids::{self, DocidFile};
use super::extents::{self, Extent};
use super::{IndexError, schema};

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
    /// SHA-256 in hexadecimal of its files that tantivy does not know.
    pub files: BTreeMap<String, String>,
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

/// Hashes of the files in a part of so many segments that tantivy does not know.
pub(super) fn hashes(part: &Path, segments: usize) -> Result<BTreeMap<String, String>, IndexError> {
    let files = [docids::FILE.to_owned(), extents::FILE.to_owned()];
    let files = files.into_iter().chain((0..segments).map(columns::file));
    let hash = |file: String| {
        let path = part.join(&file);
        let hash = crate::collection::sha256_of_file(&path).map_err(IndexError::io(&path))?;
        Ok((file, hash))
    };
    files.map(hash).collect()
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
        let segment = segment(&path)?;
        let reader = SegmentReader::open(&segment).map_err(IndexError::tantivy(&path))?;
        let store = reader.get_store_reader(CACHED_BLOCKS);
        Ok(Stored {
            store: store.map_err(IndexError::io(&path))?,
            reader,
            path,
        })
    }

    pub fn document(&self, doc: u32) -> Result<TantivyDocument, IndexError> {
        self.store.get(doc).map_err(IndexError::tantivy(&self.path))
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

/// Opens a part of an index.
pub(super) fn open(index: &Path, entry: &PartEntry) -> Result<Opened, IndexError> {
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
            let columns = Columns::open(&path, number)?;
            if columns.num_blocks() != stored.reader.max_doc() {
                return Err(damaged("its counts are not those of its blocks"));
            }
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

/// The text stored in a field; empty if there is none.
pub(super) fn text(document: &TantivyDocument, field: Field) -> String {
    let value = document.get_first(field).and_then(|value| value.as_str());
    value.unwrap_or_default().to_owned()
}
