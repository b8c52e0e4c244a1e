//! Files that are mapped into memory, and the little-endian numbers in them.

use std::fs;
use std::io;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

/// Maps a file.
///
/// # Errors
/// The operating system's.
pub(crate) fn open(path: &Path) -> io::Result<OwnedBytes> {
    // tantivy's errors of opening say nothing of their kind.
    fs::metadata(path)?;
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let directory = MmapDirectory::open(folder).map_err(io::Error::other)?;
    let file = directory.open_read(Path::new(name));
    file.map_err(io::Error::other)?.read_bytes()
}

/// The number at a place; none behind the end.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*four))
}

/// The number at a place; none behind the end.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*eight))
}
