//! One writer at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::format::error::IndexError;
use crate::format::file;

pub(crate) const FILE: &str = "trommel.lock";

/// Keeps other processes from writing to an index directory, as long as the file, or a clone of it, is open. The operating system
/// lets go of it however the process ends.
///
/// # Errors
/// [`IndexError::Busy`] if another process writes.
pub(crate) fn lock(directory: &Path) -> Result<File, IndexError> {
    locked(directory, |file| match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    })
}

/// As [`lock()`]; if another process writes, waits until it is done.
///
/// # Errors
/// What the operating system says.
pub(crate) fn lock_in_turn(directory: &Path) -> Result<File, IndexError> {
    locked(directory, |file| file.lock().map(|()| true))
}

fn locked(directory: &Path, take: impl Fn(&File) -> io::Result<bool>) -> Result<File, IndexError> {
    let path = directory.join(FILE);
    loop {
        let file = file::open(&path).map_err(IndexError::io(&path))?;
        match take(&file).map_err(IndexError::io(&path))? {
            // Whoever had it before may have removed the file: what is locked then is a file that nobody else finds.
            true if is_at(&file, &path) => return Ok(file),
            true => {}
            false => return Err(IndexError::Busy(directory.to_owned())),
        }
    }
}

/// A second hold on the lock: both must be let go.
///
/// # Errors
/// What the operating system says.
pub(crate) fn hold(lock: &File, directory: &Path) -> Result<File, IndexError> {
    lock.try_clone()
        .map_err(IndexError::io(&directory.join(FILE)))
}

/// Is it this file that has the name?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: &std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, named) = (file.metadata(), std::fs::metadata(path));
    matches!((open, named), (Ok(open), Ok(named)) if identity(&open) == identity(&named))
}

/// An open file cannot be removed elsewhere.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
