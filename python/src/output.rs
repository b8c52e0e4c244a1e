//! What Python's half writes: through the one place for it, whole or not at all.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use trommel::output::{Directory, Output, Reads, Writer, kinds, reports, write_demo_files};

use crate::error::{TrommelError, failed};

/// Writes the built-in collection with its topics and judgments into a directory; gives the paths of the three files.
#[pyfunction]
pub(crate) fn write_demo(directory: PathBuf, force: bool) -> PyResult<(PathBuf, PathBuf, PathBuf)> {
    let reads = Reads::default();
    let directory = Directory::check(&directory, &reports::DEMO, force, &reads).map_err(failed)?;
    let files = write_demo_files(&directory).map_err(failed)?;
    Ok((files.pages, files.topics, files.qrels))
}

/// A gzip file of documents that is being written. What is not finished leaves what was there as it was.
#[pyclass(frozen, module = "trommel._trommel")]
pub(crate) struct DocumentsFile {
    writer: Mutex<Option<Writer>>,
}

#[pymethods]
impl DocumentsFile {
    /// The name that its header has to have, by which it is known again.
    #[classattr]
    const NAME: &'static str = kinds::DOCUMENTS_NAME;

    #[new]
    fn new(path: PathBuf, force: bool) -> PyResult<DocumentsFile> {
        let output = Output::check(&path, &kinds::DOCUMENTS, force, &Reads::default());
        let writer = output.and_then(|output| output.begin()).map_err(failed)?;
        Ok(DocumentsFile {
            writer: Mutex::new(Some(writer)),
        })
    }

    /// Writes bytes; gives their number.
    fn write(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<usize> {
        let write = || {
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            match writer.as_mut() {
                None => Err(TrommelError::new_err("the file is finished")),
                Some(writer) => writer.write_all(bytes).map_err(failed),
            }
        };
        py.detach(write).map(|()| bytes.len())
    }

    /// As files have it: there is nothing to do before the end.
    fn flush(&self) {}

    /// Gives the file its name.
    fn finish(&self) -> PyResult<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        match writer.take() {
            None => Ok(()),
            Some(writer) => writer.finish().map_err(failed),
        }
    }
}
