//! Why nothing can be written to a place.

use std::io;
use std::path::{Path, PathBuf};

/// Why nothing can be written to a place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file is there that is not ours.
    #[error("{}: the file is there already, and {why}", path.display())]
    OtherFile {
        /// As it was named.
        path: PathBuf,
        /// By what that is seen.
        why: String,
    },
    /// A directory is there that is not ours.
    #[error("{}: the directory is not empty, and holds no {what} of trommel (no {data})", path.display())]
    OtherDirectory {
        /// As it was named.
        path: PathBuf,
        /// What it would hold if it were ours.
        what: &'static str,
        /// The file by which it would be known.
        data: &'static str,
    },
    /// A directory that is to hold files of pages has something in it.
    #[error("{}: the directory is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// Two pages would have one file.
    #[error("{}: the page {docid} would have the file of the page {other}", path.display())]
    SameName {
        /// The file.
        path: PathBuf,
        /// The page that has no file.
        docid: String,
        /// The page that has it.
        other: String,
    },
    /// It is read as well, or lies in an index.
    #[error("{}: the output {what}", path.display())]
    Read {
        /// As it was named.
        path: PathBuf,
        /// What it is, said of the output.
        what: String,
    },
    /// A directory stands where a file is wanted.
    #[error("{}: the output is a directory, and a file is wanted", .0.display())]
    IsDirectory(PathBuf),
    /// A file stands where a directory is wanted.
    #[error("{}: a directory is wanted, and it is a file", .0.display())]
    IsFile(PathBuf),
    /// The directory that the file would be in is missing.
    #[error("{}: there is no directory {}", path.display(), folder.display())]
    NoFolder {
        /// As it was named.
        path: PathBuf,
        /// The directory.
        folder: PathBuf,
    },
    /// The operating system refused.
    #[error("{}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Its error.
        source: io::Error,
    },
}

impl OutputError {
    /// Would something be replaced that is not ours?
    pub fn is_not_ours(&self) -> bool {
        matches!(
            self,
            OutputError::OtherFile { .. }
                | OutputError::OtherDirectory { .. }
                | OutputError::NotEmpty(_)
        )
    }
}

/// An error of the operating system's at a place.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> OutputError + '_ {
    |source| OutputError::Io {
        path: path.to_owned(),
        source,
    }
}
