//! The collection that is built in.

use std::fs::{self, File};
use std::path::PathBuf;

use pyo3::prelude::*;
use trommel::demo;
use trommel::experiment::write_demo;

use crate::error::failed;

/// Writes the built-in collection of 165 pages with its topics and judgments into a directory.
#[pyfunction]
pub(crate) fn write_demo_files(directory: PathBuf) -> PyResult<()> {
    fs::create_dir_all(&directory)?;
    let mut file = File::create(directory.join("demo.warc.gz"))?;
    write_demo(&mut file).map_err(failed)?;
    fs::write(directory.join("topics.xml"), demo::TOPICS)?;
    Ok(fs::write(directory.join("qrels.txt"), demo::QRELS)?)
}
