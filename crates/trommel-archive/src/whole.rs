//! Files that are written whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is being written: under another name beside its place, which it takes when it is whole. Dropped before
/// [`WholeFile::finish`] it leaves what was there as it was.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    unfinished: Unfinished,
    path: PathBuf,
}

/// The name of a file that is not whole yet; the file is removed unless it gets its own.
#[derive(Debug)]
struct Unfinished {
    path: PathBuf,
    is_named: bool,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_named {
            // What cannot be removed is told by its name.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How many files this process has begun: no two have one name.
static BEGUN: AtomicU64 = AtomicU64::new(0);

impl WholeFile {
    /// Begins a file. Until it is whole it has a hidden name that nobody else has, `.trommel-….part`, in the same directory.
    ///
    /// # Errors
    /// The operating system's.
    pub fn begin(path: &Path) -> io::Result<WholeFile> {
        loop {
            let number = BEGUN.fetch_add(1, Ordering::Relaxed);
            let name = format!(".trommel-{}-{number}.part", process::id());
            match WholeFile::create(path.with_file_name(name), path) {
                // One that another process of this number has left.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                begun => return begun,
            }
        }
    }

    /// Begins a file that is called `unfinished` until it is whole. What has that name is removed before; of a link the link, and
    /// not what it leads to.
    ///
    /// # Errors
    /// The operating system's.
    pub fn begin_as(unfinished: PathBuf, path: &Path) -> io::Result<WholeFile> {
        match fs::remove_file(&unfinished) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => WholeFile::create(unfinished, path),
        }
    }

    fn create(unfinished: PathBuf, path: &Path) -> io::Result<WholeFile> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&unfinished)?;
        Ok(WholeFile {
            out: BufWriter::new(file),
            unfinished: Unfinished {
                path: unfinished,
                is_named: false,
            },
            path: path.to_owned(),
        })
    }

    /// Sees to it that what is written so far survives a loss of power.
    ///
    /// # Errors
    /// The operating system's.
    pub fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()
    }

    /// Writes what is still to be written and gives the file its name, with the rights of the file that had it before, if one had. A
    /// link of that name is replaced, and not what it leads to.
    ///
    /// # Errors
    /// The operating system's; then nothing has changed but that the unfinished file is gone.
    pub fn finish(mut self) -> io::Result<()> {
        let file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        let before = fs::symlink_metadata(&self.path).ok();
        if let Some(before) = before.filter(Metadata::is_file) {
            file.set_permissions(before.permissions())?;
        }
        drop(file);
        fs::rename(&self.unfinished.path, &self.path)?;
        self.unfinished.is_named = true;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file of these bytes, whole or not at all.
///
/// # Errors
/// The operating system's.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::begin(path)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("a");
        let names = || {
            let entries = fs::read_dir(place.path()).unwrap();
            entries.map(|e| e.unwrap().file_name()).collect::<Vec<_>>()
        };
        write_whole(&path, b"one").unwrap();
        let mut file = WholeFile::begin(&path).unwrap();
        file.write_all(b"two").unwrap();
        file.sync().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        drop(file);
        assert_eq!(
            (fs::read(&path).unwrap(), names().len()),
            (b"one".to_vec(), 1)
        );
        write_whole(&path, b"two").unwrap();
        assert_eq!(
            (fs::read(&path).unwrap(), names().len()),
            (b"two".to_vec(), 1)
        );
        assert!(WholeFile::begin(&place.path().join("none/a")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn rights_stay_and_links_go() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        write_whole(&at("a"), b"one").unwrap();
        fs::set_permissions(at("a"), fs::Permissions::from_mode(0o640)).unwrap();
        write_whole(&at("a"), b"two").unwrap();
        let mode = fs::metadata(at("a")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        symlink(at("a"), at("link")).unwrap();
        symlink(at("a"), at("link.tmp")).unwrap();
        let mut file = WholeFile::begin_as(at("link.tmp"), &at("link")).unwrap();
        file.write_all(b"three").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(at("a")).unwrap(), b"two");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_file());
        assert!(!at("link.tmp").exists());
    }
}
