//! Labels that are open for reading.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::OwnedBytes;
use trommel_extract::Confidence;

use crate::format::error::IndexError;
use crate::format::labels::{BITS, CONFIDENCES, FOLDER, LabelSet};
use crate::format::manifest::Manifest;
use crate::format::mapped::{self, u64_at};
use crate::format::sum::Verify;

/// The labels of one extractor, open for reading.
pub(crate) struct OpenSet {
    /// For each directory the number of its first block and its labels.
    pub directories: Vec<(u64, SetOfDirectory)>,
}

impl OpenSet {
    /// The labels of the directory that has a block, and the block's number there. Blocks are numbered through in (page, block)
    /// order.
    #[inline]
    fn find(&self, number: u64) -> Option<(&SetOfDirectory, u64)> {
        let mut directories = self.directories.iter().rev();
        let (first, labels) = directories.find(|(first, _)| *first <= number)?;
        Some((labels, number - first))
    }

    /// Is a block content?
    #[inline]
    pub fn is_content(&self, number: u64) -> bool {
        let found = self.find(number);
        found.is_some_and(|(labels, number)| labels.is_content(number))
    }

    /// The confidence of a block; 0 in a set without confidences.
    #[inline]
    pub fn confidence(&self, number: u64) -> Confidence {
        let found = self.find(number);
        found.map_or(Confidence::default(), |(labels, number)| {
            labels.confidence(number)
        })
    }
}

/// The labels of one extractor in one directory.
pub(crate) struct SetOfDirectory {
    pub bits: OwnedBytes,
    pub confidences: Option<OwnedBytes>,
}

impl SetOfDirectory {
    pub fn open(index: &Path, set: &LabelSet, num_blocks: u64) -> Result<Self, Broken> {
        let folder = index.join(FOLDER);
        let open = |ending: &str, length: u64| {
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
            sum.verify(&path, Verify::Ends)
                .map_err(|error| match error {
                    IndexError::Damaged { why, .. } => broken(&path, why),
                    IndexError::Io { error, .. } => broken(&path, error.to_string()),
                    error => broken(&path, error.to_string()),
                })?;
            let bytes = mapped::open(&path).map_err(|error| broken(&path, error.to_string()))?;
            let count = u64_at(&bytes, 0);
            if count != Some(num_blocks) || (bytes.len() as u64).checked_sub(8) != Some(length) {
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

    pub fn is_content(&self, number: u64) -> bool {
        let byte = usize::try_from(number / 8).ok();
        byte.and_then(|byte| self.bits.get(byte.checked_add(8)?))
            .is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }

    pub fn confidence(&self, number: u64) -> Confidence {
        let at = number
            .checked_add(8)
            .and_then(|at| usize::try_from(at).ok());
        let byte = self.confidences.as_ref().and_then(|of| of.get(at?));
        byte.map_or(Confidence::default(), |byte| Confidence::hundredths(*byte))
    }
}

/// Labels that cannot be read. Who asks for them is told; the others of the index are there for all that.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    path: PathBuf,
    why: String,
    index: PathBuf,
    name: String,
}

impl Broken {
    pub fn error(&self) -> IndexError {
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
pub(crate) type OpenLabels = BTreeMap<String, Result<Arc<OpenSet>, Broken>>;

/// Opens the label sets that all directories have: at once, since another process may replace them, and what is open stays what it
/// was.
pub(crate) fn open(directories: &[Opening], sets: &[LabelSet]) -> OpenLabels {
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

/// A directory of an index that is open.
pub(crate) struct Opening {
    pub path: PathBuf,
    pub manifest: Manifest,
    /// Number of its blocks.
    pub blocks: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shards with more blocks before them than 32 bits count.
    #[test]
    fn blocks_are_numbered_in_64_bits() {
        let bits = |bits: u8| SetOfDirectory {
            bits: OwnedBytes::new([&[0; 8][..], &[bits]].concat()),
            confidences: None,
        };
        let far = (5 << 32) + 3;
        let set = OpenSet {
            directories: vec![(0, bits(0b1)), (far, bits(0b100)), (far + 8, bits(0b10))],
        };
        let content = [0, far + 2, far + 9];
        let around = [
            1,
            2,
            8,
            1 << 32,
            5 << 32,
            far,
            far + 1,
            far + 8,
            far + 10,
            u64::MAX,
        ];
        assert!(content.iter().all(|number| set.is_content(*number)));
        assert!(!around.iter().any(|number| set.is_content(*number)));
    }
}
