//! Where commands write: the one place through which every file and every directory of a report goes. docs/outputs.md has the rule.
//!
//! What can be known beforehand is looked at before the work begins; files are written beside their place under another name, and
//! get their own when they are whole, so that nothing that fails costs what was there.

mod kind;
mod reads;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use trommel::collection::{WholeFile, write_whole};

pub use kind::{Kind, Report, kinds, reports};
pub use reads::Reads;

/// Whether what is there may be replaced whatever it is.
#[derive(clap::Args, Debug, Clone, Copy, Default)]
pub struct ForceArgs {
    /// Replace what is there already, whatever it is. Without this, only an empty file or directory is replaced, and what this
    /// command wrote itself; never what it reads
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

/// Bytes of a file by which it is told what it is.
const HEAD: u64 = 64 << 10;

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
    /// Looks whether a file of this kind can be written there by a command that reads these files.
    ///
    /// # Errors
    /// No such directory, or one that cannot be written to; a directory; a file that is read, or is not ours.
    pub fn check(
        path: &Path,
        kind: &Kind,
        force: ForceArgs,
        reads: &Reads,
    ) -> anyhow::Result<Output> {
        let shown = || path.display();
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
            Some(there) if there.is_dir() => {
                bail!(
                    "{}: the output is a directory, and a file is wanted",
                    shown()
                )
            }
            Some(there) if !there.is_file() => return Ok(output(Place::Straight(target))),
            _ => refuse_read(path, &target, reads)?,
        }
        if target.exists() {
            refuse_other(path, &target, kind, force)?;
            let writable = File::options().append(true).open(&target);
            writable.with_context(|| shown().to_string())?;
        }
        let folder = folder(&target);
        if !folder.is_dir() {
            bail!("{}: there is no directory {}", shown(), folder.display());
        }
        // The sure way to know whether it can be written to.
        WholeFile::begin(&target).with_context(|| shown().to_string())?;
        Ok(output(Place::File(target)))
    }

    /// Is it the standard output?
    pub fn is_stdout(&self) -> bool {
        matches!(self.place, Place::Stdout)
    }

    /// Begins to write. Nothing is there before [`Writer::finish`].
    ///
    /// # Errors
    /// The operating system's.
    pub fn begin(&self) -> anyhow::Result<Writer> {
        let shown = || self.shown.display().to_string();
        let to = match &self.place {
            Place::Stdout => To::Straight(BufWriter::new(Box::new(io::stdout()))),
            Place::Straight(path) => {
                let file = File::options().write(true).open(path);
                To::Straight(BufWriter::new(Box::new(file.with_context(shown)?)))
            }
            Place::File(path) => To::File(WholeFile::begin(path).with_context(shown)?),
        };
        Ok(Writer { shown: shown(), to })
    }

    /// Writes all at once.
    ///
    /// # Errors
    /// The operating system's.
    pub fn write(&self, content: &[u8]) -> anyhow::Result<()> {
        let mut writer = self.begin()?;
        writer.write_all(content)?;
        writer.finish()
    }
}

/// An output that is being written. Dropped before [`Writer::finish`] it leaves what was there as it was.
pub struct Writer {
    shown: String,
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
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        let To::File(mut file) = self.to else {
            return Ok(());
        };
        file.sync().and_then(|()| file.finish()).context(self.shown)
    }

    fn told(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.shown))
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.to {
            To::Straight(out) => out.write(bytes),
            To::File(out) => out.write(bytes),
        };
        written.map_err(|error| self.told(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.to {
            To::Straight(out) => out.flush(),
            To::File(out) => out.flush(),
        };
        flushed.map_err(|error| self.told(error))
    }
}

/// A directory for a report, or where there is none yet.
#[derive(Debug)]
pub struct Directory<'a> {
    path: PathBuf,
    reads: &'a Reads,
}

impl<'a> Directory<'a> {
    /// Looks whether a report of this kind can be written there by a command that reads these files.
    ///
    /// # Errors
    /// What is no directory; one that holds something else than such a report; one of an index; one that cannot be written to.
    pub fn check(
        path: &Path,
        report: &Report,
        force: ForceArgs,
        reads: &'a Reads,
    ) -> anyhow::Result<Directory<'a>> {
        let shown = || path.display().to_string();
        if let Some(what) = reads.holds(path) {
            bail!("{}: the output lies in {what}", shown());
        }
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(|there| !there.is_dir()) {
            bail!("{}: a directory is wanted, and it is a file", shown());
        }
        let directory = Directory {
            path: path.to_owned(),
            reads,
        };
        if there.is_none() {
            let mut above = path.ancestors().skip(1);
            let above = above.find(|above| folder_name(above).exists());
            let above = above.map_or(Path::new("."), folder_name);
            WholeFile::begin(&above.join("x")).with_context(shown)?;
            return Ok(directory);
        }
        WholeFile::begin(&path.join("x")).with_context(shown)?;
        let mut entries = fs::read_dir(path).with_context(shown)?;
        if entries.next().is_some() && !force.force && !report.is_in(path)? {
            bail!(NotOurs(format!(
                "{}: the directory is not empty, and holds no {} of trommel (no {})",
                shown(),
                report.what,
                report.data
            )));
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
    pub fn create(&self, name: &str) -> anyhow::Result<()> {
        let path = self.path.join(name);
        fs::create_dir_all(&path).with_context(|| path.display().to_string())
    }

    /// Refuses to write a file of the report that is read.
    ///
    /// # Errors
    /// Such a file.
    pub fn refuse_read(&self, name: &str) -> anyhow::Result<()> {
        let path = self.path.join(name);
        refuse_read(&path, &path, self.reads)
    }

    /// Writes a file of the report. A link there is replaced, and not what it leads to.
    ///
    /// # Errors
    /// The operating system's; a file that is read.
    pub fn write(&self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        self.refuse_read(name)?;
        let path = self.path.join(name);
        write_whole(&path, content).with_context(|| path.display().to_string())
    }
}

/// Something that is not ours would be replaced.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotOurs(String);

impl NotOurs {
    /// What to do.
    pub const HINT: &'static str = "name another output; --force replaces this one";
}

fn refuse_read(path: &Path, target: &Path, reads: &Reads) -> anyhow::Result<()> {
    match reads.clash(target) {
        None => Ok(()),
        Some(what) => Err(anyhow!("{}: the output {what}", path.display())),
    }
}

fn refuse_other(path: &Path, target: &Path, kind: &Kind, force: ForceArgs) -> anyhow::Result<()> {
    if force.force {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = File::open(target).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    // What cannot be read is not known to be ours.
    match read.is_ok() && (head.is_empty() || (kind.is_own)(&head)) {
        true => Ok(()),
        false => Err(NotOurs(format!(
            "{}: the file is there already, and does not begin as {} of this command does",
            path.display(),
            kind.what
        ))
        .into()),
    }
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
