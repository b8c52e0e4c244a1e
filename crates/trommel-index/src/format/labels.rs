//! Verdicts of extractors, stored beside the blocks: for each extractor one bit a block, set for content, and for those that give
//! confidences a byte a block besides.
//!
//! A file `labels/NAME.HASH.bits`: the number of blocks as a little-endian u64, then the bits in (page, block) order, eight a byte,
//! lowest first. A file `labels/NAME.HASH.confidences`: likewise, then a byte a block, the confidence in hundredths. `HASH` is the
//! beginning of the SHA-256 of what is in the file: labels that replace others never have the name of these, and which ones count
//! is for the manifest to say. Labels are written without touching the blocks, and merging segments does not move them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use trommel_archive::sha256_of_file;
use trommel_extract::Extractor;

use crate::format::error::IndexError;
use crate::format::file;
use crate::format::part::PartEntry;
use crate::format::sum::{self, FileSum, Verify};

/// Endings of files of labels.
pub(crate) const BITS: &str = "bits";

pub(crate) const CONFIDENCES: &str = "confidences";

/// Directory of the labels in an index directory.
pub(crate) const FOLDER: &str = "labels";

/// Longest file name without hash and ending; file systems allow 255 bytes.
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
    /// The extractor with its parameters.
    pub extractor: String,
    /// SHA-256 of its model or outputs, in hexadecimal, where it has one that is a file.
    pub model_sha256: Option<String>,
    /// Has each block a confidence besides?
    pub confidences: bool,
}

impl From<&LabelSet> for NewLabels {
    fn from(set: &LabelSet) -> Self {
        NewLabels {
            name: set.name.clone(),
            extractor: set.extractor.clone(),
            model_sha256: set.model_sha256.clone(),
            confidences: set.confidences,
        }
    }
}

impl NewLabels {
    /// The labels of an extractor. Its model is hashed, if it is a file.
    ///
    /// # Errors
    /// [`IndexError::Io`] if the model cannot be read.
    pub fn of(extractor: &Extractor) -> Result<NewLabels, IndexError> {
        let path = &extractor.arguments.path;
        let model_sha256 = match path.is_file() {
            false => None,
            true => Some(sha256_of_file(path).map_err(IndexError::io(path))?),
        };
        Ok(NewLabels {
            name: extractor.name.clone(),
            extractor: extractor.spec.clone(),
            model_sha256,
            confidences: extractor.has_confidences(),
        })
    }

    /// Labels that were not made by an extractor of this program.
    pub fn named(name: &str, confidences: bool) -> NewLabels {
        NewLabels {
            name: name.to_owned(),
            extractor: name.to_owned(),
            model_sha256: None,
            confidences,
        }
    }

    /// The manifest's entry of the set when it is written.
    pub(crate) fn entry(self, written: WrittenLabels) -> LabelSet {
        LabelSet {
            name: self.name,
            extractor: self.extractor,
            model_sha256: self.model_sha256,
            trommel_version: env!("CARGO_PKG_VERSION").to_owned(),
            content_blocks: written.content_blocks,
            confidences: self.confidences,
            files: written.files,
        }
    }

    /// The name that a file of it has in a part.
    pub(crate) fn file(&self, ending: &str) -> String {
        format!("{}.{ending}", file_stem(&self.name))
    }

    /// Bytes of its bits, and of its confidences, for so many blocks.
    pub(crate) fn sizes(&self, blocks: usize) -> (usize, usize) {
        let confidences = if self.confidences { blocks } else { 0 };
        (blocks.div_ceil(8), confidences)
    }
}

impl LabelSet {
    /// Was it made in the same way under the same name?
    pub(crate) fn is_like(&self, other: &LabelSet) -> bool {
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
    pub(crate) fn file(&self, ending: &str) -> Option<(&String, &FileSum)> {
        let is_it = |name: &str| Path::new(name).extension().is_some_and(|own| own == ending);
        self.files.iter().find(|(name, _)| is_it(name))
    }
}

/// What became of a label set that was written.
#[derive(Debug, Clone, Default)]
pub(crate) struct WrittenLabels {
    /// Blocks that are content.
    pub content_blocks: u64,
    /// As [`LabelSet::files`].
    pub files: BTreeMap<String, FileSum>,
}

/// Can these be names of label sets?
///
/// # Errors
/// [`IndexError::LabelName`] for a name that is too long for a file.
pub(crate) fn check_names(sets: &[NewLabels]) -> Result<(), IndexError> {
    let mut names = sets.iter().map(|set| &set.name);
    match names.find(|name| file_stem(name).len() > LONGEST_NAME) {
        Some(name) => Err(IndexError::LabelName(name.clone())),
        None => Ok(()),
    }
}

/// Is it the path of a file of labels, seen from a part?
pub(crate) fn is_in_folder(file: &str) -> bool {
    Path::new(file).starts_with(FOLDER)
}

/// Are the labels of a part what they were when it was written?
///
/// # Errors
/// [`IndexError::Damaged`] if they are not.
pub(crate) fn verify_part(index: &Path, part: &PartEntry) -> Result<(), IndexError> {
    let files = part.files.iter().filter(|(file, _)| is_in_folder(file));
    let wrong = sum::verify(&part.directory(index), files, Verify::Whole);
    wrong
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, error)| Err(error))
}

/// What lies among the labels of an index, and is none of the files that the manifest lists: what a process left that was ended, or
/// what was replaced.
pub(crate) fn strangers(index: &Path, sets: &[LabelSet]) -> Result<Vec<PathBuf>, IndexError> {
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
pub(crate) fn tidy(index: &Path, sets: &[LabelSet]) -> Result<(), IndexError> {
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
pub(crate) fn remove(part: &Path) -> Result<(), IndexError> {
    let folder = part.join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(IndexError::io(&folder)(error))
        }
        _ => Ok(()),
    }
}

/// A name as a file name: what is no letter, digit, `-`, `_` or `.` of ASCII is percent-encoded.
pub(crate) fn file_stem(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
