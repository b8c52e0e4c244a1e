//! What is read, which must not be written to.

use std::fs;
use std::path::{Path, PathBuf};

use trommel_archive::{Input, is_index};
use trommel_extract::{Extractor, parse};
use trommel_lab::gold::Pair;

/// What somebody reads who writes: files, directories with all that is in them, and indexes.
#[derive(Debug, Default)]
pub struct Reads {
    /// Each with what it is.
    files: Vec<(PathBuf, &'static str)>,
    indexes: Vec<PathBuf>,
}

impl Reads {
    /// A file, or a directory whose files are read; `-` is none.
    pub fn add(&mut self, what: &'static str, path: &Path) {
        if path != Path::new("-") {
            self.files.push((path.to_owned(), what));
        }
    }

    /// The files of a collection.
    pub fn add_inputs(&mut self, inputs: &[Input]) {
        for path in inputs.iter().filter_map(|input| input.path.as_deref()) {
            self.add("one of the inputs", path);
        }
    }

    /// Pages with their gold texts.
    pub fn add_pairs(&mut self, pairs: &[Pair]) {
        for pair in pairs {
            self.add("one of the pages", &pair.page);
            if let Some(gold) = &pair.gold {
                self.add("one of the gold texts", gold);
            }
        }
    }

    /// The models and outputs that extractors are made of.
    pub fn add_extractors(&mut self, extractors: &[Extractor]) {
        for extractor in extractors {
            let arguments = &extractor.arguments;
            if !arguments.path.as_os_str().is_empty() {
                self.add("a model or output that an extractor reads", &arguments.path);
            }
            // An extractor that stands on another one.
            let base = arguments.parameters.get("base");
            let base = base.filter(|base| base.contains(':'));
            if let Some(Ok(base)) = base.map(|base| parse(base)) {
                self.add_extractors(&[base]);
            }
        }
    }

    /// Index directories.
    pub fn add_indexes(&mut self, indexes: &[PathBuf]) {
        self.indexes.extend_from_slice(indexes);
    }

    /// What a file that would be written is among these, if it is; said as of "the output".
    pub(super) fn clash(&self, target: &Path) -> Option<String> {
        if let Some(what) = self.holds(target) {
            return Some(format!("lies in {what}"));
        }
        let own = identity(target)?;
        let is_same = |path: &Path| identity(path).as_ref() == Some(&own);
        let files = self.files.iter().find(|(path, _)| any_file(path, &is_same));
        let file = files.map(|(_, what)| format!("is {what}"));
        file.or_else(|| {
            let mut indexes = self.indexes.iter();
            let index = indexes.find(|index| any_file(index, &is_same))?;
            Some(format!("is a file of the index {}", index.display()))
        })
    }

    /// What lies in a directory of that which is read, if something does; said as of "the output".
    pub(super) fn lies_in(&self, directory: &Path) -> Option<String> {
        let directory = fs::canonicalize(directory).ok()?;
        let lies =
            |path: &Path| fs::canonicalize(path).is_ok_and(|path| path.starts_with(&directory));
        let found = self.files.iter().find(|(path, _)| lies(path));
        found.map(|(_, what)| format!("holds {what}"))
    }

    /// The index that a place lies in, if it does.
    pub(super) fn holds(&self, place: &Path) -> Option<String> {
        // The place itself need not be there, nor the directories around it.
        let there = place.ancestors().find_map(|above| match above {
            above if above.as_os_str().is_empty() => fs::canonicalize(".").ok(),
            above => fs::canonicalize(above).ok(),
        })?;
        let holds =
            |index: &&PathBuf| fs::canonicalize(index).is_ok_and(|index| there.starts_with(index));
        let index = self.indexes.iter().find(holds).map(PathBuf::as_path);
        // One that nobody reads now is still whole only as it is.
        let index = index.or_else(|| there.ancestors().find(|above| is_index(above)))?;
        Some(format!("the index {}", index.display()))
    }
}

/// Is a path, or a file below it, one that `is_wanted`? Links to directories are followed only at the top, so that there is an end.
fn any_file(top: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> bool {
    let mut paths = match top.is_dir() {
        true => entries(top),
        false => return is_wanted(top),
    };
    while let Some(path) = paths.pop() {
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            paths.extend(entries(&path));
        } else if is_wanted(&path) {
            return true;
        }
    }
    false
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// What tells a file from all others, whatever its names: device and inode.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// What tells a file from others, but for hard links.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
