//! Where results are written: the one place through which every file and every directory of a report goes. docs/outputs.md has the rule.
//!
//! What can be known beforehand is looked at before the work begins; files are written beside their place under another name, and
//! get their own when they are whole, so that nothing that fails costs what was there.

mod demo_files;
mod error;
mod folder;
mod kind;
mod made_files;
mod reads;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use trommel_archive::{WholeFile, write_whole};

pub use demo_files::{DemoFiles, write_demo_files};
pub use error::OutputError;
pub use folder::Folder;
pub use kind::{Kind, Report, Told, kind_of_export, kinds, reports};
pub use made_files::{MadeFiles, write_made_files};
pub use reads::Reads;

use error::at;

/// Bytes of a file, at its beginning or its end, by which it is told what it is.
pub(crate) const HEAD: u64 = 64 << 10;

/// A file that can be written, as far as can be known before the work is done.
#[derive(Debug)]
pub struct Output {
    /// As it was named.
    shown: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Stdout,
    /// What is no file, such as a pipe or a device: it is written to.
    Straight(PathBuf),
    /// A file, or where there is none yet; links are followed.
    File(PathBuf),
}

impl Output {
    /// Looks whether a file of this kind can be written there by somebody who reads these files. With `force` it replaces what is there,
    /// whatever it is.
    ///
    /// # Errors
    /// No such directory, or one that cannot be written to; a directory; a file that is read, or is not ours.
    pub fn check(
        path: &Path,
        kind: &Kind,
        force: bool,
        reads: &Reads,
    ) -> Result<Output, OutputError> {
        let output = |place| Output {
            shown: path.to_owned(),
            place,
        };
        let (target, is_stdout) = resolved(path);
        if is_stdout {
            return Ok(output(Place::Stdout));
        }
        let there = fs::metadata(&target).ok();
        match there {
            Some(there) if there.is_dir() => return Err(OutputError::IsDirectory(path.to_owned())),
            Some(there) if !there.is_file() => return Ok(output(Place::Straight(target))),
            _ => refuse_read(path, &target, reads)?,
        }
        if target.exists() {
            refuse_other(path, &target, kind, force)?;
            let writable = File::options().append(true).open(&target);
            writable.map_err(at(path))?;
        }
        let folder = folder(&target);
        if !folder.is_dir() {
            return Err(OutputError::NoFolder {
                path: path.to_owned(),
                folder: folder.to_owned(),
            });
        }
        // The sure way to know whether it can be written to.
        WholeFile::begin(&target).map_err(at(path))?;
        Ok(output(Place::File(target)))
    }

    /// Is it the standard output?
    pub fn is_stdout(&self) -> bool {
        matches!(self.place, Place::Stdout)
    }

    /// The file that will be there; none if it is the standard output, or what is no file.
    pub fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            _ => None,
        }
    }

    /// Begins to write. Nothing is there before [`Writer::finish`].
    ///
    /// # Errors
    /// The operating system's.
    pub fn begin(&self) -> Result<Writer, OutputError> {
        let shown = &self.shown;
        let to = match &self.place {
            Place::Stdout => To::Straight(BufWriter::new(Box::new(io::stdout()))),
            Place::Straight(path) => {
                let file = File::options().write(true).open(path);
                To::Straight(BufWriter::new(Box::new(file.map_err(at(shown))?)))
            }
            Place::File(path) => To::File(WholeFile::begin(path).map_err(at(shown))?),
        };
        Ok(Writer {
            shown: shown.clone(),
            to,
        })
    }

    /// Writes all at once.
    ///
    /// # Errors
    /// The operating system's.
    pub fn write(&self, content: &[u8]) -> Result<(), OutputError> {
        let mut writer = self.begin()?;
        writer.to.write_all(content).map_err(at(&self.shown))?;
        writer.finish()
    }
}

/// An output that is being written. Dropped before [`Writer::finish`] it leaves what was there as it was.
pub struct Writer {
    shown: PathBuf,
    to: To,
}

enum To {
    Straight(BufWriter<Box<dyn Write + Send>>),
    File(WholeFile),
}

impl Writer {
    /// Writes what is still to be written, and gives the file its name.
    ///
    /// # Errors
    /// The operating system's.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.to.flush().map_err(at(&self.shown))?;
        let To::File(mut file) = self.to else {
            return Ok(());
        };
        let finished = file.sync().and_then(|()| file.finish());
        finished.map_err(at(&self.shown))
    }

    fn told(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.shown.display()))
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes).map_err(|error| self.told(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().map_err(|error| self.told(error))
    }
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::Straight(out) => out.write(bytes),
            To::File(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            To::Straight(out) => out.flush(),
            To::File(out) => out.flush(),
        }
    }
}

/// A directory for a report, or where there is none yet.
#[derive(Debug)]
pub struct Directory<'a> {
    path: PathBuf,
    reads: &'a Reads,
}

impl<'a> Directory<'a> {
    /// Looks whether a report of this kind can be written there by somebody who reads these files. With `force` it may be among
    /// whatever is there.
    ///
    /// # Errors
    /// What is no directory; one that holds something else than such a report; one of an index; one that cannot be written to.
    pub fn check(
        path: &Path,
        report: &Report,
        force: bool,
        reads: &'a Reads,
    ) -> Result<Directory<'a>, OutputError> {
        if let Some(what) = reads.holds(path) {
            return Err(OutputError::Read {
                path: path.to_owned(),
                what: format!("lies in {what}"),
            });
        }
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(|there| !there.is_dir()) {
            return Err(OutputError::IsFile(path.to_owned()));
        }
        let directory = Directory {
            path: path.to_owned(),
            reads,
        };
        if there.is_none() {
            let mut above = path.ancestors().skip(1);
            let above = above.find(|above| folder_name(above).exists());
            let above = above.map_or(Path::new("."), folder_name);
            WholeFile::begin(&above.join("x")).map_err(at(path))?;
            return Ok(directory);
        }
        WholeFile::begin(&path.join("x")).map_err(at(path))?;
        let mut entries = fs::read_dir(path).map_err(at(path))?;
        if entries.next().is_some() && !force && !report.is_in(path)? {
            return Err(OutputError::OtherDirectory {
                path: path.to_owned(),
                what: report.what,
                data: report.data,
            });
        }
        Ok(directory)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the directory, if it is not there, or one in it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn create(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path.join(name);
        fs::create_dir_all(&path).map_err(at(&path))
    }

    /// Refuses to write a file of the report that is read.
    ///
    /// # Errors
    /// Such a file.
    pub fn refuse_read(&self, name: &str) -> Result<(), OutputError> {
        let path = self.path.join(name);
        refuse_read(&path, &path, self.reads)
    }

    /// Writes a file of the report. A link there is replaced, and not what it leads to.
    ///
    /// # Errors
    /// The operating system's; a file that is read.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), OutputError> {
        self.refuse_read(name)?;
        let path = self.path.join(name);
        write_whole(&path, content).map_err(at(&path))
    }
}

fn refuse_read(path: &Path, target: &Path, reads: &Reads) -> Result<(), OutputError> {
    match reads.clash(target) {
        None => Ok(()),
        Some(what) => Err(OutputError::Read {
            path: path.to_owned(),
            what,
        }),
    }
}

fn refuse_other(path: &Path, target: &Path, kind: &Kind, force: bool) -> Result<(), OutputError> {
    if force {
        return Ok(());
    }
    // What cannot be read is not known to be ours.
    let ours = ends(target).is_ok_and(|(head, tail)| head.is_empty() || kind.is_own(&head, &tail));
    match ours {
        true => Ok(()),
        false => Err(OutputError::OtherFile {
            path: path.to_owned(),
            why: kind.why_not(),
        }),
    }
}

/// The first bytes of a file, and its last ones, which are the same of a short one.
fn ends(path: &Path) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut file = File::open(path)?;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&mut file).take(HEAD).read_to_end(&mut head)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(HEAD)))?;
    file.take(HEAD).read_to_end(&mut tail)?;
    Ok((head, tail))
}

/// Links that are followed at most, as Linux does.
const MOST_LINKS: usize = 40;

/// Where a path leads through links, also where nothing is yet, and whether that is the standard output. Its name must not be looked
/// through: the file behind it is the shell's.
fn resolved(path: &Path) -> (PathBuf, bool) {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        if names.iter().any(|name| path == Path::new(name)) {
            return (path, true);
        }
        // The descriptors of a process are no places for files: what they lead to is written to.
        if path.starts_with("/dev") || path.starts_with("/proc") {
            break;
        }
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => break,
        }
    }
    (path, false)
}

/// The directory that a file is in.
fn folder(path: &Path) -> &Path {
    folder_name(path.parent().unwrap_or(Path::new("")))
}

/// A directory by a name that can be opened.
fn folder_name(path: &Path) -> &Path {
    match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    }
}
