//! Files of `trommel count`, as other commands take them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use trommel::index::SharedStatistics;

use super::output::Reads;

/// The statistics of the whole collection.
#[derive(clap::Args, Debug, Default)]
pub struct CountsArgs {
    /// What 'trommel count' counted in all indexes of the collection, joined by 'trommel join': this one is a part of it, and its
    /// pages have the scores that they have in the whole
    #[arg(id = "counts", long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

impl CountsArgs {
    /// Adds the file to what is read.
    pub fn add_to(&self, reads: &mut Reads) {
        if let Some(file) = &self.file {
            reads.add("the file of counts", file);
        }
    }

    /// Reads the file, if one is given.
    ///
    /// # Errors
    /// A file that cannot be read, or is none of 'trommel count'.
    pub fn read(&self) -> anyhow::Result<Option<Arc<SharedStatistics>>> {
        let read = |file: &PathBuf| Ok(Arc::new(read(file)?));
        self.file.as_ref().map(read).transpose()
    }

    /// Reads the file, if one is given, for a search.
    ///
    /// # Errors
    /// Those of [`CountsArgs::read`], and counts that lack what feedback needs.
    pub fn read_complete(&self) -> anyhow::Result<Option<Arc<SharedStatistics>>> {
        let shared = self.read()?;
        if let (Some(file), Some(false)) = (&self.file, shared.as_ref().map(|it| it.complete)) {
            let file = file.display();
            bail!(
                "{file} is not complete, since feedback takes more rounds: run 'trommel count' with --counts {file} \
                 on each index, join what that gives, and search by it"
            );
        }
        Ok(shared)
    }
}

/// Reads a file of counts.
///
/// # Errors
/// A file that cannot be read, or is none of 'trommel count'.
pub fn read(path: &Path) -> anyhow::Result<SharedStatistics> {
    let shown = || path.display().to_string();
    let bytes = fs::read(path).with_context(shown)?;
    SharedStatistics::from_json(&bytes).with_context(|| format!("{}: no counts to go by", shown()))
}

/// As 'trommel count' writes them.
///
/// # Errors
/// None that is known of.
pub fn bytes(counts: &SharedStatistics) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(counts)?;
    bytes.push(b'\n');
    Ok(bytes)
}
