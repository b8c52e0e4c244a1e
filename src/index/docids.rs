//! The docids of an index in page order, in one flat file that is mapped into memory.
//!
//! Layout, all numbers little-endian: the number of docids as u64; that many u64, each the end of a docid counted from the start
//! of the text; the text.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use super::IndexError;

const FILE: &str = "docids.bin";

/// Writes docids as they come.
pub(super) struct DocidWriter {
    text: BufWriter<File>,
    ends: Vec<u64>,
    length: u64,
}

impl DocidWriter {
    pub fn create(index: &Path) -> Result<Self, IndexError> {
        let path = index.join("docids.tmp");
        let file = File::create(&path).map_err(IndexError::io(&path))?;
        Ok(DocidWriter {
            text: BufWriter::new(file),
            ends: Vec::new(),
            length: 0,
        })
    }

    pub fn push(&mut self, docid: &str) -> io::Result<()> {
        self.text.write_all(docid.as_bytes())?;
        self.length += docid.len() as u64;
        self.ends.push(self.length);
        Ok(())
    }

    pub fn finish(mut self, index: &Path) -> Result<(), IndexError> {
        let (temporary, path) = (index.join("docids.tmp"), index.join(FILE));
        let mut write = || {
            self.text.flush()?;
            let mut out = BufWriter::new(File::create(&path)?);
            out.write_all(&(self.ends.len() as u64).to_le_bytes())?;
            for end in &self.ends {
                out.write_all(&end.to_le_bytes())?;
            }
            io::copy(&mut File::open(&temporary)?, &mut out)?;
            out.into_inner()?.sync_all()?;
            std::fs::remove_file(&temporary)
        };
        write().map_err(IndexError::io(&path))
    }
}

/// The docids of an index.
pub(super) struct Docids {
    bytes: OwnedBytes,
    len: usize,
}

impl Docids {
    pub fn open(index: &Path) -> Result<Self, IndexError> {
        let path = index.join(FILE);
        let damaged = |why: &str| IndexError::Damaged {
            path: path.clone(),
            why: why.to_owned(),
        };
        let directory = MmapDirectory::open(index).map_err(|error| damaged(&error.to_string()))?;
        let bytes = directory
            .open_read(Path::new(FILE))
            .map_err(|error| damaged(&error.to_string()))?
            .read_bytes()
            .map_err(IndexError::io(&path))?;
        let len = bytes.first_chunk().map(|count| u64::from_le_bytes(*count));
        let len = len.ok_or_else(|| damaged("it is too short"))? as usize;
        let docids = Docids { bytes, len };
        let text = len.checked_add(1).and_then(|n| n.checked_mul(8));
        let whole = text.is_some_and(|text| docids.bytes.len() >= text)
            && docids.text_start() + docids.end(len) == docids.bytes.len();
        if !whole {
            return Err(damaged("its length is not what its header says"));
        }
        Ok(docids)
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
        let page = page as usize;
        if page >= self.len {
            return &[];
        }
        let start = self.text_start();
        let range = start + self.end(page)..start + self.end(page + 1);
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
