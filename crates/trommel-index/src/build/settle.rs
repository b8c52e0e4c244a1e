//! How directories of tantivy's are written, and what is done when they are.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::IndexSettings;

use crate::format::error::IndexError;
use crate::format::file;

/// Threads are for pages: text is compressed by the one that adds it.
pub(crate) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

/// Makes what tantivy has written to a directory last. It writes its lists through temporary files, which their owner alone may
/// read: they get the rights of its other files, which are those that the system gives.
pub(crate) fn settle(path: &Path) -> Result<(), IndexError> {
    let files = file::entries(path)?;
    let is_list = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let (lists, others): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(is_list);
    if let Some(other) = others.first() {
        let rights = fs::metadata(other).map_err(IndexError::io(other))?;
        for list in lists {
            let set = fs::set_permissions(list, rights.permissions());
            set.map_err(IndexError::io(list))?;
        }
    }
    file::sync_directory(path)
}
