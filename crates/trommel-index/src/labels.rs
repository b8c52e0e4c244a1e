//! Verdicts of extractors, stored beside the blocks: for each extractor one bit a block, set for content, and for those that give
//! confidences a byte a block besides.
//!
//! A file `labels/NAME.HASH.bits`: the number of blocks as a little-endian u64, then the bits in (page, block) order, eight a byte,
//! lowest first. A file `labels/NAME.HASH.confidences`: likewise, then a byte a block, the confidence in hundredths. `HASH` is the
//! beginning of the SHA-256 of what is in the file: labels that replace others never have the name of these, and which ones count
//! is for the manifest to say. Labels are written without touching the blocks, and merging segments does not move them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use super::file::{self, sync_directory};
use super::open::Opening;
use super::part::PartEntry;
use super::sum::{self, FileSum, Verify};
use super::{Index, IndexError};
use trommel_extract::{self as extractor, Confidence, Label, Labeler, PREFERRED, Verdicts};

/// Endings of files of labels.
const BITS: &str = "bits";
const CONFIDENCES: &str = "confidences";
/// Directory of the labels in an index directory.
pub(super) const FOLDER: &str = "labels";
/// Longest file name without hash and ending; file systems allow 255 bytes.
const LONGEST_NAME: usize = 200;
/// Digits of the hash in a file name.
const DIGITS: usize = 16;

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
    /// Has each block a confidence besides?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confidences: bool,
    /// Its files in the directory of labels, and what they are to be; none of several directories as one.
    #[serde(default)]
    pub files: BTreeMap<String, FileSum>,
}

/// A label set that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLabels {
    /// What a filter will call them.
    pub name: String,
    /// Has each block a confidence besides?
    pub confidences: bool,
}

impl From<&Labeler> for NewLabels {
    fn from(labeler: &Labeler) -> Self {
        NewLabels {
            name: labeler.name.clone(),
            confidences: labeler.has_confidences(),
        }
    }
}

impl From<&LabelSet> for NewLabels {
    fn from(set: &LabelSet) -> Self {
        NewLabels {
            name: set.name.clone(),
            confidences: set.confidences,
        }
    }
}

impl NewLabels {
    /// The name that a file of it has in a part.
    fn file(&self, ending: &str) -> String {
        format!("{}.{ending}", file_stem(&self.name))
    }

    /// Bytes of its bits, and of its confidences, for so many blocks.
    fn sizes(&self, blocks: usize) -> (usize, usize) {
        let confidences = if self.confidences { blocks } else { 0 };
        (blocks.div_ceil(8), confidences)
    }
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
                confidences,
                ..
            } = set.clone();
            (name, extractor, model_sha256, trommel_version, confidences)
        };
        made(self) == made(other)
    }

    /// Its file of an ending.
    fn file(&self, ending: &str) -> Option<(&String, &FileSum)> {
        let is_it = |name: &str| Path::new(name).extension().is_some_and(|own| own == ending);
        self.files.iter().find(|(name, _)| is_it(name))
    }
}

/// What became of a label set that was written.
#[derive(Debug, Clone, Default)]
pub(super) struct WrittenLabels {
    /// Blocks that are content.
    pub content_blocks: u64,
    /// As [`LabelSet::files`].
    pub files: BTreeMap<String, FileSum>,
}

/// How files of labels are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// By the name of the set: in a part, whose labels nobody reads before they are put together.
    Plain,
    /// By what is in them, too.
    Hashed,
}

/// Collects the labels of pages that come in any order and from any thread, and writes them in order of pages. What comes is
/// held in a file, so that memory does not grow with the collection but for eight bytes a page.
pub(super) struct LabelWriter {
    folder: PathBuf,
    sets: Vec<NewLabels>,
    pending: Mutex<Pending>,
}

struct Pending {
    file: BufWriter<File>,
    length: u64,
    /// Where the labels of each page stand in the file; none for a page that has not come.
    starts: Vec<Option<u64>>,
}

impl LabelWriter {
    /// Begins label sets in an index directory.
    pub fn create(index: &Path, sets: Vec<NewLabels>) -> Result<LabelWriter, IndexError> {
        check_names(&sets)?;
        let folder = index.join(FOLDER);
        let path = pending_path(&folder);
        let create = || {
            fs::create_dir_all(&folder)?;
            file::create(&path)
        };
        let file = create().map_err(IndexError::io(&path))?;
        Ok(LabelWriter {
            pending: Mutex::new(Pending {
                file: BufWriter::new(file),
                length: 0,
                starts: Vec::new(),
            }),
            folder,
            sets,
        })
    }

    /// Adds a page: for each label set what it has for the blocks.
    pub fn add(&self, page: u32, verdicts: &[Verdicts]) -> Result<(), IndexError> {
        let blocks = verdicts.first().map_or(0, |of| of.labels.len());
        let mut record = (blocks as u32).to_le_bytes().to_vec();
        for (set, verdicts) in self.sets.iter().zip(verdicts) {
            for eight in verdicts.labels.chunks(8) {
                let bit = |(at, label): (u8, &Label)| u8::from(*label == Label::Content) << at;
                record.push((0..).zip(eight).map(bit).sum());
            }
            if set.confidences {
                let confidences = verdicts.confidences.iter().flatten();
                let end = record.len() + blocks;
                record.extend(confidences.map(|confidence| confidence.in_hundredths()));
                record.resize(end, 0);
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
    pub(super) fn join(
        index: &Path,
        parts: &[PathBuf],
        set: &NewLabels,
    ) -> Result<WrittenLabels, IndexError> {
        let folder = index.join(FOLDER);
        fs::create_dir_all(&folder).map_err(IndexError::io(&folder))?;
        let join = || {
            let mut out = SetFiles::create(&folder, set)?;
            for part in parts {
                let read = |ending: &str| fs::read(part.join(FOLDER).join(set.file(ending)));
                let bits = read(BITS)?;
                let (count, bits) = bits.split_first_chunk().unwrap_or((&[0; 8], &[]));
                let confidences = match set.confidences {
                    true => read(CONFIDENCES)?,
                    false => Vec::new(),
                };
                let confidences = confidences.get(8..).unwrap_or_default();
                out.push(bits, confidences, u64::from_le_bytes(*count) as usize)?;
            }
            out.finish(Naming::Hashed)
        };
        let written = join().map_err(IndexError::io(&folder))?;
        sync_directory(&folder)?;
        Ok(written)
    }

    /// Removes what was written.
    pub fn abandon(self) -> Result<(), IndexError> {
        let path = pending_path(&self.folder);
        fs::remove_file(&path).map_err(IndexError::io(&path))
    }

    /// Writes the files. Gives for each label set what became of it.
    pub fn finish(self, naming: Naming) -> Result<Vec<WrittenLabels>, IndexError> {
        let pending = self
            .pending
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let path = pending_path(&self.folder);
        let write = || -> io::Result<Vec<WrittenLabels>> {
            pending.file.into_inner()?;
            let out = self.sets.iter();
            let mut out = out
                .map(|set| SetFiles::create(&self.folder, set))
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
                let sizes = || self.sets.iter().map(|set| set.sizes(count));
                bytes.resize(
                    sizes().map(|(bits, confidences)| bits + confidences).sum(),
                    0,
                );
                input.read_exact(&mut bytes)?;
                position = start + 4 + bytes.len() as u64;
                let mut rest = bytes.as_slice();
                for (files, (bits, confidences)) in out.iter_mut().zip(sizes()) {
                    let (of_set, after) = rest.split_at(bits + confidences);
                    let (bits, confidences) = of_set.split_at(bits);
                    files.push(bits, confidences, count)?;
                    rest = after;
                }
            }
            let written = out.into_iter().map(|files| files.finish(naming)).collect();
            fs::remove_file(&path)?;
            written
        };
        let written = write().map_err(IndexError::io(&self.folder))?;
        sync_directory(&self.folder)?;
        Ok(written)
    }
}

/// Can these be names of label sets?
///
/// # Errors
/// [`IndexError::LabelName`] for a name that is too long for a file.
pub(super) fn check_names(sets: &[NewLabels]) -> Result<(), IndexError> {
    let mut names = sets.iter().map(|set| &set.name);
    match names.find(|name| file_stem(name).len() > LONGEST_NAME) {
        Some(name) => Err(IndexError::LabelName(name.clone())),
        None => Ok(()),
    }
}

/// Is it the path of a file of labels, seen from a part?
pub(super) fn is_in_folder(file: &str) -> bool {
    Path::new(file).starts_with(FOLDER)
}

/// Are the labels of a part what they were when it was written?
///
/// # Errors
/// [`IndexError::Damaged`] if they are not.
pub(super) fn verify_part(index: &Path, part: &PartEntry) -> Result<(), IndexError> {
    let files = part.files.iter().filter(|(file, _)| is_in_folder(file));
    let wrong = sum::verify(&part.directory(index), files, Verify::Whole);
    wrong
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, error)| Err(error))
}

/// What lies among the labels of an index, and is none of the files that the manifest lists: what a process left that was ended, or
/// what was replaced.
pub(super) fn strangers(index: &Path, sets: &[LabelSet]) -> Result<Vec<PathBuf>, IndexError> {
    let is_listed = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| sets.iter().any(|set| set.files.contains_key(name)))
    };
    let mut files = file::own_entries(&index.join(FOLDER))?;
    files.retain(|path| !is_listed(path));
    Ok(files)
}

/// Removes files of labels that the manifest does not list. Whoever calls this holds the lock. What is no file of labels by its name
/// stays.
pub(super) fn tidy(index: &Path, sets: &[LabelSet]) -> Result<(), IndexError> {
    let is_ours = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default();
        [BITS, CONFIDENCES, file::TEMPORARY]
            .iter()
            .any(|own| *own == ending)
            && !path.is_dir()
    };
    let strangers = strangers(index, sets)?.into_iter();
    strangers
        .filter(is_ours)
        .try_for_each(|path| file::remove(&path))
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

/// The files of a label set that are being written under temporary names.
struct SetFiles {
    bits: BitFile,
    confidences: Option<CountedFile>,
}

impl SetFiles {
    fn create(folder: &Path, set: &NewLabels) -> io::Result<SetFiles> {
        let create = |ending| CountedFile::create(folder, file_stem(&set.name), ending);
        let confidences = set.confidences.then(|| create(CONFIDENCES));
        Ok(SetFiles {
            bits: BitFile {
                out: create(BITS)?,
                content: 0,
                last: 0,
                filled: 0,
            },
            confidences: confidences.transpose()?,
        })
    }

    fn push(&mut self, bits: &[u8], confidences: &[u8], count: usize) -> io::Result<()> {
        self.bits.push(bits, count)?;
        match &mut self.confidences {
            Some(out) => out.push(confidences, count),
            None => Ok(()),
        }
    }

    fn finish(self, naming: Naming) -> io::Result<WrittenLabels> {
        let confidences = self.confidences;
        let confidences = confidences.map(|confidences| confidences.finish(naming));
        let (content_blocks, bits) = self.bits.finish(naming)?;
        let files = [Some(bits), confidences.transpose()?].into_iter().flatten();
        Ok(WrittenLabels {
            content_blocks,
            files: files.collect(),
        })
    }
}

/// A file that begins with the number of blocks.
struct CountedFile {
    folder: PathBuf,
    stem: String,
    ending: &'static str,
    temporary: PathBuf,
    file: BufWriter<File>,
    blocks: u64,
}

impl CountedFile {
    fn create(folder: &Path, stem: String, ending: &'static str) -> io::Result<CountedFile> {
        let temporary = file::temporary(&folder.join(format!("{stem}.{ending}")));
        let mut file = BufWriter::new(file::create(&temporary)?);
        file.write_all(&[0; 8])?;
        Ok(CountedFile {
            folder: folder.to_owned(),
            stem,
            ending,
            temporary,
            file,
            blocks: 0,
        })
    }

    /// Appends the bytes of some blocks.
    fn push(&mut self, bytes: &[u8], blocks: usize) -> io::Result<()> {
        self.blocks += blocks as u64;
        self.file.write_all(bytes)
    }

    /// Gives the file its name.
    fn finish(self, naming: Naming) -> io::Result<(String, FileSum)> {
        let mut file = self.file.into_inner()?;
        io::Seek::rewind(&mut file)?;
        file.write_all(&self.blocks.to_le_bytes())?;
        file.sync_all()?;
        let (stem, ending) = (self.stem, self.ending);
        let sum = FileSum::of(&self.temporary)?;
        let name = match naming {
            Naming::Plain => format!("{stem}.{ending}"),
            Naming::Hashed => format!("{stem}.{}.{ending}", &sum.sha256[..DIGITS]),
        };
        fs::rename(&self.temporary, self.folder.join(&name))?;
        Ok((name, sum))
    }
}

struct BitFile {
    out: CountedFile,
    content: u64,
    /// Bits that do not fill a byte yet, and how many.
    last: u8,
    filled: u32,
}

impl BitFile {
    /// Appends the first `count` bits; those behind them in the last byte are 0.
    fn push(&mut self, bytes: &[u8], count: usize) -> io::Result<()> {
        self.out.push(&[], count)?;
        let mut left = count;
        for &byte in bytes {
            let bits = left.min(8) as u32;
            left -= bits as usize;
            self.content += u64::from(byte.count_ones());
            let both = u16::from(self.last) | u16::from(byte) << self.filled;
            self.filled += bits;
            self.last = both as u8;
            if self.filled >= 8 {
                self.out.push(&[self.last], 0)?;
                self.last = (both >> 8) as u8;
                self.filled -= 8;
            }
        }
        Ok(())
    }

    /// Gives the number of content blocks, and the file.
    fn finish(mut self, naming: Naming) -> io::Result<(u64, (String, FileSum))> {
        if self.filled > 0 {
            self.out.push(&[self.last], 0)?;
        }
        Ok((self.content, self.out.finish(naming)?))
    }
}

/// The labels of one extractor, open for reading.
pub(super) struct OpenSet {
    /// For each directory the number of its first block and its labels.
    directories: Vec<(usize, SetOfDirectory)>,
}

impl OpenSet {
    /// The labels of the directory that has a block, and the block's number there. Blocks are numbered through in (page, block)
    /// order.
    #[inline]
    fn find(&self, number: usize) -> Option<(&SetOfDirectory, usize)> {
        let mut directories = self.directories.iter().rev();
        let (first, labels) = directories.find(|(first, _)| *first <= number)?;
        Some((labels, number - first))
    }

    /// Is a block content?
    #[inline]
    pub fn is_content(&self, number: usize) -> bool {
        let found = self.find(number);
        found.is_some_and(|(labels, number)| labels.is_content(number))
    }

    /// The confidence of a block; 0 in a set without confidences.
    #[inline]
    pub fn confidence(&self, number: usize) -> Confidence {
        let found = self.find(number);
        found.map_or(Confidence::default(), |(labels, number)| {
            labels.confidence(number)
        })
    }
}

/// The labels of one extractor in one directory.
struct SetOfDirectory {
    bits: OwnedBytes,
    confidences: Option<OwnedBytes>,
}

impl SetOfDirectory {
    fn open(index: &Path, set: &LabelSet, num_blocks: usize) -> Result<Self, Broken> {
        let folder = index.join(FOLDER);
        let open = |ending: &str, length: usize| {
            let broken = |path: &Path, why: String| Broken {
                path: path.to_owned(),
                why,
                index: index.to_owned(),
                name: set.name.clone(),
            };
            let Some((file, sum)) = set.file(ending) else {
                return Err(broken(&folder, format!("no file of {ending} is listed")));
            };
            let path = folder.join(file);
            let wrong = |error: &dyn std::fmt::Display| broken(&path, error.to_string());
            sum.verify(&path, Verify::Ends)
                .map_err(|error| match error {
                    IndexError::Damaged { why, .. } => broken(&path, why),
                    IndexError::Io { error, .. } => broken(&path, error.to_string()),
                    error => broken(&path, error.to_string()),
                })?;
            let directory = MmapDirectory::open(&folder).map_err(|error| wrong(&error))?;
            let bytes = directory.open_read(Path::new(file));
            let bytes = bytes.map_err(|error| wrong(&error))?.read_bytes();
            let bytes = bytes.map_err(|error| wrong(&error))?;
            let count = bytes.first_chunk().map(|count| u64::from_le_bytes(*count));
            if count != Some(num_blocks as u64) || bytes.len() != 8 + length {
                return Err(broken(&path, format!("it is not for {num_blocks} blocks")));
            }
            Ok(bytes)
        };
        let confidences = set.confidences.then(|| open(CONFIDENCES, num_blocks));
        Ok(SetOfDirectory {
            bits: open(BITS, num_blocks.div_ceil(8))?,
            confidences: confidences.transpose()?,
        })
    }

    fn is_content(&self, number: usize) -> bool {
        self.bits
            .get(8 + number / 8)
            .is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }

    fn confidence(&self, number: usize) -> Confidence {
        let byte = self
            .confidences
            .as_ref()
            .and_then(|of| of.get(number.checked_add(8)?));
        byte.map_or(Confidence::default(), |byte| Confidence::hundredths(*byte))
    }
}

/// Labels that cannot be read. Who asks for them is told; the others of the index are there for all that.
#[derive(Debug, Clone)]
pub(super) struct Broken {
    path: PathBuf,
    why: String,
    index: PathBuf,
    name: String,
}

impl Broken {
    fn error(&self) -> IndexError {
        let Broken {
            path,
            why,
            index,
            name,
        } = self.clone();
        IndexError::DamagedLabels {
            path,
            why,
            index,
            name,
        }
    }
}

/// The label sets of an index, by name.
pub(super) type OpenLabels = BTreeMap<String, Result<Arc<OpenSet>, Broken>>;

/// Opens the label sets that all directories have: at once, since another process may replace them, and what is open stays what it
/// was.
pub(super) fn open(directories: &[Opening], sets: &[LabelSet]) -> OpenLabels {
    let open = |name: &str| {
        let mut first = 0;
        let mut opened = Vec::with_capacity(directories.len());
        for Opening {
            path,
            manifest,
            blocks,
        } in directories
        {
            // Each directory has it: that is what the joined manifest says.
            for own in manifest.extractors.iter().filter(|own| own.name == name) {
                opened.push((first, SetOfDirectory::open(path, own, *blocks)?));
            }
            first += blocks;
        }
        Ok(Arc::new(OpenSet {
            directories: opened,
        }))
    };
    let names = sets.iter().map(|set| &set.name);
    names.map(|name| (name.clone(), open(name))).collect()
}

impl Index {
    /// The label set of a name, or of an extractor as it was written when they were made: its parameters may be in another
    /// order, and defaults among them.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if the index has none of this name.
    fn label_set(&self, name: &str) -> Result<&LabelSet, IndexError> {
        let sets = &self.manifest.extractors;
        let find = |name: &str| sets.iter().find(|set| set.name == name);
        let found = find(name).or_else(|| find(&extractor::name_of_labels(name)?));
        found.ok_or_else(|| self.no_labels(name))
    }

    fn no_labels(&self, name: &str) -> IndexError {
        let sets = self.manifest.extractors.iter();
        IndexError::NoLabels {
            path: self.path().to_owned(),
            name: name.to_owned(),
            known: sets.map(|set| set.name.clone()).collect(),
        }
    }

    /// The labels of [`Index::label_set`].
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] if the index has none of this name, and those of reading them.
    pub(super) fn labels(&self, name: &str) -> Result<Arc<OpenSet>, IndexError> {
        let set = self.label_set(name)?;
        match self.open_labels.get(&set.name) {
            Some(Ok(labels)) => Ok(Arc::clone(labels)),
            Some(Err(broken)) => Err(broken.error()),
            None => Err(self.no_labels(name)),
        }
    }

    /// The label set whose confidences a filter with this extractor means. Without an extractor, those of the only set that has
    /// some, and of several the one that is called `trommel`.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`], [`IndexError::NoConfidences`], [`IndexError::WhichConfidences`].
    pub fn confidences_of(&self, extractor: Option<&str>) -> Result<&LabelSet, IndexError> {
        let sets = &self.manifest.extractors;
        let known: Vec<&LabelSet> = sets.iter().filter(|set| set.confidences).collect();
        let names = || known.iter().map(|set| set.name.clone()).collect();
        let path = || self.path().to_owned();
        match (extractor, known.as_slice()) {
            (Some(name), _) => match self.label_set(name)? {
                set if set.confidences => Ok(set),
                set => Err(IndexError::LabelsWithoutConfidences {
                    path: path(),
                    name: set.name.clone(),
                    known: names(),
                }),
            },
            (None, []) => Err(IndexError::NoConfidences(path())),
            (None, [only]) => Ok(only),
            (None, several) => {
                let preferred = several.iter().find(|set| set.name == PREFERRED);
                preferred
                    .copied()
                    .ok_or_else(|| IndexError::WhichConfidences {
                        path: path(),
                        known: names(),
                    })
            }
        }
    }

    /// What is wrong with the labels of an extractor, in words.
    ///
    /// # Errors
    /// Those of reading them.
    pub(super) fn check_labels(&self, set: &LabelSet) -> Result<Vec<String>, IndexError> {
        let mut wrong = Vec::new();
        let (labels, name) = (self.labels(&set.name)?, &set.name);
        let bits = labels.directories.iter();
        let bits = bits.flat_map(|(_, of)| of.bits.get(8..).unwrap_or_default());
        let content: u64 = bits.map(|byte| u64::from(byte.count_ones())).sum();
        if content != set.content_blocks {
            let listed = set.content_blocks;
            wrong.push(format!(
                "it counts {listed} content blocks of '{name}', and there are {content}"
            ));
        }
        let confidences = labels.directories.iter();
        let mut confidences = confidences.filter_map(|(_, of)| of.confidences.as_ref()?.get(8..));
        if confidences.any(|of| {
            of.iter()
                .any(|byte| *byte > Confidence::MAX.in_hundredths())
        }) {
            wrong.push(format!("a confidence of '{name}' is more than 1"));
        }
        Ok(wrong)
    }

    /// The verdicts of an extractor on the blocks of a page.
    ///
    /// # Errors
    /// As [`Index::search`] under a filter with this extractor.
    pub fn page_verdicts(&self, page: u32, name: &str) -> Result<Verdicts, IndexError> {
        let has_confidences = self.label_set(name)?.confidences;
        let labels = self.labels(name)?;
        let first = self.layout.number(page, 0);
        let blocks = || first..first + self.layout.extent(page).count as usize;
        let label = |number| Label::content_if(labels.is_content(number));
        let confidence = |number| labels.confidence(number);
        Ok(Verdicts {
            labels: blocks().map(label).collect(),
            confidences: has_confidences.then(|| blocks().map(confidence).collect()),
        })
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

    /// Pages of all sizes, added in another order, give bits and confidences in page order.
    #[test]
    fn verdicts_come_back_in_page_order() {
        let directory = tempfile::TempDir::new().unwrap();
        let set = |name: &str, confidences: bool| NewLabels {
            name: name.to_owned(),
            confidences,
        };
        let sets = vec![set("a", false), set("b:n=3", true), set("c.d", true)];
        let writer = LabelWriter::create(directory.path(), sets.clone()).unwrap();
        let page = |number: u32, set: u32| -> Verdicts {
            let of_block = |block: u32| (number * 7 + block * (set + 3)) % 101;
            let blocks = || (0..number % 19).map(of_block);
            let label = |n: u32| Label::content_if(n % 5 < 2);
            let confidence = |n: u32| Confidence::hundredths(n as u8);
            Verdicts {
                labels: blocks().map(label).collect(),
                confidences: (set > 0).then(|| blocks().map(confidence).collect()),
            }
        };
        for number in (0..200).rev().filter(|number| number % 31 != 0) {
            let verdicts = [0, 1, 2].map(|set| page(number, set));
            writer.add(number, &verdicts).unwrap();
        }
        let written = writer.finish(Naming::Hashed).unwrap();
        for (number, set) in (0..).zip(sets) {
            let pages = || {
                (0..200)
                    .filter(|page| page % 31 != 0)
                    .map(|n| page(n, number))
            };
            let labels: Vec<Label> = pages().flat_map(|page| page.labels).collect();
            let confidences: Vec<Confidence> = pages()
                .flat_map(|page| page.confidences.unwrap_or_default())
                .collect();
            let listed = LabelSet {
                name: set.name.clone(),
                extractor: String::new(),
                model_sha256: None,
                trommel_version: String::new(),
                content_blocks: 0,
                confidences: set.confidences,
                files: written[number as usize].files.clone(),
            };
            let open = |blocks: usize| SetOfDirectory::open(directory.path(), &listed, blocks);
            let found = open(labels.len()).unwrap();
            let is_content = |n: usize| Label::content_if(found.is_content(n));
            assert!((0..labels.len()).map(is_content).eq(labels.iter().copied()));
            let stored = (0..confidences.len()).map(|n| found.confidence(n));
            assert!(stored.eq(confidences.iter().copied()));
            assert_eq!(
                confidences.len(),
                if set.confidences { labels.len() } else { 0 }
            );
            let content = labels.iter().filter(|label| **label == Label::Content);
            let found = written[number as usize].content_blocks;
            assert_eq!(found, content.count() as u64);
            assert!(open(labels.len() + 8).is_err());
        }
        let files = file::entries(&directory.path().join(FOLDER)).unwrap();
        let without_hash = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let (stem, ending) = name.rsplit_once('.').unwrap();
            let (stem, hash) = stem.rsplit_once('.').unwrap();
            assert_eq!(hash.len(), DIGITS, "{name}");
            format!("{stem}.{ending}")
        };
        let mut files: Vec<String> = files.iter().map(without_hash).collect();
        files.sort();
        let expected = [
            "a.bits",
            "b%3An%3D3.bits",
            "b%3An%3D3.confidences",
            "c.d.bits",
            "c.d.confidences",
        ];
        assert_eq!(files, expected);
    }
}
