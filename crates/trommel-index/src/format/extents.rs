//! Where the blocks of each page of a part stand, in one flat file.
//!
//! Layout, all numbers little-endian: the number of pages as u64; for each page, in order, three u32: segment of the part, number
//! of its first block in that segment, number of its blocks.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::format::error::IndexError;
use crate::format::file;

pub(crate) const FILE: &str = "extents.bin";

/// Bytes of an extent.
const SIZE: usize = 12;

/// The blocks of one page: consecutive documents of one segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub segment: u32,
    pub first_doc: u32,
    /// Number of blocks; 0 for a page without text.
    pub count: u32,
}

/// Writes the extents of a part's pages.
pub(crate) fn write(part: &Path, extents: &[Extent]) -> Result<(), IndexError> {
    let path = part.join(FILE);
    file::write(&path, |out| {
        out.write_all(&(extents.len() as u64).to_le_bytes())?;
        for extent in extents {
            for number in [extent.segment, extent.first_doc, extent.count] {
                out.write_all(&number.to_le_bytes())?;
            }
        }
        Ok(())
    })
}

/// Reads what [`write()`] wrote.
pub(crate) fn read(part: &Path) -> Result<Vec<Extent>, IndexError> {
    let path = part.join(FILE);
    let bytes = fs::read(&path).map_err(IndexError::io(&path))?;
    let (count, extents) = bytes.split_first_chunk().unwrap_or((&[0; 8], &[]));
    let (extents, rest) = extents.as_chunks::<SIZE>();
    if bytes.len() < 8 || !rest.is_empty() || u64::from_le_bytes(*count) != extents.len() as u64 {
        return Err(IndexError::Damaged {
            path,
            why: "its length is not what its header says".to_owned(),
        });
    }
    let number = |bytes: &[u8; SIZE], at: usize| {
        let four = bytes[at..].first_chunk();
        four.map_or(0, |four| u32::from_le_bytes(*four))
    };
    let extent = |bytes: &[u8; SIZE]| Extent {
        segment: number(bytes, 0),
        first_doc: number(bytes, 4),
        count: number(bytes, 8),
    };
    Ok(extents.iter().map(extent).collect())
}
