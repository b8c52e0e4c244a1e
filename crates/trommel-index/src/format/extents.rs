//! Where the blocks of each page of a part stand, in one flat file that is mapped into memory.
//!
//! Layout, all numbers little-endian:
//!
//! - the number of pages and the number of segments as u64;
//! - for each segment the number of its pages, which are those with a block in it, as u64;
//! - for each page, in order, the blocks of the part before its own, in the order of pages, as u64; and three u32: segment of the
//!   part, number of its first block in that segment, number of its blocks;
//! - for each segment its pages in the order of their blocks, which is that of their ranks: number of the first block and number of
//!   the page as u32.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tantivy::directory::OwnedBytes;

use crate::format::error::IndexError;
use crate::format::file;
use crate::format::mapped::{self, u64_at};
use crate::format::ranks::{START, Start, Starts, start};

pub(crate) const FILE: &str = "extents.bin";

/// Bytes before the numbers of the segments' pages, and of an extent.
const HEAD: usize = 16;
const SIZE: usize = 20;

/// The blocks of one page: consecutive documents of one segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub segment: u32,
    pub first_doc: u32,
    /// Number of blocks; 0 for a page without text.
    pub count: u32,
}

/// Writes the extents of a part's pages, whose blocks stand in so many segments.
pub(crate) fn write(part: &Path, extents: &[Extent], segments: usize) -> Result<(), IndexError> {
    file::write(&part.join(FILE), |out| write_to(out, extents, segments))
}

fn write_to(out: &mut dyn Write, extents: &[Extent], segments: usize) -> io::Result<()> {
    let starts: Vec<Vec<Start>> = (0..segments)
        .map(|segment| starts(extents, segment))
        .collect();
    let numbers = [extents.len(), segments].into_iter();
    for number in numbers.chain(starts.iter().map(Vec::len)) {
        out.write_all(&(number as u64).to_le_bytes())?;
    }
    let mut before = 0u64;
    for extent in extents {
        out.write_all(&before.to_le_bytes())?;
        for number in [extent.segment, extent.first_doc, extent.count] {
            out.write_all(&number.to_le_bytes())?;
        }
        before += u64::from(extent.count);
    }
    for start in starts.iter().flatten() {
        out.write_all(start)?;
    }
    Ok(())
}

/// The pages of a segment that have a block, in the order of their blocks.
pub(crate) fn starts(extents: &[Extent], segment: usize) -> Vec<Start> {
    let own = |extent: &Extent| extent.segment as usize == segment && extent.count > 0;
    let pages = (0u32..).zip(extents).filter(|(_, extent)| own(extent));
    let mut pages: Vec<(u32, u32)> = pages.map(|(page, it)| (it.first_doc, page)).collect();
    pages.sort_unstable();
    let start = |(first, page)| start(first, page);
    pages.into_iter().map(start).collect()
}

/// The extents of a part, mapped into memory. Opening them costs the same however many there are.
pub(crate) struct ExtentFile {
    pub path: PathBuf,
    bytes: OwnedBytes,
    pages: usize,
    /// For each segment where its pages begin, and how many there are.
    segments: Vec<(usize, usize)>,
}

impl ExtentFile {
    /// Opens what [`write()`] wrote.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if its length is not what it says. What it says of pages is not looked at.
    pub fn open(part: &Path) -> Result<ExtentFile, IndexError> {
        let path = part.join(FILE);
        let damaged = |why: &dyn std::fmt::Display| IndexError::Damaged {
            path: path.clone(),
            why: why.to_string(),
        };
        let bytes = mapped::open(&path).map_err(|error| damaged(&error))?;
        let opened = ExtentFile::of(path.clone(), bytes);
        opened.ok_or_else(|| damaged(&"its length is not what its header says"))
    }

    /// None if the length is not what the header says.
    fn of(path: PathBuf, bytes: OwnedBytes) -> Option<ExtentFile> {
        let number = |at: usize| Some(u64_at(&bytes, at)? as usize);
        let (pages, segments) = (number(0)?, number(8)?);
        let heads = segments.checked_mul(8)?.checked_add(HEAD)?;
        let mut at = pages.checked_mul(SIZE)?.checked_add(heads)?;
        if at > bytes.len() {
            return None;
        }
        let mut places = Vec::with_capacity(segments);
        for segment in 0..segments {
            let count = number(HEAD + 8 * segment)?;
            places.push((at, count));
            at = at.checked_add(count.checked_mul(START)?)?;
        }
        (at == bytes.len()).then_some(ExtentFile {
            path,
            bytes,
            pages,
            segments: places,
        })
    }

    /// Number of pages.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Number of segments.
    pub fn segments(&self) -> usize {
        self.segments.len()
    }

    /// The blocks before those of a page, in the order of pages, and its own; none for a page that is not there.
    #[inline]
    pub fn get(&self, page: usize) -> Option<(u64, Extent)> {
        if page >= self.pages {
            return None;
        }
        let at = HEAD + 8 * self.segments.len() + SIZE * page;
        let (before, rest) = self.bytes.get(at..at + SIZE)?.split_first_chunk()?;
        let (numbers, _) = rest.as_chunks();
        let number = |at: usize| u32::from_le_bytes(numbers[at]);
        let extent = Extent {
            segment: number(0),
            first_doc: number(1),
            count: number(2),
        };
        Some((u64::from_le_bytes(*before), extent))
    }

    /// Blocks of all pages, as the last one says.
    pub fn blocks(&self) -> u64 {
        let last = self.pages.checked_sub(1).and_then(|last| self.get(last));
        last.map_or(0, |(before, extent)| {
            before.saturating_add(u64::from(extent.count))
        })
    }

    /// The pages of a segment that have a block, in the order of their blocks.
    #[inline]
    pub fn starts(&self, segment: usize) -> Starts<'_> {
        let (at, count) = self.segments.get(segment).copied().unwrap_or_default();
        let bytes = self.bytes.get(at..at + count * START).unwrap_or_default();
        Starts(bytes.as_chunks().0)
    }
}

#[cfg(test)]
impl ExtentFile {
    /// What would be read of these extents.
    pub fn made(extents: &[Extent], segments: usize) -> ExtentFile {
        let mut bytes = Vec::new();
        write_to(&mut bytes, extents, segments).unwrap();
        ExtentFile::of(PathBuf::from(FILE), OwnedBytes::new(bytes)).unwrap()
    }

    /// The same with other bytes.
    pub fn changed(&self, change: impl FnOnce(&mut Vec<u8>)) -> Option<ExtentFile> {
        let mut bytes = self.bytes.to_vec();
        change(&mut bytes);
        ExtentFile::of(self.path.clone(), OwnedBytes::new(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_come_back() {
        let extent = |segment, first_doc, count| Extent {
            segment,
            first_doc,
            count,
        };
        let extents = [
            extent(1, 0, 70),
            extent(0, 3, 2),
            Extent::default(),
            extent(0, 0, 3),
        ];
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), &extents, 3).unwrap();
        let file = ExtentFile::open(directory.path()).unwrap();
        let befores = [0, 70, 72, 72];
        for (page, both) in befores.into_iter().zip(extents).enumerate() {
            assert_eq!(file.get(page), Some(both));
        }
        assert_eq!((file.get(4), file.blocks()), (None, 75));
        assert_eq!((file.pages(), file.segments()), (4, 3));
        let starts = |segment| -> Vec<(u32, u32)> {
            let starts = file.starts(segment);
            let ranks = 0..starts.len();
            ranks
                .map(|rank| (starts.first(rank), starts.page(rank)))
                .collect()
        };
        assert_eq!(starts(0), [(0, 3), (3, 1)]);
        assert_eq!(starts(1), [(0, 0)]);
        assert_eq!([starts(2), starts(3)], [[]; 2]);
        let longer = |bytes: &mut Vec<u8>| bytes.push(0);
        let shorter = |bytes: &mut Vec<u8>| bytes.truncate(30);
        let more_pages = |bytes: &mut Vec<u8>| bytes[7] = 1;
        let more_segments = |bytes: &mut Vec<u8>| bytes[8..16].fill(0xff);
        assert!(file.changed(longer).is_none());
        assert!(file.changed(shorter).is_none());
        assert!(file.changed(more_pages).is_none());
        assert!(file.changed(more_segments).is_none());
        assert!(file.changed(Vec::clear).is_none());
    }
}
