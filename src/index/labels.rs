//! Verdicts of extractors, stored beside the blocks: for each extractor one bit a block, set for content.
//!
//! A file `labels/NAME.bits`: the number of blocks as a little-endian u64, then the bits in (page, block) order, eight a byte,
//! lowest first. Labels are written without touching the blocks, and merging segments does not move them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use super::{Index, IndexError, part_writer};
use crate::extractor;

/// Directory of the labels in an index directory.
pub(super) const FOLDER: &str = "labels";
/// Longest file name without `.bits`; file systems allow 255 bytes.
const LONGEST_NAME: usize = 200;

/// The labels of one extractor, as the manifest has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelSet {
    /// What a filter calls them.
    pub name: String,
    /// The extractor with its parameters.
    pub extractor: String,
    /// SHA-256 of its model or outputs, in hexadecimal, where it has one that is a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_sha256: Option<String>,
    /// Version of the program that made them.
    pub trommel_version: String,
    /// Blocks that are content.
    pub content_blocks: u64,
}

impl LabelSet {
    /// Was it made in the same way under the same name?
    pub(super) fn is_like(&self, other: &LabelSet) -> bool {
        let made = |set: &LabelSet| {
            let LabelSet {
                name,
                extractor,
                model_sha256,
                trommel_version,
                ..
            } = set.clone();
            (name, extractor, model_sha256, trommel_version)
        };
        made(self) == made(other)
    }
}

/// Collects the labels of pages that come in any order and from any thread, and writes them in order of pages. What comes is
/// held in a file, so that memory does not grow with the collection but for eight bytes a page.
pub(super) struct LabelWriter {
    folder: PathBuf,
    names: Vec<String>,
    pending: Mutex<Pending>,
}

struct Pending {
    file: BufWriter<File>,
    length: u64,
    /// Where the labels of each page stand in the file; none for a page that has not come.
    starts: Vec<Option<u64>>,
}

impl LabelWriter {
    /// Begins label sets of these names in an index directory.
    pub fn create(index: &Path, names: Vec<String>) -> Result<LabelWriter, IndexError> {
        check_names(&names)?;
        let folder = index.join(FOLDER);
        let path = pending_path(&folder);
        let create = || {
            fs::create_dir_all(&folder)?;
            File::create(&path)
        };
        let file = create().map_err(IndexError::io(&path))?;
        Ok(LabelWriter {
            pending: Mutex::new(Pending {
                file: BufWriter::new(file),
                length: 0,
                starts: Vec::new(),
            }),
            folder,
            names,
        })
    }

    /// Adds a page: for each label set one verdict a block, true for content.
    pub fn add(&self, page: u32, labels: &[Vec<bool>]) -> Result<(), IndexError> {
        let blocks = labels.first().map_or(0, Vec::len);
        let mut record = (blocks as u32).to_le_bytes().to_vec();
        for verdicts in labels {
            for eight in verdicts.chunks(8) {
                let bits = (0..).zip(eight).map(|(at, bit)| u8::from(*bit) << at);
                record.push(bits.sum());
            }
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let page = page as usize;
        if pending.starts.len() <= page {
            pending.starts.resize(page + 1, None);
        }
        pending.starts[page] = Some(pending.length);
        pending.length += record.len() as u64;
        let written = pending.file.write_all(&record);
        written.map_err(IndexError::io(&pending_path(&self.folder)))
    }

    /// Puts the labels of parts together, in this order, to those of an index.
    pub(super) fn join(index: &Path, parts: &[PathBuf], name: &str) -> Result<(), IndexError> {
        let folder = index.join(FOLDER);
        fs::create_dir_all(&folder).map_err(IndexError::io(&folder))?;
        let file = format!("{}.bits", file_stem(name));
        let join = || {
            let mut out = BitFile::create(&folder.join(&file))?;
            for part in parts {
                let bytes = fs::read(part.join(FOLDER).join(&file))?;
                let (count, bits) = bytes.split_first_chunk().unwrap_or((&[0; 8], &[]));
                out.push(bits, u64::from_le_bytes(*count) as usize)?;
            }
            out.finish()
        };
        join().map_err(IndexError::io(&folder))?;
        part_writer::sync(&folder)
    }

    /// Removes what was written.
    pub fn abandon(self) -> Result<(), IndexError> {
        let path = pending_path(&self.folder);
        fs::remove_file(&path).map_err(IndexError::io(&path))
    }

    /// Writes the files. Gives for each label set the number of content blocks.
    pub fn finish(self) -> Result<Vec<u64>, IndexError> {
        let pending = self
            .pending
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let path = pending_path(&self.folder);
        let write = || -> io::Result<Vec<u64>> {
            pending.file.into_inner()?;
            let mut out = self
                .names
                .iter()
                .map(|name| BitFile::create(&self.folder.join(format!("{}.bits", file_stem(name)))))
                .collect::<io::Result<Vec<_>>>()?;
            let mut input = BufReader::with_capacity(1 << 16, File::open(&path)?);
            let mut position = 0;
            let mut bytes = Vec::new();
            for start in pending.starts.into_iter().flatten() {
                // Pages come nearly in order, so that most of these moves stay inside the buffer.
                input.seek_relative(start as i64 - position as i64)?;
                let mut count = [0; 4];
                input.read_exact(&mut count)?;
                let count = u32::from_le_bytes(count) as usize;
                let each = count.div_ceil(8);
                bytes.resize(each * out.len(), 0);
                input.read_exact(&mut bytes)?;
                position = start + 4 + bytes.len() as u64;
                for (file, bits) in out.iter_mut().zip(bytes.chunks(each.max(1))) {
                    file.push(bits, count)?;
                }
            }
            let totals = out.into_iter().map(BitFile::finish).collect();
            fs::remove_file(&path)?;
            totals
        };
        let totals = write().map_err(IndexError::io(&self.folder))?;
        part_writer::sync(&self.folder)?;
        Ok(totals)
    }
}

/// Can these be names of label sets?
///
/// # Errors
/// [`IndexError::LabelName`] for a name that is too long for a file.
pub(super) fn check_names(names: &[String]) -> Result<(), IndexError> {
    match names.iter().find(|n| file_stem(n).len() > LONGEST_NAME) {
        Some(name) => Err(IndexError::LabelName(name.clone())),
        None => Ok(()),
    }
}

/// Removes the labels of a part.
pub(super) fn remove(part: &Path) -> Result<(), IndexError> {
    let folder = part.join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(IndexError::io(&folder)(error))
        }
        _ => Ok(()),
    }
}

fn pending_path(folder: &Path) -> PathBuf {
    folder.join("pending.tmp")
}

/// A name as a file name: what is no letter, digit, `-`, `_` or `.` of ASCII is percent-encoded.
fn file_stem(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// A file of bits that is being written under a temporary name.
struct BitFile {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    len: u64,
    content: u64,
    /// Bits that do not fill a byte yet, and how many.
    last: u8,
    filled: u32,
}

impl BitFile {
    fn create(path: &Path) -> io::Result<BitFile> {
        let temporary = path.with_extension("bits.tmp");
        let mut file = BufWriter::new(File::create(&temporary)?);
        file.write_all(&[0; 8])?;
        Ok(BitFile {
            path: path.to_owned(),
            temporary,
            file,
            len: 0,
            content: 0,
            last: 0,
            filled: 0,
        })
    }

    /// Appends the first `count` bits; those behind them in the last byte are 0.
    fn push(&mut self, bytes: &[u8], count: usize) -> io::Result<()> {
        self.len += count as u64;
        let mut left = count;
        for &byte in bytes {
            let bits = left.min(8) as u32;
            left -= bits as usize;
            self.content += u64::from(byte.count_ones());
            let both = u16::from(self.last) | u16::from(byte) << self.filled;
            self.filled += bits;
            self.last = both as u8;
            if self.filled >= 8 {
                self.file.write_all(&[self.last])?;
                self.last = (both >> 8) as u8;
                self.filled -= 8;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<u64> {
        if self.filled > 0 {
            self.file.write_all(&[self.last])?;
        }
        let mut file = self.file.into_inner()?;
        io::Seek::rewind(&mut file)?;
        file.write_all(&self.len.to_le_bytes())?;
        file.sync_all()?;
        fs::rename(&self.temporary, &self.path)?;
        Ok(self.content)
    }
}

/// The labels of one extractor, open for reading.
pub(super) struct LabelBits {
    /// For each directory the number of its first block and its labels.
    directories: Vec<(usize, BitsOfDirectory)>,
}

impl LabelBits {
    /// Is a block content? Blocks are numbered through in (page, block) order.
    #[inline]
    pub fn is_content(&self, number: usize) -> bool {
        let directory = self.directories.iter().rev();
        let mut directory = directory.skip_while(|(first, _)| *first > number);
        let found = directory.next();
        found.is_some_and(|(first, labels)| labels.is_content(number - first))
    }
}

/// The labels of one extractor in one directory.
struct BitsOfDirectory {
    bytes: OwnedBytes,
}

impl BitsOfDirectory {
    fn open(index: &Path, name: &str, num_blocks: usize) -> Result<Self, IndexError> {
        let folder = index.join(FOLDER);
        let file = format!("{}.bits", file_stem(name));
        let path = folder.join(&file);
        let damaged = |why: String| IndexError::DamagedLabels {
            path: path.clone(),
            why,
            index: index.to_owned(),
            name: name.to_owned(),
        };
        let directory = MmapDirectory::open(&folder).map_err(|error| damaged(error.to_string()))?;
        let bytes = directory
            .open_read(Path::new(&file))
            .map_err(|error| damaged(error.to_string()))?
            .read_bytes()
            .map_err(IndexError::io(&path))?;
        let count = bytes.first_chunk().map(|count| u64::from_le_bytes(*count));
        if count != Some(num_blocks as u64) || bytes.len() != 8 + num_blocks.div_ceil(8) {
            return Err(damaged(format!("it is not for {num_blocks} blocks")));
        }
        Ok(BitsOfDirectory { bytes })
    }

    fn is_content(&self, number: usize) -> bool {
        self.bytes
            .get(8 + number / 8)
            .is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }
}

/// Label sets that were used, by name.
pub(super) type OpenLabels = Mutex<BTreeMap<String, Arc<LabelBits>>>;

impl Index {
    /// The labels of a name, or of an extractor as it was written when they were made: its parameters may be in another
    /// order, and defaults among them.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if the index has none of this name, and those of reading them.
    pub(super) fn labels(&self, name: &str) -> Result<Arc<LabelBits>, IndexError> {
        let sets = &self.manifest.extractors;
        let has = |name: &str| sets.iter().any(|set| set.name == name);
        let canonical = match has(name) {
            true => None,
            false => extractor::name_of_labels(name).filter(|name| has(name)),
        };
        let asked = name;
        let name = canonical.as_deref().unwrap_or(name);
        let mut open = self
            .open_labels
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(labels) = open.get(name) {
            return Ok(Arc::clone(labels));
        }
        if !has(name) {
            return Err(IndexError::NoLabels {
                path: self.path().to_owned(),
                name: asked.to_owned(),
                known: sets.iter().map(|set| set.name.clone()).collect(),
            });
        }
        let mut first = 0;
        let mut directories = Vec::with_capacity(self.directories.len());
        for directory in &self.directories {
            let bits = BitsOfDirectory::open(&directory.path, name, directory.blocks)?;
            directories.push((first, bits));
            first += directory.blocks;
        }
        let labels = Arc::new(LabelBits { directories });
        open.insert(name.to_owned(), Arc::clone(&labels));
        Ok(labels)
    }

    /// Looks whether there are labels of an extractor.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if there are none, and those of reading them.
    pub fn require_labels(&self, name: &str) -> Result<(), IndexError> {
        self.labels(name).map(drop)
    }

    /// Number of blocks that an extractor takes for content.
    pub(super) fn content_blocks(&self, name: &str) -> Result<u64, IndexError> {
        let labels = self.labels(name)?;
        let bits = labels
            .directories
            .iter()
            .flat_map(|(_, bits)| bits.bytes.get(8..));
        let ones = bits.flatten().map(|byte| u64::from(byte.count_ones()));
        Ok(ones.sum())
    }

    /// The verdicts of an extractor on the blocks of a page, true for content.
    ///
    /// # Errors
    /// As [`Index::search`] under a filter with this extractor.
    pub fn page_labels(&self, page: u32, name: &str) -> Result<Vec<bool>, IndexError> {
        let labels = self.labels(name)?;
        let first = self.layout.number(page, 0);
        let count = self.layout.extent(page).count as usize;
        Ok((first..first + count)
            .map(|number| labels.is_content(number))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_files() {
        assert_eq!(file_stem("boilerpipe-article"), "boilerpipe-article");
        assert_eq!(file_stem("external:a/..=é"), "external%3Aa%2F..%3D%C3%A9");
    }

    /// Pages of all sizes, added in another order, give the bits in page order.
    #[test]
    fn bits_come_back_in_page_order() {
        let directory = tempfile::TempDir::new().unwrap();
        let names = vec!["a".to_owned(), "b:n=3".to_owned()];
        let writer = LabelWriter::create(directory.path(), names.clone()).unwrap();
        let page = |number: u32, set: u32| -> Vec<bool> {
            let bit = |block: u32| (number * 7 + block * (set + 3)) % 5 < 2;
            (0..number % 19).map(bit).collect()
        };
        for number in (0..200).rev().filter(|number| number % 31 != 0) {
            writer
                .add(number, &[page(number, 0), page(number, 1)])
                .unwrap();
        }
        let totals = writer.finish().unwrap();
        for (set, name) in (0..).zip(names) {
            let pages = (0..200).filter(|number| number % 31 != 0);
            let expected: Vec<bool> = pages.flat_map(|number| page(number, set)).collect();
            let labels = BitsOfDirectory::open(directory.path(), &name, expected.len()).unwrap();
            let found: Vec<bool> = (0..expected.len()).map(|n| labels.is_content(n)).collect();
            assert_eq!(found, expected);
            let content = expected.iter().filter(|bit| **bit).count() as u64;
            assert_eq!(totals[set as usize], content);
            assert!(BitsOfDirectory::open(directory.path(), &name, expected.len() + 8).is_err());
        }
    }
}
