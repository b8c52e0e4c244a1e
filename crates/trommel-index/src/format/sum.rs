//! What a file of an index is to be: its size, a hash of its ends that is compared whenever it is opened, and one of all its bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use trommel_archive::sha256_of;

use crate::format::error::IndexError;
use crate::format::file;

/// What a file of an index is to be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The first 16 digits of the SHA-256 of its first and last 4,096 bytes; of all its bytes if there are no more.
    pub ends: String,
}

/// How much of the files of an index is read to see whether they are what they were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verify {
    /// Their sizes and their ends: what is cut short, missing or another file is found, at the cost of opening it.
    #[default]
    Ends,
    /// All bytes of all of them.
    Whole,
}

/// Bytes at the beginning of a file, and at its end, that are looked at whenever it is opened.
const END: u64 = 4096;

/// Digits of the hash of the ends.
const DIGITS: usize = 16;

impl FileSum {
    /// What a file is.
    ///
    /// # Errors
    /// Those of reading it.
    pub fn of(path: &Path) -> io::Result<FileSum> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let ends = ends(&mut file, bytes)?;
        file.rewind()?;
        Ok(FileSum {
            bytes,
            sha256: sha256_of(file)?,
            ends,
        })
    }

    /// Is a file what it is to be?
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if it is not; those of reading it.
    pub(crate) fn verify(&self, path: &Path, how: Verify) -> Result<(), IndexError> {
        let why = self.difference(path, how).map_err(|error| {
            let missing = error.kind() == io::ErrorKind::NotFound;
            match missing {
                true => damaged(path, "it is missing".to_owned()),
                false => IndexError::io(path)(error),
            }
        })?;
        why.map_or(Ok(()), |why| Err(damaged(path, why)))
    }

    /// What is not as it is to be, in words.
    fn difference(&self, path: &Path, how: Verify) -> io::Result<Option<String>> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(Some("it is no file".to_owned()));
        }
        let (bytes, then) = (metadata.len(), self.bytes);
        if bytes != then {
            return Ok(Some(format!("it has {bytes} bytes, and had {then}")));
        }
        let is_same = ends(&mut file, bytes)? == self.ends
            && (how == Verify::Ends || {
                file.rewind()?;
                sha256_of(file)? == self.sha256
            });
        Ok((!is_same).then(|| "it has other bytes than it had".to_owned()))
    }
}

fn damaged(path: &Path, why: String) -> IndexError {
    IndexError::Damaged {
        path: path.to_owned(),
        why,
    }
}

/// [`FileSum::ends`] of a file of so many bytes.
fn ends(file: &mut File, bytes: u64) -> io::Result<String> {
    let mut read = Vec::new();
    let head = bytes.min(2 * END);
    if bytes == head {
        file.take(head).read_to_end(&mut read)?;
    } else {
        file.take(END).read_to_end(&mut read)?;
        file.seek(SeekFrom::Start(bytes - END))?;
        file.take(END).read_to_end(&mut read)?;
    }
    let mut hash = sha256_of(read.as_slice())?;
    hash.truncate(DIGITS);
    Ok(hash)
}

/// What the files in a directory are, by their paths in it with `/` between the parts; all files below it.
pub(crate) fn of_directory(directory: &Path) -> Result<BTreeMap<String, FileSum>, IndexError> {
    let mut names = Vec::new();
    let mut rest = vec![(directory.to_owned(), String::new())];
    while let Some((path, prefix)) = rest.pop() {
        for path in file::entries(&path)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{prefix}{name}");
            match path.is_dir() {
                true => rest.push((path, format!("{name}/"))),
                false => names.push((path, name)),
            }
        }
    }
    let sum = |(path, name): (PathBuf, String)| {
        let sum = FileSum::of(&path).map_err(IndexError::io(&path))?;
        Ok((name, sum))
    };
    names.into_par_iter().map(sum).collect()
}

/// Verifies files that are named from a directory; gives what is wrong with each.
pub(crate) fn verify<'a>(
    directory: &Path,
    files: impl IntoIterator<Item = (&'a String, &'a FileSum)>,
    how: Verify,
) -> Vec<(PathBuf, IndexError)> {
    let files: Vec<_> = files.into_iter().collect();
    let verify = |(name, sum): &(&String, &FileSum)| {
        let path = directory.join(name);
        let error = sum.verify(&path, how).err()?;
        Some((path, error))
    };
    // Of many small files each takes less than handing it to another thread does.
    match how {
        Verify::Ends => files.iter().filter_map(verify).collect(),
        Verify::Whole => files.par_iter().filter_map(verify).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes around what is read of a file: a byte changed at either end is seen at once, one in the middle of a long file when all
    /// of it is read.
    #[test]
    fn changes_are_seen() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("f");
        for size in [0usize, 1, 4096, 8191, 8192, 8193, 20_000] {
            let bytes: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let sum = FileSum::of(&path).unwrap();
            assert_eq!(sum.sha256, sha256_of(bytes.as_slice()).unwrap());
            for how in [Verify::Ends, Verify::Whole] {
                assert!(sum.verify(&path, how).is_ok());
            }
            for at in [0, size / 2, size.saturating_sub(1)] {
                let mut changed = bytes.clone();
                let Some(byte) = changed.get_mut(at) else {
                    continue;
                };
                *byte ^= 1;
                std::fs::write(&path, &changed).unwrap();
                let is_end = at < 4096 || at + 4096 >= size;
                assert_eq!(sum.verify(&path, Verify::Ends).is_err(), is_end);
                assert!(sum.verify(&path, Verify::Whole).is_err());
            }
            std::fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
            assert!(sum.verify(&path, Verify::Ends).is_err());
        }
        std::fs::remove_file(&path).unwrap();
        let error = FileSum::default().verify(&path, Verify::Ends).unwrap_err();
        assert!(error.to_string().contains("it is missing"), "{error}");
    }
}
