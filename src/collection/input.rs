//! Which files are read, and in which order.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Error;

/// One file of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where the file is; None is the standard input.
    pub path: Option<PathBuf>,
    /// What to call it: the path as the user gave it, continued inside a directory.
    pub name: Arc<str>,
    /// Size in bytes, as stored. None where it is not known (pipes).
    pub size: Option<u64>,
    /// Set for a file that was found in a directory: its path inside that directory, with `/` between the parts.
    pub relative: Option<String>,
    /// Only this document of the file is wanted (`FILE#DOCID`).
    pub record: Option<String>,
}

/// Expands what the user named into files: a file, a directory (every file below it, in the order of their names by
/// bytes, each directory once however many symbolic links lead to it), `-` for the standard input, or `FILE#DOCID` for
/// one document of a file. A file whose name holds `#` wins over that reading.
///
/// # Errors
/// [`Error::Missing`] for a path that does not exist, [`Error::Read`] for a directory that cannot be listed.
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(stdin(None));
        } else if path.is_dir() {
            walk(path, &mut inputs)?;
        } else if path.exists() {
            inputs.push(file(path, None));
        } else {
            inputs.push(record(path)?);
        }
    }
    Ok(inputs)
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
        name: path.to_string_lossy().into(),
        size,
        relative: None,
        record,
    }
}

/// `FILE#DOCID`: the longest existing file wins, since identifiers hold `#` less rarely than names.
fn record(path: &Path) -> Result<Input, Error> {
    let missing = || Error::Missing {
        path: path.to_owned(),
    };
    let spec = path.to_str().ok_or_else(missing)?;
    for (at, _) in spec.rmatch_indices('#') {
        let (name, docid) = (&spec[..at], spec[at + 1..].to_owned());
        if name == "-" {
            return Ok(stdin(Some(docid)));
        }
        let path = Path::new(name);
        if path.exists() && !path.is_dir() {
            return Ok(file(path, Some(docid)));
        }
    }
    Err(missing())
}

/// Adds every file below `root`.
fn walk(root: &Path, inputs: &mut Vec<Input>) -> Result<(), Error> {
    let mut entered = HashSet::new();
    // What is still to be visited, last first.
    let mut stack = vec![(root.to_owned(), String::new())];
    while let Some((path, relative)) = stack.pop() {
        if !path.is_dir() {
            inputs.push(Input {
                relative: Some(relative),
                ..file(&path, None)
            });
            continue;
        }
        let failed = |source| Error::Read {
            path: path.to_string_lossy().into(),
            source,
        };
        if !entered.insert(fs::canonicalize(&path).map_err(failed)?) {
            continue;
        }
        let entries = fs::read_dir(&path).map_err(failed)?;
        let mut names = entries
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        names.sort();
        stack.extend(names.iter().rev().map(|name| {
            let separator = if relative.is_empty() { "" } else { "/" };
            (
                path.join(name),
                format!("{relative}{separator}{}", name.to_string_lossy()),
            )
        }));
    }
    Ok(())
}
