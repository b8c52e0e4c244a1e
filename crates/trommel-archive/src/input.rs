//! Which files are read, and in which order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trommel_text::{bytes_of_text, text_of_bytes};

use super::Error;

/// One file of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where the file is; None is the standard input.
    pub path: Option<PathBuf>,
    /// What to call it: the path as the user gave it, continued inside a directory; bytes of it
    /// that are no UTF-8 are percent-encoded, one-to-one.
    pub name: Arc<str>,
    /// Size in bytes, as stored. None where it is not known (pipes).
    pub size: Option<u64>,
    /// Set for a file that was found in a directory: its path inside that directory, with `/`
    /// between the parts, encoded as the name is.
    pub relative: Option<String>,
    /// Only this document of the file is wanted (`FILE#DOCID`).
    pub record: Option<String>,
}

impl Input {
    /// An input that was read before, by what is known of it.
    #[must_use]
    pub fn again(name: &str, relative: Option<String>, record: Option<String>) -> Self {
        match name {
            "-" => stdin(record),
            _ => Self {
                relative,
                ..file(&path_of(name), record)
            },
        }
    }
}

/// What [`list`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files, in order.
    pub inputs: Vec<Input>,
    /// Index directories inside the directories that the user named. They hold no pages, and are
    /// left out.
    pub indexes: Vec<PathBuf>,
}

/// The files of [`list`].
///
/// # Errors
/// As [`list`].
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    Ok(list(paths)?.inputs)
}

/// Expands what the user named into files: a file, a directory (everything below it that is no
/// directory, in the order of names by bytes, each directory once however many symbolic links lead
/// to it, index directories left out), `-` for the standard input, or `FILE#DOCID` for one document
/// of a file. A file whose name holds `#` wins over that reading. Nothing is opened: what is below
/// a directory may be a pipe.
///
/// # Errors
/// [`Error::Missing`] for a path that does not exist, [`Error::Read`] for a directory that cannot
/// be listed, [`Error::Index`] for an index directory.
pub fn list(paths: &[PathBuf]) -> Result<Listing, Error> {
    let mut listing = Listing::default();
    for path in paths {
        if path.as_os_str() == "-" {
            listing.inputs.push(stdin(None));
        } else if path.is_dir() {
            walk(path, &mut listing)?;
        } else if let Some(path) = existing(path.as_os_str().as_encoded_bytes()) {
            listing.inputs.push(file(&path, None));
        } else {
            listing.inputs.push(record(path)?);
        }
    }
    Ok(listing)
}

/// The path that [`Input::name`] stands for.
#[must_use]
pub fn path_of(name: &str) -> PathBuf {
    path_of_bytes(&bytes_of_text(name))
}

#[cfg(unix)]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).into()
}

/// Where paths are no bytes, those that are no text cannot be named.
#[cfg(not(unix))]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// A path as text.
pub(super) fn name_of(path: &OsStr) -> Cow<'_, str> {
    text_of_bytes(path.as_encoded_bytes())
}

/// What exists under a name, which may be encoded as ledgers have it.
fn existing(name: &[u8]) -> Option<PathBuf> {
    let decoded = std::str::from_utf8(name).ok().map(path_of);
    let mut paths = [Some(path_of_bytes(name)), decoded].into_iter().flatten();
    paths.find(|path| path.exists())
}

fn stdin(record: Option<String>) -> Input {
    Input {
        path: None,
        name: "-".into(),
        size: None,
        relative: None,
        record,
    }
}

fn file(path: &Path, record: Option<String>) -> Input {
    let size = fs::metadata(path)
        .ok()
        .filter(fs::Metadata::is_file)
        .map(|metadata| metadata.len());
    Input {
        path: Some(path.to_owned()),
        name: name_of(path.as_os_str()).into(),
        size,
        relative: None,
        record,
    }
}

/// `FILE#DOCID`: the longest existing file wins, since identifiers hold `#` less rarely than names.
fn record(path: &Path) -> Result<Input, Error> {
    let spec = path.as_os_str().as_encoded_bytes();
    for at in memchr::memrchr_iter(b'#', spec) {
        let (name, docid) = (&spec[..at], &spec[at + 1..]);
        let docid = match std::str::from_utf8(docid) {
            Ok(docid) => docid.to_owned(),
            Err(_) => text_of_bytes(docid).into_owned(),
        };
        if name == b"-" {
            return Ok(stdin(Some(docid)));
        }
        if let Some(path) = existing(name).filter(|path| !path.is_dir()) {
            return Ok(file(&path, Some(docid)));
        }
    }
    Err(Error::Missing {
        path: path.to_owned(),
    })
}

/// Adds every file below `root`.
fn walk(root: &Path, listing: &mut Listing) -> Result<(), Error> {
    if is_index(root) {
        return Err(Error::Index {
            path: name_of(root.as_os_str()).into(),
        });
    }
    let mut entered = HashSet::new();
    // What is still to be visited, last first.
    let mut stack = vec![(root.to_owned(), Vec::new())];
    while let Some((path, relative)) = stack.pop() {
        if !path.is_dir() {
            listing.inputs.push(Input {
                relative: Some(text_of_bytes(&relative).into_owned()),
                ..file(&path, None)
            });
            continue;
        }
        let failed = |source| Error::Read {
            path: name_of(path.as_os_str()).into(),
            source,
        };
        if !entered.insert(fs::canonicalize(&path).map_err(failed)?) {
            continue;
        }
        if is_index(&path) {
            listing.indexes.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).map_err(failed)?;
        let mut names = entries
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        names.sort();
        stack.extend(names.iter().rev().map(|name| {
            let separator: &[u8] = if relative.is_empty() { b"" } else { b"/" };
            let relative = [&relative, separator, name.as_encoded_bytes()].concat();
            (path.join(name), relative)
        }));
    }
    Ok(())
}

/// Whether a directory is an index, or is becoming one: by the file that its writers lock, or its
/// manifest.
pub fn is_index(directory: &Path) -> bool {
    let begins = |name| {
        let path = directory.join(name);
        if !fs::metadata(&path).is_ok_and(|data| data.is_file()) {
            return false;
        }
        let mut head = Vec::new();
        let read = File::open(&path).map(|file| file.take(256).read_to_end(&mut head));
        read.is_ok() && memchr::memmem::find(&head, b"\"trommel_version\"").is_some()
    };
    directory.join("trommel.lock").exists() || ["manifest.json", "build.json"].iter().any(begins)
}
