//! The built-in collection as files.

use std::path::PathBuf;

use super::error::at;
use super::{Directory, OutputError, reports};
use crate::demo;
use crate::experiment::{DEMO_FILE, write_demo};

/// The judgments of the built-in collection.
const QRELS_FILE: &str = "demo.qrels.txt";

/// The files of the built-in collection.
#[derive(Debug, Clone)]
pub struct DemoFiles {
    /// A WARC file.
    pub pages: PathBuf,
    /// Topics.
    pub topics: PathBuf,
    /// Judgments.
    pub qrels: PathBuf,
}

/// Writes the built-in collection with its topics and judgments into a directory, which need not be there.
///
/// # Errors
/// Those of [`Directory::write`].
pub fn write_demo_files(directory: &Directory) -> Result<DemoFiles, OutputError> {
    directory.create("")?;
    let place = |name: &str| directory.path().join(name);
    // First what the directory is known by.
    directory.write(reports::DEMO.data, demo::TOPICS.as_bytes())?;
    directory.write(QRELS_FILE, demo::QRELS.as_bytes())?;
    let mut warc = Vec::new();
    write_demo(&mut warc).map_err(at(&place(DEMO_FILE)))?;
    directory.write(DEMO_FILE, &warc)?;
    Ok(DemoFiles {
        pages: place(DEMO_FILE),
        topics: place(reports::DEMO.data),
        qrels: place(QRELS_FILE),
    })
}
