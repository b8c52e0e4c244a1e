//! One writer at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::IndexError;

pub(super) const FILE: &str = "trommel.lock";

/// Keeps other processes from writing to an index directory, as long as the file is open. The operating system lets go of it
/// however the process ends.
///
/// # Errors
/// [`IndexError::Busy`] if another process writes.
pub(super) fn lock(directory: &Path) -> Result<File, IndexError> {
    let path = directory.join(FILE);
    let file = File::create(&path).map_err(IndexError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(IndexError::Busy(directory.to_owned())),
        Err(TryLockError::Error(error)) => Err(IndexError::io(&path)(error)),
    }
}
