//! One writer at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::IndexError;

pub(super) const FILE: &str = "trommel.lock";

/// Keeps other processes from writing to an index directory, as long as the file, or a clone of it, is open. The operating system
/// lets go of it however the process ends.
///
/// # Errors
/// [`IndexError::Busy`] if another process writes.
pub(super) fn lock(directory: &Path) -> Result<File, IndexError> {
    let path = directory.join(FILE);
    loop {
        let file = File::create(&path).map_err(IndexError::io(&path))?;
        match file.try_lock() {
            // Whoever had it before may have removed the file: what is locked then is a file that nobody else finds.
            Ok(()) if is_at(&file, &path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(IndexError::Busy(directory.to_owned())),
            Err(TryLockError::Error(error)) => return Err(IndexError::io(&path)(error)),
        }
    }
}

/// A second hold on the lock: both must be let go.
///
/// # Errors
/// What the operating system says.
pub(super) fn hold(lock: &File, directory: &Path) -> Result<File, IndexError> {
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
