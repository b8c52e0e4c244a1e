//! A part of an index: consecutive pages that were written together, and are never changed.
//!
//! A part is a directory: `blocks.N`, each a tantivy index of one segment, whose documents are blocks, and with it `texts.N` and
//! `page-postings.N`; `pages`, one whose documents are the pages in order; `docids.bin`; `extents.bin`, which says where the blocks of
//! each page stand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::format::columns::Columns;
use crate::format::docids::DocidFile;
use crate::format::error::IndexError;
use crate::format::extents::ExtentFile;
use crate::format::page_postings::{self, PagePostings};
use crate::format::stored::Stored;
use crate::format::sum::{self, FileSum, Verify};
use crate::format::texts::Texts;

/// Directory of the parts in an index directory.
pub(crate) const FOLDER: &str = "parts";

/// Directory of the page index in a part.
pub(crate) const PAGES: &str = "pages";

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
    pub(crate) fn directory(&self, index: &Path) -> PathBuf {
        index.join(FOLDER).join(&self.name)
    }
}

/// Directory of a segment of blocks in a part.
pub(crate) fn blocks(part: &Path, segment: usize) -> PathBuf {
    part.join(format!("blocks.{segment}"))
}

/// A segment of blocks.
pub(crate) struct Segment {
    pub stored: Stored,
    pub columns: Columns,
    pub texts: Texts,
    /// Postings by page; none where the index was built without.
    pub page_postings: Option<PagePostings>,
}

/// A part that is open for reading.
pub(crate) struct Part {
    /// Number of its first page in the index.
    pub first_page: u32,
    /// Its pages, in order.
    pub pages: Stored,
}

/// What opening a part gives.
pub(crate) struct Opened {
    pub pages: Stored,
    pub docids: DocidFile,
    pub extents: ExtentFile,
    pub segments: Vec<Segment>,
}

/// Are the files of a part what they are to be?
///
/// # Errors
/// What is wrong with the first that is not.
pub(crate) fn verify(index: &Path, entry: &PartEntry, how: Verify) -> Result<(), IndexError> {
    let wrong = sum::verify(&entry.directory(index), &entry.files, how);
    wrong
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, error)| Err(error))
}

/// Opens a part of an index.
pub(crate) fn open(index: &Path, entry: &PartEntry, how: Verify) -> Result<Opened, IndexError> {
    verify(index, entry, how)?;
    let path = entry.directory(index);
    let damaged = |why: &str| IndexError::Damaged {
        path: path.clone(),
        why: why.to_owned(),
    };
    let (docids, extents) = (DocidFile::open(&path)?, ExtentFile::open(&path)?);
    let pages = Stored::open(path.join(PAGES))?;
    let segments = (0..entry.segments.len())
        .map(|number| {
            let stored = Stored::open(blocks(&path, number))?;
            let columns = Columns::open(&stored)?;
            let texts = Texts::open(&path, number)?;
            let has = entry.files.contains_key(&page_postings::file_name(number));
            let page_postings = has.then(|| PagePostings::open(&path, number)).transpose()?;
            Ok(Segment {
                stored,
                columns,
                texts,
                page_postings,
            })
        })
        .collect::<Result<Vec<_>, IndexError>>()?;
    let count = entry.pages as usize;
    if [docids.len, extents.pages(), pages.reader.max_doc() as usize] != [count; 3] {
        return Err(damaged("it has not the pages that the manifest counts"));
    }
    let counted = entry.segments.iter().copied();
    let blocks = segments.iter().map(|segment| segment.columns.num_blocks());
    let texts = segments.iter().map(|segment| segment.texts.num_blocks());
    if !blocks.eq(counted.clone()) || !texts.eq(counted) {
        return Err(damaged("it has not the blocks that the manifest counts"));
    }
    Ok(Opened {
        pages,
        docids,
        extents,
        segments,
    })
}
