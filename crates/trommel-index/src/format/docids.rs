//! The docids of an index in page order: for each part one flat file that is mapped into memory.
//!
//! Layout, all numbers little-endian: the number of docids as u64; that many u64, each the end of a docid counted from the start
//! of the text; the text; the pages with the least docid and the greatest as u32, 0 if there are no pages.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use tantivy::directory::OwnedBytes;

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::format::file;
use crate::format::mapped::{self, u64_at};

pub(crate) const FILE: &str = "docids.bin";

/// Bytes of the numbers at the end.
const BOUNDS: usize = 8;

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
        for docid in docids.clone() {
            out.write_all(docid.as_bytes())?;
        }
        let numbered = || (0u32..).zip(docids.clone());
        let least = numbered().min_by_key(|(_, docid)| *docid);
        let greatest = numbered().max_by_key(|(_, docid)| *docid);
        for bound in [least, greatest] {
            let page = bound.map_or(0, |(page, _)| page);
            out.write_all(&page.to_le_bytes())?;
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

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
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
        let bytes = mapped::open(&path).map_err(|error| damaged(&error.to_string()))?;
        let len = u64_at(&bytes, 0).ok_or_else(|| damaged("it is too short"))? as usize;
        let docids = DocidFile { bytes, len };
        let text = len.checked_add(1).and_then(|n| n.checked_mul(8));
        let end = docids.bytes.len().saturating_sub(BOUNDS);
        let whole = text.is_some_and(|text| end >= text)
            && docids.text_start().checked_add(docids.end(len)) == Some(end);
        if !whole {
            return Err(damaged("its length is not what its header says"));
        }
        Ok(docids)
    }

    /// The least docid and the greatest; none if there are none.
    fn bounds(&self) -> Option<(&[u8], &[u8])> {
        let pages = self.bytes.last_chunk::<BOUNDS>()?.as_chunks().0;
        let bound = |at: usize| {
            let page = u32::from_le_bytes(pages[at]);
            self.bytes(page as usize)
        };
        (self.len > 0).then(|| (bound(0), bound(1)))
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
        u64_at(&self.bytes, 8 * n).map_or(0, |end| end as usize)
    }
}

/// The pages whose docid another page before has; none if there are none.
pub(crate) fn repeated(docids: &Docids) -> Option<Bits> {
    repeated_in(docids, docids.parts.iter())
}

/// [`repeated`] where no directory has a docid twice. `firsts` are the numbers of the directories' first parts. Parts that have no
/// docid between the least and the greatest of a part of another directory are not looked at, so that it costs nothing to open shards
/// whose docids are in one order.
pub(crate) fn repeated_across(docids: &Docids, firsts: &[usize]) -> Option<Bits> {
    let directory = |part: usize| firsts.partition_point(|first| *first <= part);
    let parts = docids.parts.iter().enumerate();
    let bounds: Vec<_> = parts
        .filter_map(|(part, (_, docids))| Some((part, directory(part), docids.bounds()?)))
        .collect();
    let may_repeat = |(_, directory, (least, greatest)): &(usize, usize, (&[u8], &[u8]))| {
        let mut others = bounds.iter().filter(|(_, other, _)| other != directory);
        others.any(|(_, _, other)| *least <= other.1 && other.0 <= *greatest)
    };
    let looked_at = bounds.iter().filter(|it| may_repeat(it));
    repeated_in(docids, looked_at.map(|(part, ..)| &docids.parts[*part]))
}

/// The pages of some parts, in their order, whose docid another page of them before has.
fn repeated_in<'d>(
    docids: &Docids,
    parts: impl Iterator<Item = &'d (u32, DocidFile)>,
) -> Option<Bits> {
    let mut seen: HashSet<&[u8]> = HashSet::new();
    let mut repeated = None;
    for (first, part) in parts {
        seen.reserve(part.len);
        for page in 0..part.len {
            if !seen.insert(part.bytes(page)) {
                repeated
                    .get_or_insert_with(|| Bits::none(docids.len() as u32))
                    .insert(first + page as u32);
            }
        }
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docids(parts: &[&[&str]]) -> Docids {
        let mut docids = Docids::default();
        for part in parts {
            let directory = tempfile::tempdir().unwrap();
            write(directory.path(), part.iter().copied()).unwrap();
            let file = DocidFile::open(directory.path()).unwrap();
            assert!(file.iter().eq(part.iter().copied()));
            docids.push(file);
        }
        docids
    }

    #[test]
    fn least_and_greatest() {
        let docids = docids(&[&["m", "b", "z", "c"], &[], &["one"]]);
        let bounds = |part: usize| docids.parts[part].1.bounds();
        assert_eq!(bounds(0), Some((&b"b"[..], &b"z"[..])));
        assert_eq!(bounds(1), None);
        assert_eq!(bounds(2), Some((&b"one"[..], &b"one"[..])));
    }

    #[test]
    fn repeated_docids_are_found() {
        for (parts, firsts, expected) in [
            // In order, with the same docid at the end of one and the beginning of the other.
            (
                &[&["a", "b"][..], &["c", "d"], &["d", "e"]][..],
                &[0, 2][..],
                &[4][..],
            ),
            (&[&["a", "b"], &["c", "d"], &["e", "f"]], &[0, 1, 2], &[]),
            // One within the other.
            (
                &[&["a", "z"], &["c", "d"], &["d", "c"]],
                &[0, 1, 2],
                &[4, 5],
            ),
            (
                &[&["d", "x"], &[], &["x", "d"], &["a", "x"]],
                &[0, 2],
                &[2, 3, 5],
            ),
        ] {
            let docids = docids(parts);
            for found in [repeated(&docids), repeated_across(&docids, firsts)] {
                let found: Vec<u32> = found.iter().flat_map(Bits::iter).collect();
                assert_eq!(found, expected, "{parts:?}");
            }
        }
    }
}
