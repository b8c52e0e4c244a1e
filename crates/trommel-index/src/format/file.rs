//! Files of an index: written whole or not at all, and opened without following links, since the directory may be somebody else's.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use trommel_archive::WholeFile;

use crate::format::error::IndexError;

/// Ending of a file that is not whole yet.
pub(crate) const TEMPORARY: &str = "tmp";

/// What a file is called until it is whole.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".");
    temporary.push(TEMPORARY);
    temporary.into()
}

/// Is it the name of a file that is not whole yet?
pub(crate) fn is_temporary(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == TEMPORARY)
}

/// Writes a file whole or not at all: beside its place first. That its name lasts is for [`sync_directory`] to see to.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut WholeFile) -> io::Result<()>,
) -> Result<(), IndexError> {
    let write = || {
        let mut file = WholeFile::begin_as(temporary(path), path)?;
        content(&mut file)?;
        file.sync()?;
        file.finish()
    };
    write().map_err(IndexError::io(path))
}

/// Writes a file of bytes as [`write()`] does, and makes its name last.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), IndexError> {
    write(path, |out| out.write_all(bytes))?;
    path.parent().map_or(Ok(()), sync_directory)
}

/// Makes a new file. What has its name is removed before; of a link the link, and not the file that it leads to.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
}

/// Opens a file of an index for reading and writing, as it is, or makes it. A link is not followed, and what is no regular file
/// is refused.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let file = match is_link {
        true => return Err(io::Error::other("it is a link; remove it")),
        false => not_following(&mut options).open(path)?,
    };
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no regular file; remove it")),
    }
}

/// Links that somebody puts there in between are not followed either.
#[cfg(unix)]
fn not_following(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed())
}

/// What the system has for it is not in the standard library.
#[cfg(not(unix))]
fn not_following(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Makes the names in a directory last.
#[cfg(unix)]
pub(crate) fn sync_directory(path: &Path) -> Result<(), IndexError> {
    // The parent of a name alone.
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    let synced = File::open(path).and_then(|directory| directory.sync_all());
    synced.map_err(IndexError::io(path))
}

/// Elsewhere a directory cannot be opened as a file, and names last by themselves.
#[cfg(not(unix))]
pub(crate) fn sync_directory(_: &Path) -> Result<(), IndexError> {
    Ok(())
}

/// Removes a file or a directory with all that is in it, if it is there; of a link the link.
pub(crate) fn remove(path: &Path) -> Result<(), IndexError> {
    let is_directory = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let removed = match is_directory {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(IndexError::io(path)(error)),
        _ => Ok(()),
    }
}

/// What is in a directory, by name; nothing if it is not there.
pub(crate) fn entries(path: &Path) -> Result<Vec<PathBuf>, IndexError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(IndexError::io(path))?,
    };
    let paths = entries.map(|entry| Ok(entry.map_err(IndexError::io(path))?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, IndexError>>()?;
    paths.sort();
    Ok(paths)
}

/// What is in a directory of an index that is to be tidied up.
///
/// # Errors
/// If it is a link: what it leads to may be anybody's.
pub(crate) fn own_entries(path: &Path) -> Result<Vec<PathBuf>, IndexError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    match is_link {
        false => entries(path),
        true => {
            let error = io::Error::other("it is a link, and nothing is removed where it leads to");
            Err(IndexError::io(path)(error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_whole_or_not_there() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("a.json");
        replace(&path, b"one").unwrap();
        fs::write(temporary(&path), "left over").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let failed = write(&path, |out| {
            out.write_all(b"thr")?;
            Err(io::Error::other("full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(entries(place.path()).unwrap(), [path]);
    }

    /// Whoever plants a link in an index gets nothing written or truncated through it.
    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let place = tempfile::TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("victim"), "whole").unwrap();
        symlink(at("victim"), at("lock")).unwrap();
        symlink(at("victim"), temporary(&at("a.json"))).unwrap();
        symlink(at("nowhere"), at("dangling")).unwrap();
        assert!(open(&at("lock")).unwrap_err().to_string().contains("link"));
        assert!(open(&at("dangling")).is_err());
        replace(&at("a.json"), b"new").unwrap();
        remove(&at("lock")).unwrap();
        assert_eq!(fs::read(at("victim")).unwrap(), b"whole");
        assert!(!at("nowhere").exists());
        fs::create_dir(at("others")).unwrap();
        fs::write(at("others/mine"), "").unwrap();
        symlink(at("others"), at("parts")).unwrap();
        assert!(own_entries(&at("parts")).is_err());
        remove(&at("parts")).unwrap();
        assert!(at("others/mine").exists());
    }
}
