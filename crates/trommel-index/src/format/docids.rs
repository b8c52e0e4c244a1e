//! The docids of an index in page order: for each part one flat file that is mapped into memory.
//!
//! Layout, all numbers little-endian: the number of docids as u64; that many u64, each the end of a docid counted from the start
//! of the text; the text.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::format::file;

pub(crate) const FILE: &str = "docids.bin";

/// Writes the docids of a part's pages.
pub(crate) fn write<'a>(
    part: &Path,
    docids: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> Result<(), IndexError> {
    let path = part.join(FILE);
    file::write(&path, |out| {
        out.write_all(&(docids.len() as u64).to_le_bytes())?;
        let mut end = 0;
        for docid in docids.clone() {
            end += docid.len() as u64;
            out.write_all(&end.to_le_bytes())?;
        }
        for docid in docids {
            out.write_all(docid.as_bytes())?;
        }
        Ok(())
    })
}

/// The docids of an index.
#[derive(Default)]
pub(crate) struct Docids {
    /// Parts with the numbers of their first pages, in order.
    parts: Vec<(u32, DocidFile)>,
    len: usize,
}

impl Docids {
    /// Adds the docids of the next part.
    pub fn push(&mut self, docids: DocidFile) {
        let first = self.len as u32;
        self.len += docids.len;
        self.parts.push((first, docids));
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The docid of a page; empty for a page that is not there.
    pub fn get(&self, page: u32) -> &str {
        std::str::from_utf8(self.bytes(page)).unwrap_or("")
    }

    /// The docid of a page as bytes, which order as the text does.
    pub fn bytes(&self, page: u32) -> &[u8] {
        let part = self.parts.partition_point(|(first, _)| *first <= page);
        let part = part.checked_sub(1).and_then(|part| self.parts.get(part));
        part.map_or(&[], |(first, docids)| docids.bytes((page - first) as usize))
    }
}

/// The docids of a part.
pub(crate) struct DocidFile {
    bytes: OwnedBytes,
    pub len: usize,
}

impl DocidFile {
    pub fn open(part: &Path) -> Result<Self, IndexError> {
        let path = part.join(FILE);
        let damaged = |why: &str| IndexError::Damaged {
            path: path.clone(),
            why: why.to_owned(),
        };
        let directory = MmapDirectory::open(part).map_err(|error| damaged(&error.to_string()))?;
        let bytes = directory
            .open_read(Path::new(FILE))
            .map_err(|error| damaged(&error.to_string()))?
            .read_bytes()
            .map_err(IndexError::io(&path))?;
        let len = bytes.first_chunk().map(|count| u64::from_le_bytes(*count));
        let len = len.ok_or_else(|| damaged("it is too short"))? as usize;
        let docids = DocidFile { bytes, len };
        let text = len.checked_add(1).and_then(|n| n.checked_mul(8));
        let whole = text.is_some_and(|text| docids.bytes.len() >= text)
            && docids.text_start().checked_add(docids.end(len)) == Some(docids.bytes.len());
        if !whole {
            return Err(damaged("its length is not what its header says"));
        }
        Ok(docids)
    }

    /// The docids in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len).map(|page| std::str::from_utf8(self.bytes(page)).unwrap_or(""))
    }

    /// A docid as bytes; empty for a page that is not there.
    fn bytes(&self, page: usize) -> &[u8] {
        if page >= self.len {
            return &[];
        }
        let start = self.text_start();
        let at = |end: usize| start.saturating_add(end);
        let range = at(self.end(page))..at(self.end(page + 1));
        self.bytes.get(range).unwrap_or_default()
    }

    fn text_start(&self) -> usize {
        8 * (self.len + 1)
    }

    /// Where the docid before number `n` ends.
    fn end(&self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        let at = 8 * n;
        self.bytes
            .get(at..at + 8)
            .and_then(|bytes| bytes.first_chunk())
            .map_or(0, |bytes| u64::from_le_bytes(*bytes) as usize)
    }
}

/// The pages whose docid another page before has; none if there are none.
pub(crate) fn repeated(docids: &Docids) -> Option<Bits> {
    let size = docids.len() as u32;
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(docids.len());
    let mut repeated = None;
    for page in 0..size {
        if !seen.insert(docids.bytes(page)) {
            repeated
                .get_or_insert_with(|| Bits::none(size))
                .insert(page);
        }
    }
    repeated
}
